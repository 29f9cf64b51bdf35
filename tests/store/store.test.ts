import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { type Artifact, defineArtifact } from '../../src/store/artifact.ts'
import { MARKER } from '../../src/store/folder.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'

/** Two artifacts, one built from the other, that count how often they are built and opened. */
function pair(counts: Record<string, number> = {}, params: { text?: string; times?: number } = {}) {
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const word: Artifact<string> = defineArtifact({
    name: 'word',
    version: 1,
    params: { text: params.text ?? 'gold' },
    inputs: {},
    async build(folder) {
      count('build word')
      writeFileSync(join(folder, 'word.txt'), params.text ?? 'gold')
    },
    open: (folder) => {
      count('open word')
      return readFileSync(join(folder, 'word.txt'), 'utf8')
    },
  })
  const repeated = defineArtifact({
    name: 'repeated',
    version: 1,
    params: { times: params.times ?? 2 },
    inputs: { word },
    async build(folder, inputs) {
      count('build repeated')
      writeFileSync(join(folder, 'repeated.txt'), (await inputs.word()).repeat(params.times ?? 2))
    },
    open: (folder) => readFileSync(join(folder, 'repeated.txt'), 'utf8'),
  })
  return { word, repeated }
}

const folders = (root: string) =>
  existsSync(root)
    ? readdirSync(root, { recursive: true })
        .map(String)
        .filter((path) => !path.endsWith('.txt'))
        .sort()
    : []

describe('a store', () => {
  test('builds what is missing, inputs first, and nothing twice', async () => {
    const root = temporaryFolder()
    const counts: Record<string, number> = {}
    const { word, repeated } = pair(counts)
    const store = openStore(root)
    await expect(store.open(repeated)).rejects.toThrow(
      'repeated is not prepared; run `touchstone prepare` first',
    )
    expect((await store.prepare(repeated)).map(({ name }) => name)).toEqual(['word', 'repeated'])
    expect(await store.prepare(repeated)).toEqual([])
    expect(await openStore(root).prepare(pair(counts).repeated)).toEqual([])
    expect(await Promise.all([store.open(word), store.open(word), store.open(repeated)])).toEqual([
      'gold',
      'gold',
      'goldgold',
    ])
    expect(counts).toEqual({ 'build word': 1, 'build repeated': 1, 'open word': 1 })
  })

  test('rebuilds only what depends on a change', async () => {
    const root = temporaryFolder()
    const names = async (params: { text?: string; times?: number }) =>
      (await openStore(root).prepare(pair({}, params).repeated)).map(({ name }) => name)
    expect(await names({})).toEqual(['word', 'repeated'])
    expect(await names({ times: 3 })).toEqual(['repeated'])
    expect(await names({ text: 'ore' })).toEqual(['word', 'repeated'])
    expect(await names({})).toEqual([])
    expect(await openStore(root).open(pair({}, { times: 3 }).repeated)).toBe('goldgoldgold')
  })

  test('leaves nothing behind where a build throws', async () => {
    const root = temporaryFolder()
    const broken = defineArtifact({
      name: 'broken',
      version: 1,
      params: {},
      inputs: {},
      async build(folder) {
        writeFileSync(join(folder, 'half.txt'), 'half')
        throw new Error('no more')
      },
      open: () => 'never',
    })
    const store = openStore(root)
    await expect(store.prepare(broken)).rejects.toThrow('no more')
    expect(folders(root).filter((path) => path !== 'broken')).toEqual([MARKER])
    expect(store.has(broken)).toBe(false)
  })

  test('refuses a file that was altered, cut or removed since it was written', async () => {
    const root = temporaryFolder()
    const { word } = pair()
    await openStore(root).prepare(word)
    const [key] = readdirSync(join(root, 'word'))
    const file = join(root, 'word', key, 'word.txt')
    for (const content of ['lead', 'gol']) {
      writeFileSync(file, content)
      const error = await openStore(root)
        .open(word)
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UserError)
      expect((error as Error).message).toContain(`${file}: was altered since it was written`)
    }
    writeFileSync(file, 'gold')
    const store = openStore(root)
    const about = join(root, 'word', key, 'artifact.json')
    const description = readFileSync(about, 'utf8')
    writeFileSync(about, '{')
    await expect(store.open(word)).rejects.toThrow('artifact.json: was altered')
    // Each of key and params is enough to make it another artifact's.
    for (const other of [{ key: 'f'.repeat(64) }, { params: { other: 1 } }]) {
      writeFileSync(about, JSON.stringify({ ...JSON.parse(description), ...other }))
      await expect(openStore(root).open(word)).rejects.toThrow(
        'was made from other inputs than word asks for',
      )
    }
    for (const other of [{ name: 'ward' }, { version: 2 }, { inputs: { text: 'a'.repeat(64) } }]) {
      writeFileSync(about, JSON.stringify({ ...JSON.parse(description), ...other }))
      await expect(openStore(root).open(word)).rejects.toThrow('artifact.json: was altered')
    }
    // No flipped bit goes unnoticed, except in white space.
    const bytes = Buffer.from(description)
    for (let place = 0; place < bytes.length; place++) {
      const flipped = Buffer.from(bytes)
      flipped[place] ^= 1 << (place % 7)
      writeFileSync(about, flipped)
      let same: unknown
      try {
        same = JSON.parse(flipped.toString('utf8'))
      } catch {
        continue
      }
      const opened = await openStore(root)
        .open(word)
        .then(
          () => true,
          (error: unknown) => !(error instanceof UserError),
        )
      expect(opened, `byte ${place}`).toBe(JSON.stringify(same) === JSON.stringify(JSON.parse(description)))
    }
    writeFileSync(about, description)
    expect(await store.open(word)).toBe('gold')
  })

  test('an artifact of the same files but other inputs is another artifact', () => {
    const { word, repeated } = pair()
    const other = pair({}, { text: 'ore' })
    const newer = defineArtifact({ ...word, version: 2, inputs: {} })
    expect(new Set([word, repeated, other.word, other.repeated, newer].map(({ key }) => key)).size).toBe(5)
    expect(pair().repeated.key).toBe(repeated.key)
  })
})
