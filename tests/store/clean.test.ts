import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { openVectorCache, textHash } from '../../src/models/vector-cache.ts'
import { listEntries, listVectors, MARKER, requireStore } from '../../src/store/folder.ts'
import { openStore } from '../../src/store/store.ts'
import { standIn } from '../cli/stand-in.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { word } from './word.ts'

function setUp() {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\ntrials: [naive]\ncompare: {draws: 200}\n',
    'b.yaml': 'dataset: towns\nprepare: {language: none}\ntrials: [bm25]\ncompare: {draws: 200}\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const typing =
    (typed?: string) =>
    async (...argv: string[]) => {
      const terminal = standIn({ folder, typed })
      return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
    }
  return { folder, call: typing(), typing, store: join(folder, '.touchstone') }
}

test('keeps what the named experiments were made from and what that was built from, and touches nothing else', async () => {
  const { folder, call, store } = setUp()
  await call('run', 'a.yaml', '--workers', '1')
  await call('run', 'b.yaml', '--workers', '1')
  mkdirSync(join(store, 'mine', 'notes'), { recursive: true })
  writeFileSync(join(store, 'mine', 'notes', 'artifact.json'), 'not yours')

  expect((await call('clean', '.touchstone')).err).toContain('say which experiments to keep')
  expect((await call('clean', '.touchstone', '--keep', 'towns')).err).toContain('is not an experiment folder')
  const before = listEntries(store)
  const dry = JSON.parse((await call('clean', '.touchstone', '--keep', 'experiments/a', '--json')).out)
  expect(dry.removed.map(({ name }: { name: string }) => name).sort()).toEqual([
    'term_counts',
    'text_profile',
  ])
  expect(listEntries(store)).toEqual(before)

  const { code, out } = await call('clean', '.touchstone', '--keep', 'experiments/a', '--yes')
  expect(code).toBe(0)
  expect(out).toMatch(/term_counts .* kB\n(.*\n)?removed: 2 folders, /)
  const left = listEntries(store)
  expect(left).toEqual(
    before.filter(({ key }) => !dry.removed.some((removed: { key: string }) => removed.key === key)),
  )
  const artifacts = Object.values(
    JSON.parse(readFileSync(join(folder, 'experiments/a/manifest.json'), 'utf8')).artifacts,
  )
  const keys = left.map(({ key }) => key)
  for (const key of artifacts) if (before.some((entry) => entry.key === key)) expect(keys).toContain(key)
  // Nothing has to be prepared again for what was kept.
  expect((await call('prepare', 'a.yaml')).out).toBe('everything is prepared already\n')

  expect(listVectors(store).length).toBeGreaterThan(0)
  await call('clean', '.touchstone', '--all', '--yes')
  expect([...listEntries(store), ...listVectors(store)]).toEqual([])
  expect(existsSync(join(store, 'mine', 'notes', 'artifact.json'))).toBe(true)
  // Everything is made anew.
  await call('prepare', 'a.yaml')
  expect(listVectors(store).length).toBeGreaterThan(0)
  expect(listEntries(store).map(({ key }) => key)).toEqual(expect.arrayContaining(left.map(({ key }) => key)))
})

test('only below a marker: other folders are refused, a store of before gets its marker when it is used', async () => {
  const { folder, call, store } = setUp()
  await call('prepare', 'b.yaml')
  const all = async (path: string) => (await call('clean', path, '--all', '--yes')).err
  mkdirSync(join(folder, 'root', 'app', 'cache'), { recursive: true })
  expect(await all('root')).toMatch(/^root: is not a store of touchstone: it lacks the file touchstone-store/)
  expect(await all('none')).toMatch(/there is no such folder/)
  expect(await all('a.yaml')).toMatch(/is not a folder/)
  symlinkSync(store, join(folder, 'link'))
  expect(await all('link')).toContain(`is a link; name the folder itself: ${realpathSync(store)}`)
  mkdirSync(join(store, '.git'))
  expect(await all('.touchstone')).toContain('is a repository')
  rmSync(join(store, '.git'), { recursive: true })

  rmSync(join(store, MARKER))
  expect(await all('.touchstone')).toContain('`touchstone prepare CONFIG` writes it')
  symlinkSync(join(folder, 'a.yaml'), join(store, MARKER))
  expect(await all('.touchstone')).toContain('lacks the file')
  rmSync(join(store, MARKER))
  expect(listEntries(store).length).toBeGreaterThan(0)
  await call('prepare', 'b.yaml')
  expect(await all('.touchstone')).toBe('')
  expect(listEntries(store)).toEqual([])
})

test('a root and a home are no place for a store, whatever they hold', () => {
  // Asked only; nothing here would be removed.
  expect(() => requireStore('/')).toThrow("is a file system's root")
  expect(() => requireStore(homedir())).toThrow(/is a home|is a file system's root|is a repository/)
})

test('a folder with something else in it never becomes a store', async () => {
  const { folder, call } = setUp()
  const before = readdirSync(join(folder, 'towns'))
  const { code, err } = await call('prepare', 'b.yaml', '--store', 'towns')
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^towns: is not a store of touchstone and contains .*; name a new or empty folder with --store\n$/,
    ),
  })
  expect(readdirSync(join(folder, 'towns'))).toEqual(before)
})

test('an entry is what its own record says; links are followed nowhere', async () => {
  const root = join(temporaryFolder(), 'store')
  const outside = temporaryFolder({ 'dear.txt': 'dear' })
  await openStore(root).prepare(word())
  const [{ folder, key }] = listEntries(root)
  const copy = (name: string, change: (at: string) => void) => {
    const at = join(root, 'word', name)
    cpSync(folder, at, { recursive: true })
    change(at)
  }
  const other = (letter: string) => letter.repeat(32)
  // A record of another key, one that was edited, a file that no record names, a folder, a link in the folder.
  copy(other('1'), () => {})
  copy(String(key).slice(0, 31) + (String(key)[31] === '0' ? '1' : '0'), () => {})
  copy(other('2'), (at) => {
    const record = JSON.parse(readFileSync(join(at, 'artifact.json'), 'utf8'))
    writeFileSync(join(at, 'artifact.json'), JSON.stringify({ ...record, key: other('2') + other('2') }))
  })
  mkdirSync(join(root, 'mine'))
  cpSync(folder, join(root, 'mine', String(key).slice(0, 32)), { recursive: true })
  symlinkSync(join(root, 'word'), join(root, 'name'))
  symlinkSync(outside, join(root, 'word', other('3')))
  expect(listEntries(root).map((entry) => entry.folder)).toEqual([folder])
  writeFileSync(join(folder, 'dear.txt'), 'dear')
  expect(listEntries(root)).toEqual([])
  renameSync(join(folder, 'dear.txt'), join(root, 'dear.txt'))
  symlinkSync(outside, join(folder, 'linked'))
  expect(listEntries(root)).toEqual([])
  rmSync(join(folder, 'linked'))

  const vectors = join(root, 'vectors', other('4'))
  const cache = await openVectorCache(vectors)
  cache.put([textHash('a')], Float32Array.of(1, 0), { model: 'none', dims: 2 })
  expect(listVectors(root).map((entry) => entry.folder)).toEqual([vectors])
  writeFileSync(join(vectors, `${other('5')}.parquet`), 'named like one')
  expect(listVectors(root)).toEqual([])
  expect(readFileSync(join(outside, 'dear.txt'), 'utf8')).toBe('dear')
})
