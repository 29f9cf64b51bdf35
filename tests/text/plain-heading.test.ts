import { expect, test } from 'vitest'
import { plainHeading } from '../../src/text/plain-heading.ts'

test.each([
  ['[![npm](https://img.shields.io/npm/v/x.svg)](https://www.npmjs.com/package/x) name', 'name'],
  ['name [![a][b]][c] [![d](e "f")](g)', 'name'],
  ['![Logo](logo.png) Lomm', 'Lomm'],
  ['![Logo](logo.png)', 'Logo'],
  ['<img src="x.svg" width="20" alt="Lomm"> <br/>', 'Lomm'],
  ['<a name="top"></a>The [harbour](harbour.md#crew) of [Lomm][1]', 'The harbour of Lomm'],
  ['[wiki](https://en.wikipedia.org/wiki/A_(b)) and more', 'wiki and more'],
  ['Harbour {#harbour .wide}', 'Harbour'],
  ['Harbour {: #harbour}', 'Harbour'],
  ['The `--out` option and **bold** *words*', 'The --out option and bold words'],
  ['`Vec<T>` &amp; `[a](b)`', 'Vec<T> & [a](b)'],
  ['Rules \\<T\\> \\*', 'Rules <T> *'],
  ['<https://lomm.example/a>', 'https://lomm.example/a'],
])('%s', (heading, plain) => {
  expect(plainHeading(heading)).toBe(plain)
})
