import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type CacheOptions, createRetriever, runExperiment } from 'touchstone'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')

/** A folder in which somebody begins: a config, its data, and the package. */
function project(): string {
  const folder = temporaryFolder({
    'mine.yaml': 'dataset: towns\ntrials: [bm25, naive]\nmeasures: [recall@5]\ncompare: {draws: 200}\n',
    'notes/trades.md': '# Bees\n\nThe monks of Alden make honey.\n\n# Salt\n\nMerrow boils salt in pans.\n',
    'notes/wool.txt': 'Wool is spun in Tarn.\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 16 })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'touchstone'))
  return folder
}

const blocks = [...readFileSync(join(root, 'docs/library.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)]

test('every example of docs/library.md runs as it stands, one after another', async () => {
  const folder = project()
  const said: string[] = []
  for (const [index, [, code]] of blocks.entries()) {
    const file = join(folder, `example-${index}.mjs`)
    writeFileSync(file, code)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
    expect(stderr).toBe('')
    said.push(stdout)
  }
  expect(blocks).toHaveLength(8)
  const [run, read, recommended, score, retrieve, notes, answer, notebook] = said
  expect(run).toMatch(/^bm25 [\d.]+ [\d.]+ [\d.]+\nnaive .*\n.*reports\/mine\.html\n$/)
  expect(existsSync(join(folder, 'reports', 'mine.html'))).toBe(true)
  expect(read).toMatch(/^\d+ questions that no trial answers\n$/)
  expect(recommended).toMatch(/^(bm25|naive) \S/)
  expect(readFileSync(join(folder, 'chosen.yaml'), 'utf8')).toContain('trials:')
  // nDCG of q2: its gold at rank 2 of 2 found, 1 / log2(3).
  expect(score).toMatch(/^0\.815\d+ 0\n0\.184\d+ .* cannot tell\n$/)
  expect(retrieve.trim().split('\n')).toHaveLength(2)
  expect(notes).toBe("trades.md [ 'Bees' ]\n")
  expect(answer).toMatch(/^.+ false \[.*\] 4\n$/)
  expect(notebook).toMatch(/^trial +recall\nbm25 .*\nnaive .*\n<svg\n$/)
})

test('a run that is stopped throws the reason and goes on when it is called again', async () => {
  const folder = project()
  const stop = new AbortController()
  const options = { workers: 1, out: join(folder, 'stopped') }
  const config = join(folder, 'mine.yaml')
  const stopping = runExperiment(config, {
    ...options,
    signal: stop.signal,
    progress: (label) => label === 'shards' && stop.abort(new Error('enough')),
  })
  await expect(stopping).rejects.toThrow('enough')
  const { datasets, summary, whole } = await runExperiment(config, options)
  expect([datasets.length, datasets[0].summary, whole]).toEqual([1, summary, false])
  expect((await runExperiment(config, options)).whole).toBe(true)
})

test('a retriever answers questions that are not in the dataset', async () => {
  const folder = project()
  const retriever = await createRetriever(join(folder, 'mine.yaml'), { trial: 'bm25' })
  onTestFinished(() => retriever.close())
  const chunks = await retriever.retrieve('Where is honey made?')
  expect(retriever.trial).toBe('bm25')
  expect(chunks.length).toBeGreaterThan(0)
  expect(chunks[0].text.length).toBeGreaterThan(0)
  expect(chunks.map(({ score }) => score)).toEqual(chunks.map(({ score }) => score).sort((a, b) => b - a))
  expect(Object.keys(chunks[0])).toEqual(['id', 'document', 'title', 'section', 'text', 'score', 'metadata'])
  const five = await retriever.retrieve('Which road leads to honey?')
  expect(five).toHaveLength(5)
  expect(await retriever.retrieve('Which road leads to honey?', { k: 2 })).toEqual(five.slice(0, 2))
  await expect(createRetriever(join(folder, 'mine.yaml'), { trial: 'bm26' })).rejects.toThrow('no trial')
})

const SIX = ['naive', 'hybrid', 'graphrag-local', 'graphrag-global', 'lightrag', 'hipporag']

test.each(SIX)(
  '%s retrieves and answers in promises: questions at once get what each gets alone',
  async (strategy) => {
    const folder = project()
    const set = [
      'prepare={embedder: lsa, graph: [rules, titles], communities: leiden, reports: extractive}',
      `trials=[${strategy}]`,
      'answer=extractive',
    ]
    const retriever = await createRetriever(join(folder, 'mine.yaml'), { store: join(folder, 'store'), set })
    onTestFinished(() => retriever.close())
    const questions = ['What does TownA0 live by?', 'What does TownA3 live by?']
    const promises = questions.map((question) => retriever.retrieve(question))
    for (const promise of promises) expect(promise).toBeInstanceOf(Promise)
    const [first, second] = await Promise.all(promises)
    expect(first[0].text).toContain('TownA0')
    expect(second).not.toEqual(first)
    expect(await retriever.retrieve(questions[0])).toEqual(first)
    expect(await retriever.retrieve(questions[1])).toEqual(second)
    expect((await retriever.answer(questions[0])).text).not.toBe('')
  },
)

test('a retriever of traversal loads its policies, builds its index and finds what their rules add', async () => {
  const folder = project()
  const policies = join(folder, 'policies.yaml')
  writeFileSync(policies, 'otherwise: {name: other}\nexpand: [{any: [yarn], terms: [wool]}]\n')
  const options = { corpus: join(folder, 'notes'), store: join(folder, 'store') }
  const ask = async (params: string) => {
    const set = ['prepare.chunk=headings', `trials=[{traversal: {alpha: 0, ${params}}}]`]
    const retriever = await createRetriever(join(folder, 'mine.yaml'), { ...options, set })
    onTestFinished(() => retriever.close())
    return (await retriever.retrieve('Who has yarn?')).map(({ document }) => document)
  }
  expect(await ask(`policies: ${policies}`)).toEqual(['wool.txt'])
  expect(await ask('policies: seed-001')).toEqual([])
})

test('a strategy by its name searches a folder of texts, with params where they are set', async () => {
  const folder = project()
  const options = { corpus: join(folder, 'notes'), store: join(folder, 'store') }
  const set = ['prepare.chunk=headings', 'prepare.language=none']
  const retriever = await createRetriever('bm25', { ...options, set })
  onTestFinished(() => retriever.close())
  expect(await retriever.retrieve('salt', { k: 1 })).toMatchObject([
    { document: 'trades.md', section: ['Salt'], text: expect.stringContaining('boils salt') },
  ])
  // A stem would find it.
  expect(await retriever.retrieve('boiled')).toEqual([])
  await expect(createRetriever('bm25')).rejects.toThrow("say what it searches, as {corpus: 'my-notes'}")
  const nowhere = createRetriever('bm25', { ...options, corpus: join(folder, 'nowhere') })
  await expect(nowhere).rejects.toThrow('there is no file or folder')
  await expect(createRetriever('fuse', options)).rejects.toThrow('fuse lacks `of`')
})

test('indexes are open when a retriever is created: no question waits for them', async () => {
  const folder = project()
  const options = { corpus: join(folder, 'notes'), store: join(folder, 'store') }
  // The order of words, mended by the vectors of chunks.
  const set = ['trials=[{bm25: {}, after: [diversify]}]']
  const retriever = await createRetriever(join(folder, 'mine.yaml'), { ...options, set })
  onTestFinished(() => retriever.close())
  rmSync(options.store, { recursive: true })
  expect((await retriever.retrieve('salt', { k: 1 })).map(({ document }) => document)).toEqual(['trades.md'])
})

test('a cache keeps results by question, evicts the least recently used, and lets them expire', async () => {
  const folder = project()
  const options = { corpus: join(folder, 'notes'), store: join(folder, 'store') }
  const open = async (cache: CacheOptions) => {
    const retriever = await createRetriever('bm25', { ...options, cache })
    onTestFinished(() => retriever.close())
    return async (question: string, k = 1) => {
      const [first] = await retriever.retrieve(question, { k })
      return [first?.document, retriever.cacheUse.hits]
    }
  }
  const ask = await open({ size: 2, seconds: 3600 })
  expect(await ask('salt')).toEqual(['trades.md', 0])
  expect(await ask('salt')).toEqual(['trades.md', 1])
  // Another depth is another result.
  expect(await ask('salt', 2)).toEqual(['trades.md', 1])
  // Used again, so the other one is put out: by age alone it would be this one.
  expect(await ask('salt')).toEqual(['trades.md', 2])
  expect(await ask('wool')).toEqual(['wool.txt', 2])
  expect(await ask('salt')).toEqual(['trades.md', 3])
  expect(await ask('salt', 2)).toEqual(['trades.md', 3])

  const hour = await open({ size: 2, seconds: 3600 })
  const now = performance.now.bind(performance)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const later = async (seconds: number) => {
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000 * seconds)
    // The cache reads the clock once a millisecond.
    await new Promise((done) => setTimeout(done, 20))
  }
  expect(await hour('salt')).toEqual(['trades.md', 0])
  await later(3590)
  expect(await hour('salt')).toEqual(['trades.md', 1])
  // Its age counts from when it was put in, not from its last use.
  await later(3610)
  expect(await hour('salt')).toEqual(['trades.md', 1])

  const forgetful = await open({ size: 2, seconds: 0.001 })
  expect(await forgetful('salt')).toEqual(['trades.md', 0])
  await new Promise((done) => setTimeout(done, 20))
  expect(await forgetful('salt')).toEqual(['trades.md', 0])
  await expect(open({ size: 0, seconds: 60 })).rejects.toThrow(
    '`cache.size` is a whole number of questions, at least 1, not 0',
  )
})
