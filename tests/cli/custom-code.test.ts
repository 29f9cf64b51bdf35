import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { customCodeError } from '../../src/cli/io.ts'
import { UserError } from '../../src/errors.ts'

test('an error of custom code has the place of its first line in a file that is neither ours nor a package', () => {
  const thrown = (...places: string[]) =>
    Object.assign(new Error('broken'), {
      stack: ['Error: broken', ...places.map((at) => `    at ${at}`)].join('\n'),
    })
  const productFile = new URL('../../src/errors.ts', import.meta.url).pathname
  const mine = { file: '/home/me/mine.mjs', line: 3, column: 7, message: 'broken' }
  const cases: [places: string[], expected: object | undefined][] = [
    [[], undefined],
    [
      ['run (node:internal/timers:3:7)', `f (${productFile}:1:2)`, `${pathToFileURL(productFile)}:1:2`],
      undefined,
    ],
    [['f (/home/me/node_modules/left-pad/index.js:1:2)'], undefined],
    [['/home/me/mine.mjs:3:7'], mine],
    [['async f (file:///home/me/mine.mjs:3:7)', 'g (/home/me/other.mjs:1:1)'], mine],
    [
      [`f (${productFile}:1:2)`, 'g (/home/me/node_modules/x/y.js:1:2)', 'new A (/home/me/mine.mjs:3:7)'],
      mine,
    ],
  ]
  for (const [places, expected] of cases)
    expect(customCodeError(thrown(...places))?.diagnostics, places.join()).toEqual(expected && [expected])
  expect(customCodeError(new UserError('told'))).toBeUndefined()
  expect(customCodeError('text')).toBeUndefined()
})
