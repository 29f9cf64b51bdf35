import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { completion } from '../cli/fake-model.ts'
import { readManifest, writeTowns } from '../experiment/experiments.ts'
import { start, until } from '../experiment/killing.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'

/** Sends a signal and waits for the end. The work would take longer than a test may. */
async function interrupt({ process: child, ended }: ReturnType<typeof start>, signal: NodeJS.Signals) {
  child.kill(signal)
  const { code, err, signal: by } = await ended
  return { shown: by ? { SIGINT: 130, SIGTERM: 143 }[by as string] : code, err }
}

function expectStopped({ shown, err }: Awaited<ReturnType<typeof interrupt>>, code: number): void {
  expect(shown, err).toBe(code)
  expect(err).toContain('with the same command')
  expect(err).not.toMatch(/terminate called|Napi|Aborted|^ +at /m)
}

/** Computes for ten minutes and hears nothing, unless FAST is set. */
const SPIN = `writeFileSync('begun', '')
    const end = performance.now() + (process.env.FAST ? 0 : 600_000)
    while (performance.now() < end);`

/** Waits for ten minutes, and hears a signal meanwhile, unless FAST is set. */
const WAIT = `if (!process.env.FAST) await new Promise((done) => setTimeout(done, 600_000))`

const CUSTOM = {
  'chunker.mjs': `import { writeFileSync } from 'node:fs'
export default ({ z }) => ({ name: 'spin', summary: 's', params: z.strictObject({}),
  make: () => ({ split({ text }) {
    ${SPIN}
    return [{ start: 0, end: text.length }]
  } }) })`,
  'strategy.mjs': `import { writeFileSync } from 'node:fs'
export default ({ defineStrategy, steps, z }) => {
  const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
  const spin = steps.defineStep({ name: 'spin', version: 1, yields: 'ranking', run: ([ranking]) => {
    ${SPIN}
    return ranking
  } })
  return defineStrategy({ name: 'spin', summary: 's', source: 'here', params: z.strictObject({}),
    make: () => ({ retrieve: (query) => ({ ranking: spin([steps.searchBm25([query], { depth: 10, index })], null) }) }) })
}`,
}

describe('a signal while a thread computes and hears nothing', () => {
  test.each([
    ['chunking', 'prepare: {chunk: ./chunker.mjs}\ntrials: [bm25]', '2', 'SIGTERM', 143],
    ['a shard in this process', 'trials: [./strategy.mjs]', '1', 'SIGINT', 130],
    ['a shard in a worker', 'trials: [./strategy.mjs]', '2', 'SIGTERM', 143],
  ] as const)('%s: acknowledged, ended, and resumed', async (_, keys, workers, signal, code) => {
    const folder = temporaryFolder({
      'a.yaml': `dataset: towns\n${keys}\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n`,
      ...CUSTOM,
    })
    writeTowns(join(folder, 'towns'), { towns: 12 })
    const words = ['run', 'a.yaml', '--workers', workers]
    const child = start(folder, words)
    await until(() => existsSync(join(folder, 'begun')), 'the computation')
    const ended = await interrupt(child, signal)
    expectStopped(ended, code)
    expect(ended.err).toContain('nothing is lost: resume with the same command')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('lock'))).toEqual([])
    const resumed = await start(folder, words, { FAST: '1' }).ended
    expect(resumed.code, resumed.err).toBe(0)
  })
})

/** Towns and many other documents, so that each phase takes a while. */
function writeMany(folder: string, documents: number): void {
  writeTowns(folder)
  const corpus = join(folder, 'corpus.jsonl')
  const more = Array.from({ length: documents }, (_, i) => {
    const text = `Mill ${i} stands by the River ${i % 97} near Town${i % 13}. It grinds rye for ${i % 31} villages. `
    return JSON.stringify({ _id: `m${i}`, title: `Mill ${i}`, text: text.repeat(4) })
  })
  writeFileSync(corpus, `${readFileSync(corpus, 'utf8')}${more.join('\n')}\n`)
}

/** Files below a folder. */
const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []

test('a signal at any moment of a run over many documents: acknowledged, ended, and the same result', async () => {
  const folder = temporaryFolder({
    'strategy.mjs': CUSTOM['strategy.mjs'].replace('run: (', 'run: async (').replace(SPIN, WAIT),
    'a.yaml':
      'dataset: many\nprepare: {embedder: lsa}\ntrials: [bm25, naive, ./strategy.mjs]\nmeasures: [recall@5]\ncompare: {draws: 500}\n',
  })
  writeMany(join(folder, 'many'), 400)
  const words = ['run', 'a.yaml', '--workers', '2', '--shard-size', '5']
  const result = () =>
    readManifest(join(folder, 'experiments', 'a'), (path) => readFileSync(path, 'utf8')).result
  const first = await start(folder, words, { FAST: '1' }).ended
  expect(first.code, first.err).toBe(0)
  const undisturbed = result()
  const artifacts = readdirSync(join(folder, '.touchstone')).length
  for (const one of ['.touchstone', 'experiments', 'reports'])
    rmSync(join(folder, one), { recursive: true, force: true })
  /** Kinds of artifacts, and shards, that a run has stored. */
  const stored = () =>
    (existsSync(join(folder, '.touchstone')) ? readdirSync(join(folder, '.touchstone')).length : 0) +
    filesIn(join(folder, 'experiments')).filter((file) => file.endsWith('.parquet')).length
  // The store keeps what is prepared, so that each run gets further than the one before. The last trial waits for minutes.
  for (let moment = 0; stored() < artifacts + 2; moment++) {
    const signal = moment % 2 === 0 ? 'SIGINT' : 'SIGTERM'
    const child = start(folder, words)
    const before = stored()
    await until(() => stored() > before, 'the next artifact or shard')
    expectStopped(await interrupt(child, signal), signal === 'SIGTERM' ? 143 : 130)
  }
  const { code, err } = await start(folder, words, { FAST: '1' }).ended
  expect(code, err).toBe(0)
  expect(result()).toBe(undisturbed)
}, 300_000)

