import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../../src/cli/commands.ts'
import { openIo } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import { callsInTowns } from '../cli/calls.ts'
import { standIn } from '../cli/stand-in.ts'

/** Whatever stands in a config or on the command line: an answer or a mistake in words, never a stack, soon. */

const CONFIG = `name: first
dataset: towns
prepare:
  chunk: {tokens: {size: 64, overlap: 8}}
  embedder: lsa
  graph: [rules, titles]
  reports: extractive
trials:
  - naive
  - bm25: {k1: 1.2, grid: {b: [0.5, 0.75]}}
  - hybrid: {grid: {alpha: {from: 0, to: 1, step: 0.5}}, random: {samples: 2, seed: 1}}
    name: mixed
    before: [{aliases: {names: {a: b}}}]
    after: [{domain-codes: {patterns: ["a+"]}}]
  - router: {arms: {hybrid: mixed}}
runs: [theirs.trec]
depth: 10
measures: [recall@5, "rbp(p=0.8)"]
folds: 3
compare: {by: recall@5, baseline: naive, level: 0.05, draws: 100, seed: 1}
latency: {queries: 1, repeats: 1}
prices: {model: m, input: 1, output: 2}
seed: 1
`

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
const NASTY = [
  '.nan',
  '-.inf',
  '-0',
  '1e308',
  '1e999',
  '99999999999999999999',
  'null',
  'true',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[{}]',
  `[${'1,'.repeat(3000)}1]`,
  nested(90),
  nested(150),
  nested(20_000),

  'constructor',
  'toString',
  '__proto__',
  '{constructor: [1]}',
  '{__proto__: [1]}',
  '{toString: {valueOf: 1}}',

  '{grid: {k1: [.nan]}}',
  '{grid: {constructor: [1, 2]}}',
  '{grid: {valueOf: {from: 0, to: 1e308, step: 1e-300}}}',
  '2001-01-01',
  '!!timestamp 2001-01-01',
  '!!binary aGVsbG8=',
  '!!set {a, b}',
  '!foo bar',
  '{? [1] : 2}',

  '&a [*a]',
  '{a: &b {c: *b}}',
  `"${'x'.repeat(200_000)}"`,
  '"a\\0b"',
  '"\\e[31m"',
  '"\\u202e"',
  '"\\uD800"',
  '/dev/zero',
  '/',
  '.',
  '{path: /dev/zero}',
  '{run: {path: "a\\0b"}}',
  '{run: {path: /}}',

  '{router: {arms: {constructor: toString}}}',
  '{router: {rules: a.yaml}}',
  '{openie: {path: /dev/zero}}',
  '"https://u:p@h/"',
  `"${'*'.repeat(5000)}x"`,
  './a.yaml',
  './nowhere.mjs',
  '"${ABSENT}"',
]

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

/** The config in JSON (which is YAML) with something else at a path. */
function withThing(path: Path, thing: string): string {
  const mark = '@@@'
  const config = parse(CONFIG)
  const parent = path.slice(0, -1).reduce((inside, part) => inside[part], config)
  parent[path.at(-1) as string] = mark
  return JSON.stringify(config).replace(JSON.stringify(mark), () => thing)
}

function expectAnswer(code: number, said: string): void {
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  expect([0, 2]).toContain(code)
  expect(said.length).toBeLessThan(30_000)
  expect(said).not.toMatch(/[^\P{Cc}\t\n]|\u202e/u)
  if (code === 2) expect(said.trim()).not.toBe('')
}

test('any value anywhere in a config is in order or an error', async () => {
  const { folder } = callsInTowns(CONFIG, { 'theirs.trec': 'q0 Q0 TownA0 1 1 t\n' })
  const paths = pathsOf(parse(CONFIG)).filter((path) => path.length > 0)
  const anything = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...NASTY))
  await fc.assert(
    fc.asyncProperty(anything, async ([path, thing]) => {
      writeFileSync(join(folder, 'a.yaml'), withThing(path, thing))
      const terminal = standIn({ folder })
      expectAnswer(await main(['check', 'a.yaml'], terminal), terminal.stdout() + terminal.stderr())
    }),
    { numRuns: 120, examples: [[[['trials', 1, 'bm25'], '{grid: {constructor: [1, 2]}}']]] },
  )
}, 60_000)

