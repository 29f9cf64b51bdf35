import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from '../cli/set-up.ts'

const BODY: Readonly<Record<string, string>> = {
  extractor: `extract: ({ chunks }) => ({ mentions: chunks.flatMap((_, chunk) => read().map((name) => ({ name, chunk }))), links: [] }),`,
  chunker: `split: ({ text }) => [{ start: 0, end: Math.min(text.length, read().join('').length * 10) }],`,
  embedder: `embed: (texts) => texts.map((text) => [read().length, text.length, read().join('').length]),`,
}
const own = (kind: string, more: string) => `import { readFileSync } from 'node:fs'
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
    for (const files of [`files: ['words.txt'],`, `files: () => ['words.txt'],`]) {
      const { folder, call } = setUp(`dataset: towns\nmeasures: [recall@5]\n${CONFIGS[kind]}`)
      mkdirSync(join(folder, 'own'))
      writeFileSync(join(folder, 'own/mine.mjs'), own(kind, files))
      writeFileSync(join(folder, 'own/words.txt'), 'TownA0 weaving TownB1')
      expect((await call('prepare', 'a.yaml')).err).not.toContain('words.txt')
      const first = artifacts(folder)
      expect((await call('prepare', 'a.yaml')).out).toContain('everything is prepared already')
      writeFileSync(join(folder, 'own/words.txt'), 'TownA0 weaving Cruz more')
      expect((await call('prepare', 'a.yaml')).code).toBe(0)
      expect(artifacts(folder)).toBeGreaterThan(first)
    }
  },
)

test('a declared file that is missing, and a key that a definition may not have, are refused with the file', async () => {
  const { folder, call } = setUp(`dataset: towns\nmeasures: [recall@5]\n${CONFIGS.extractor}`)
  mkdirSync(join(folder, 'own'))
  const refused = async (more: string, message: RegExp) => {
    // A module is loaded once: each gets a name of its own.
    const name = `mine${readdirSync(join(folder, 'own')).length}.mjs`
    writeFileSync(join(folder, 'own', name), own('extractor', more))
    const config = readFileSync(join(folder, 'a.yaml'), 'utf8').replace(/mine\d*\.mjs/, name)
    writeFileSync(join(folder, 'a.yaml'), config)
    const { code, err } = await call('check', 'a.yaml')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) })
  }
  await refused(`files: ['words.txt'],`, /own\/words\.txt: there is no such file \(files of /)
  await refused(`files: 'words.txt',`, /it lacks files \(a list of paths/)
  await refused(
    `fiels: ['words.txt'],`,
    /unknown key `fiels` \(did you mean "files"\?\); keys of an extractor are name,/,
  )
})