/** Gives a corpus that never ends to whoever opens `corpus.jsonl`, and says that the first part of it was taken. */
const ENDLESS = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
const open = fs.createReadStream
async function* documents() {
  for (let part = 0; ; part++) {
    const lines = Array.from({ length: 5000 }, (_, i) =>
      JSON.stringify({ _id: \`m\${part}-\${i}\`, title: 'Mill', text: \`Mill \${i} grinds rye. \`.repeat(8) }) + '\\n')
    yield Buffer.from(lines.join(''))
    fs.writeFileSync('begun', '')
    // A file gives its parts in turns of the event loop too.
    await new Promise(setImmediate)
  }
}
fs.createReadStream = (path, options) =>
  basename(String(path)) === 'corpus.jsonl' ? Readable.from(documents()) : open(path, options)
syncBuiltinESMExports()`

test('a signal while documents are read without end ends the command', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\ntrials: [bm25]\nmeasures: [recall@5]\n',
    'endless.mjs': ENDLESS,
  })
  writeTowns(join(folder, 'towns'))
  const child = start(folder, ['import', 'towns', '--out', 'copy'], {
    NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'endless.mjs'))}`,
  })
  await until(() => existsSync(join(folder, 'begun')), 'the first documents')
  const ended = await interrupt(child, 'SIGTERM')
  expectStopped(ended, 143)
  expect(ended.err).toContain('stopped; start again with the same command')
})

const isVerdict = (body: unknown) => JSON.stringify(body).includes('reference answers')

test.each([
  ['answers are written', false, '2', 'SIGINT', 130],
  ['answers are judged', true, '1', 'SIGTERM', 143],
] as const)(
  'a signal while %s, and the server never replies: acknowledged, ended, resumed, nothing asked twice',
  async (_, judged, workers, signal, code) => {
    let holding = true
    let waiting = 0
    const replied: string[] = []
    const { baseUrl } = await fakeServer((_, { body }) => {
      // Three replies of the phase are stored before the server falls silent.
      const isOfPhase = isVerdict(body) === judged
      if (holding && isOfPhase && replied.filter((reply) => isVerdict(reply) === judged).length >= 3)
        return () => void waiting++
      replied.push(JSON.stringify(body))
      const verdict = JSON.stringify({ reasoning: 'as asked', correct: replied.length % 3 > 0 })
      return completion(isVerdict(body) ? verdict : 'It lives by the lake [1].')
    })
    const folder = temporaryFolder({
      'a.yaml': `dataset: towns
models:
  tiny: {openai-compatible: {baseUrl: "${baseUrl}", model: tiny, maxTokens: 50, concurrency: 2, timeout: 600, price: {input: 1, output: 10}}}
trials: [bm25]
measures: [recall@5]
answer: {llm: {model: tiny}}
judge: {correctness: {model: tiny}}
compare: {draws: 200}
`,
    })
    writeTowns(join(folder, 'towns'), { towns: 12 })
    const words = ['run', 'a.yaml', '--workers', workers]
    const child = start(folder, words)
    const over = child.ended.then(({ err }) => expect.fail(`ended before the server fell silent: ${err}`))
    await Promise.race([until(() => waiting > 0, 'a request without a reply'), over])
    over.catch(() => {})
    const ended = await interrupt(child, signal)
    expectStopped(ended, code)
    expect(ended.err).toContain('nothing is lost: resume with the same command')
    expect(filesIn(folder).filter((file) => /lock$|\.tmp$/.test(file))).toEqual([])
    holding = false
    const resumed = await start(folder, words).ended
    expect(resumed.code, resumed.err).toBe(0)
    expect(new Set(replied).size).toBe(replied.length)
    const { answers } = JSON.parse(readFileSync(join(folder, 'experiments', 'a', 'summary.json'), 'utf8'))
    expect(answers.judges[0].failed).toBe(0)
  },
)

/** Draws a report for ten minutes, unless FAST is set. */
const SLOW_REPORT = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { writeFileSync } = fs
fs.writeFileSync = (path, ...more) => {
  if (/reports.a\\.html/.test(String(path))) {
    ${SPIN}
  }
  return writeFileSync(path, ...more)
}
syncBuiltinESMExports()`

test('a signal while a report is drawn: acknowledged, ended, and the report is written by the same command', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\ntrials: [bm25]\nmeasures: [recall@1]\ncompare: {draws: 100}\n',
    'slow.mjs': SLOW_REPORT,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const words = ['run', 'a.yaml', '--workers', '1']
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'slow.mjs'))}` }
  const child = start(folder, words, env)
  await until(() => existsSync(join(folder, 'begun')), 'the report')
  const ended = await interrupt(child, 'SIGTERM')
  expectStopped(ended, 143)
  expect(existsSync(join(folder, 'reports', 'a.html'))).toBe(false)
  const resumed = await start(folder, words, { ...env, FAST: '1' }).ended
  expect(resumed.code, resumed.err).toBe(0)
  expect(resumed.out).toContain('report: reports/a.html')
  expect(readFileSync(join(folder, 'reports', 'a.html'), 'utf8')).toContain('</html>')
  expect(filesIn(folder).filter((file) => /lock$|\.tmp$/.test(file))).toEqual([])
})