test('any word on the command line is in order or an error', async () => {
  const { folder } = callsInTowns('dataset: towns\ntrials: [naive]\n', {
    'theirs.trec': 'q0 Q0 TownA0 1 1 t\n',
  })
  const words = [
    '',
    ' ',
    '-',
    '--',
    '/dev/zero',
    '/dev/null',
    '.',
    '/',
    'a.yaml',
    'a.yaml/x',
    'theirs.trec',
    'towns',
    'nowhere',
  ]
  words.push(
    'constructor',
    '__proto__',
    '\u001b[31m',
    'x'.repeat(100_000),
    '*'.repeat(3000),
    '--set',
    '--json',
    '--help',
  )
  words.push(
    '--set=',
    '--set==1',
    '--set=a.__proto__.b=1',
    '--set=trials.0.constructor=[1]',
    '--set=depth=.nan',
  )
  words.push('--store=a.yaml', '--store=/dev/null', '--only=constructor', '-m=__proto__@5', '-m', 'f1@5')
  // `run-shard` is what executors call; `init` and `clean` write where they are told.
  const names = Object.keys(COMMANDS).filter((name) => !['run', 'init', 'clean', 'run-shard'].includes(name))
  const anything = fc.tuple(
    fc.constantFrom(...names, 'constructor'),
    fc.array(fc.constantFrom(...words), { maxLength: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(anything, async ([name, rest]) => {
      const terminal = standIn({ folder })
      expectAnswer(
        await main([name, ...rest], terminal),
        terminal.stderr() || terminal.stdout().slice(0, 9999),
      )
    }),
    { numRuns: 120 },
  )
}, 60_000)

describe('what is no plain file', () => {
  test('is refused before it is read: a pipe, a device, a folder, a file as a store', async () => {
    const { folder, call } = callsInTowns('dataset: towns\ntrials: [naive]\nruns: [towns]\n')
    execFileSync('mkfifo', [join(folder, 'pipe')])
    writeFileSync(join(folder, 'qrels'), 'q0 0 TownA0 1\n')
    expect((await call('check', 'a.yaml')).err).toMatch(
      /^a\.yaml:3:\d+: .*towns: is a folder, not a file \(a run\)$/m,
    )
    expect(await call('score', 'qrels', 'pipe')).toMatchObject({
      code: 2,
      err: 'pipe: is a pipe or a device, not a plain file\n',
    })
    expect((await call('score', '/dev/zero', 'pipe')).err).toContain('/dev/zero: is a pipe or a device')
    expect((await call('check', 'pipe')).code).toBe(2)
    const store = await call('prepare', 'a.yaml', '--set', 'runs=[]', '--store', 'a.yaml')
    expect(store).toMatchObject({ code: 2 })
    expect(store.err).toBe('a.yaml: is a file; name a new or empty folder with --store\n')
    for (const file of ['corpus.jsonl', 'queries.jsonl']) {
      const set = join(folder, `set-${file}`)
      mkdirSync(set)
      for (const other of ['corpus.jsonl', 'queries.jsonl'])
        if (other !== file) writeFileSync(join(set, other), readFileSync(join(folder, 'towns', other)))
      execFileSync('mkfifo', [join(set, file)])
      expect((await call('check', `set-${file}`)).err).toContain(`${file}: is a pipe or a device`)
    }
  })
})

describe('what reaches the terminal', () => {
  test('has no control characters; JSON stays JSON', () => {
    const terminal = standIn({ isTerminal: true })
    const io = openIo(terminal, false)
    const evil = 'a\u001b[2J\u0007\u009b31m\u202eb\r\nc\rd\te\u0000'
    io.out(evil)
    io.err(evil)
    io.json({ [evil]: evil })
    // CRLF is how lines of CSV end.
    const printed = (terminal.stdout() + terminal.stderr()).replaceAll('\r\n', '\n')
    expect(printed).not.toMatch(/[^\P{Cc}\t\n]|\u202e/u)
    expect(terminal.stderr()).toBe('a\\u001b[2J\\u0007\\u009b31m\\u202eb\r\nc\\u000dd\te\\u0000\n')
    expect(JSON.parse(terminal.stdout().slice(terminal.stdout().indexOf('{')))).toEqual({ [evil]: evil })
    io.progress(evil, 0, 2)
    expect(terminal.stderr()).toContain('\r\u001b[2Ka\\u001b[2J')
  })

  test('is short, whatever a message quotes', async () => {
    const { call } = callsInTowns(`dataset: towns\ntrials: [${'x'.repeat(1e6)}]\n`)
    const { code, err } = await call('check', 'a.yaml')
    expect(code).toBe(2)
    expect(err.length).toBeLessThan(1200)
    expect(err).toMatch(/^a\.yaml:2:10: there is no strategy `x+ \.\.\. .*naive/)
  })
})

describe('secrets', () => {
  const config = (value: string) => `dataset: towns\ntrials: [{run: {path: "${value}"}}]\n`

  test('is not read into a config', async () => {
    const name = 'GH_TOKEN_2'
    const { folder } = callsInTowns(config(`\${${name}}`))
    const terminal = standIn({ folder, env: { [name]: 'hunter2' } })
    expect(await main(['check', 'a.yaml'], terminal)).toBe(2)
    expect(terminal.stderr()).toContain(`\`${name}\` looks like a secret`)
    expect(terminal.stderr()).not.toContain('hunter2')
  })

  test.each([
    'https://me:hunter2@host/v1',
    'https://hunter2@host/v1',
    'https://host/v1?api_key=hunter2',
    '--to=https://host/?a=1&access_token=hunter2',
    'https://${WHO}@host',
  ])('%s is refused and not repeated', async (value) => {
    const { folder } = callsInTowns(config(value))
    const terminal = standIn({ folder, env: { WHO: 'me:hunter2' } })
    expect(await main(['check', 'a.yaml'], terminal)).toBe(2)
    expect(terminal.stderr()).toMatch(/^a\.yaml:2:\d+: the address holds a user, password or key/)
    expect(terminal.stderr()).not.toContain('hunter2')
  })

  test('an embedder may not have its key in `baseUrl`', async () => {
    const { folder } = callsInTowns(
      'dataset: towns\nprepare: {embedder: {openai-compatible: {baseUrl: "https://me:hunter2@h/v1", model: m}}}\ntrials: [naive]\n',
    )
    const terminal = standIn({ folder })
    expect(await main(['plan', 'a.yaml'], terminal)).toBe(2)
    expect(terminal.stderr()).not.toContain('hunter2')
  })
})
