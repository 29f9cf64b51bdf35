import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'

const BODY: Readonly<Record<string, string>> = {
  extractor: `make: () => ({ extract: ({ chunks }) => ({ mentions: chunks.flatMap((_, chunk) => read().map((name) => ({ name, chunk }))), links: [] }) }),`,
  chunker: `make: () => ({ split: ({ text }) => [{ start: 0, end: Math.min(text.length, read().join('').length * 10) }] }),`,
  embedder: `make: () => ({ embed: (texts) => texts.map((text) => [read().length, text.length, read().join('').length]) }),`,
}
const source = (kind: string, more: string) => `import { readFileSync } from 'node:fs'
const read = () => readFileSync(new URL('words.txt', import.meta.url), 'utf8').split(' ')
export default ({ z, steps }) => ({ name: 'mine', summary: 'reads a file', params: z.strictObject({}), ${BODY[kind]} ${more} })
`
const CONFIGS: Readonly<Record<string, string>> = {
  extractor: 'prepare: {embedder: lsa, graph: ./own/mine.mjs}\ntrials: [hipporag]\n',
  chunker: 'prepare: {chunk: ./own/mine.mjs}\ntrials: [bm25]\n',
  embedder: 'prepare: {embedder: ./own/mine.mjs}\ntrials: [naive]\n',
}
/** Artifacts in the store. */
const artifacts = (folder: string) =>
  readdirSync(join(folder, '.touchstone'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('artifact.json'),
  ).length

test.each(['extractor', 'chunker', 'embedder'])(
  'a changed file that a custom %s declares is another key; without a change nothing is built',
  async (kind) => {
    // A list, or a function that gives one.
    const files = kind === 'chunker' ? `files: () => ['words.txt'],` : `files: ['words.txt'],`
    const { folder, call } = callsInTowns(`dataset: towns\nmeasures: [recall@5]\n${CONFIGS[kind]}`)
    mkdirSync(join(folder, 'own'))
    writeFileSync(join(folder, 'own/mine.mjs'), source(kind, files))
    writeFileSync(join(folder, 'own/words.txt'), 'TownA0 weaving TownB1')
    expect((await call('prepare', 'a.yaml')).err).not.toContain('words.txt')
    const first = artifacts(folder)
    expect((await call('prepare', 'a.yaml')).out).toContain('everything is prepared already')
    writeFileSync(join(folder, 'own/words.txt'), 'TownA0 weaving Cruz more')
    expect((await call('prepare', 'a.yaml')).code).toBe(0)
    expect(artifacts(folder)).toBeGreaterThan(first)
  },
)
