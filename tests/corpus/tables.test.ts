import { expect, test } from 'vitest'
import { documentsTable, textUnits } from '../../src/corpus/corpus.ts'
import { openStore } from '../../src/store/store.ts'
import type { Document, Json } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

const documents: Document[] = [
  { id: 'a', title: 'One', text: '# One\nFirst.\n## Two\nSecond.', metadata: { year: 1 } },
  { id: 'b', title: '', text: 'Third.', metadata: {} },
]
const source = (hash = 'h', load = async () => documents) => documentsTable({ hash, load })
const recipe = (name: string, params: Record<string, Json> = {}) => ({
  documents: source(),
  chunk: { name, params },
  embedder: { name: 'lsa', params: {} },
})

test('text units are the chunks of the recipe; another chunking rebuilds them alone', async () => {
  const store = openStore(temporaryFolder())
  const built = async (name: string, params?: Record<string, Json>) =>
    (await store.prepare(textUnits(recipe(name, params)))).map((artifact) => artifact.name)
  expect(await built('headings')).toEqual(['documents', 'text_units'])
  expect(
    (await store.open(textUnits(recipe('headings')))).map(({ id, section }) => [id, section.join('/')]),
  ).toEqual([
    ['a#one', 'One'],
    ['a#one/two', 'One/Two'],
    ['b#0000', ''],
  ])
  expect(await built('passages')).toEqual(['text_units'])
  expect((await store.open(textUnits(recipe('passages')))).map(({ id }) => id)).toEqual(['a', 'b'])
  // A default that is written out is the same chunking.
  expect(await built('headings', { levels: 3 })).toEqual([])
  expect(await built('headings', { levels: 2 })).toEqual(['text_units'])
})
