import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { callsInTowns } from './calls.ts'

const STRATEGY = `import { readFileSync } from 'node:fs'
export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({ file: z.string().default('x') }),
  make: () => ({ retrieve(query) {
    const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
    const last = steps.defineStep({ name: 'last', version: 1, run: ([ranking]) => {
      readFileSync(new URL('nowhere.txt', import.meta.url))
      return ranking
    } })
    return { ranking: last([steps.searchBm25([query], { depth: 10, index })], null) }
  } }),
})`

test('a report names no folder of the machine, also where custom files fail', async () => {
  const { folder, call } = callsInTowns(
    'dataset: towns\nprepare: {chunk: {grid: [passages, ./chunk.mjs]}}\ntrials: [bm25, ./mine.mjs]\nmeasures: [recall@5]\n',
    {
      'mine.mjs': STRATEGY,
      'chunk.mjs':
        "export default ({ z }) => ({ name: 'own', summary: 's', params: z.strictObject({}), make: () => ({ split: ({ text }) => [{ start: 0, end: text.length }] }) })",
    },
  )
  await call('run', 'a.yaml', '--workers', '1')
  const page = readFileSync(join(folder, 'reports/a.html'), 'utf8')
  const packed = [...page.matchAll(/id="block-[^>]*>([^<]*)</g)].map(([, base64]) =>
    inflateSync(Buffer.from(base64, 'base64')).toString('latin1'),
  )
  expect(page).toContain('dataset: ../../towns\n')
  expect(packed.join()).toContain('nowhere.txt')
  for (const text of [page, ...packed])
    expect(
      text
        .split(folder)
        .slice(1)
        .map((after) => after.slice(0, 80)),
    ).toEqual([])
})
