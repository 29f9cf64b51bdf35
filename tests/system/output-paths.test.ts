import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { optionName } from '../../src/cli/command.ts'
import { loadCommands } from '../../src/cli/commands.ts'
import { callsIn } from '../cli/calls.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { sharedFolder } from '../temporary.ts'

interface Case {
  readonly kind: 'file' | 'folder'
  argv(out: string): string[]
  /** A second call with the same path is refused, as for formats without a mark. */
  readonly once?: true
  /** Files that make a folder somebody else's. */
  readonly foreign?: string
  /** Exit code of a call that works; 0 if not given. */
  readonly code?: number
}

const TESTS = `config: a.yaml
tests:
  - name: craft
    question: What does TownA0 live by?
    requires:
      - text: lives by weaving
`

const NOTES = `# Bees

Honey is made by the monks of Alden in the early summer of each year, and it is sold in the market of Merrow.

## How is salt made?

Merrow boils salt in iron pans along the northern shore, where peat is dug and dried through the whole of the long summer.

## Wax candles

**Beeswax** is a hard yellow substance that bees build their combs of and that burns in candles for nine hours.
`

const QUESTION = 'What does TownA0 live by?'
const RUN = ['run', 'a.yaml', '--workers', '1']
const exported = (...more: string[]): Case => ({
  kind: 'file',
  once: true,
  argv: (out) => ['export', 'experiments/a', ...more, '-o', out],
})

/** Calls for each option that takes an output path; several where formats are written separately. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'ask --log': [
    { kind: 'folder', foreign: 'evaluation.jsonl', argv: (out) => ['ask', 'a.yaml', QUESTION, '--log', out] },
    {
      kind: 'folder',
      foreign: 'retrieval_metrics.jsonl.4',
      argv: (out) => ['ask', 'a.yaml', QUESTION, '--log', out],
    },
  ],
  'ask --store': [{ kind: 'folder', argv: (out) => ['ask', 'a.yaml', QUESTION, '--store', out] }],
  'export --out': [
    exported('--trial', 'bm25', '--to', 'trec'),
    exported('--trial', 'bm25', '--to', 'parquet'),
    exported('--to', 'csv'),
    exported('--to', 'parquet'),
    exported('--to', 'recording'),
    { kind: 'file', once: true, argv: (out) => ['export', 'graph.yaml', '--to', 'graphml', '-o', out] },
    { kind: 'folder', once: true, argv: (out) => ['export', 'graph.yaml', '--to', 'graphrag', '-o', out] },
    {
      kind: 'folder',
      once: true,
      argv: (out) => ['export', 'experiments/a', '--trial', 'bm25', '--to', 'code', '-o', out],
    },
  ],
  'gate --junit': [
    { kind: 'file', argv: (out) => ['gate', 'experiments/a', '--baseline', 'experiments/a', '--junit', out] },
  ],
  'gate --markdown': [
    {
      kind: 'file',
      argv: (out) => ['gate', 'experiments/a', '--baseline', 'experiments/a', '--markdown', out],
    },
  ],
  'import --out': [{ kind: 'folder', once: true, argv: (out) => ['import', 'towns', '-o', out] }],
  'init DIR': [
    { kind: 'folder', once: true, foreign: 'touchstone.yaml', argv: (out) => ['init', out] },
    { kind: 'folder', once: true, foreign: 'dataset/corpus.jsonl', argv: (out) => ['init', out] },
  ],
  'inspect --store': [{ kind: 'folder', argv: (out) => ['inspect', 'graph.yaml', '--store', out] }],
  'labels --out': [
    { kind: 'file', once: true, argv: (out) => ['labels', 'export', 'labels', '--to', 'csv', '-o', out] },
  ],
  'plan --store': [
    {
      kind: 'folder',
      argv: (out) => [
        'plan',
        'a.yaml',
        '--set',
        'trials=[naive]',
        '--set',
        'prepare.embedder=lsa',
        '--store',
        out,
      ],
    },
  ],
  'prepare --store': [{ kind: 'folder', argv: (out) => ['prepare', 'a.yaml', '--store', out] }],
  'questions --out': [
    { kind: 'file', once: true, argv: (out) => ['questions', 'draft', 'notes', '--no-arms', '-o', out] },
  ],
  'recommend --out': [{ kind: 'file', argv: (out) => ['recommend', 'experiments/a', '-o', out] }],
  'report --out': [{ kind: 'file', argv: (out) => ['report', 'experiments/a', '-o', out] }],
  'run --out': [{ kind: 'folder', argv: (out) => [...RUN, '-o', out] }],
  'run --report': [{ kind: 'file', argv: (out) => [...RUN, '--report', out] }],
  'run --store': [{ kind: 'folder', argv: (out) => [...RUN, '-o', 'other', '--store', out] }],
  'test --store': [{ kind: 'folder', argv: (out) => ['test', 'tests.yaml', '--store', out] }],
  'gate --write': [{ kind: 'file', argv: (out) => ['gate', 'experiments/a', '--write', out] }],
}

/** Arguments and options that name a path and only read it. */
const READS = [
  'compare PATH',
  'export PATH',
  'gate --baseline',
  'gate --expected',
  'import PATH',
  'init --from',
]

const base = sharedFolder()
beforeAll(async () => {
  writeFileSync(
    join(base, 'a.yaml'),
    'dataset: towns\ntrials: [bm25]\nmeasures: [recall@5]\ncompare: {draws: 200}\n',
  )
  writeFileSync(join(base, 'tests.yaml'), TESTS)
  writeFileSync(
    join(base, 'graph.yaml'),
    'dataset: towns\nprepare: {graph: titles}\ntrials: [bm25]\nmeasures: [recall@5]\n',
  )
  writeFileSync(join(base, 'notes.yaml'), 'dataset: {folder: notes}\ntrials: [bm25]\nmeasures: [recall@5]\n')
  mkdirSync(join(base, 'notes'))
  writeFileSync(join(base, 'notes', 'bees.md'), NOTES)
  writeTowns(join(base, 'towns'), { towns: 16 })
  const { call } = callsIn(base)
  expect((await call(...RUN)).err).toBe('')
  expect(await call('labels', 'pool', 'labels', 'experiments/a')).toMatchObject({ code: 0 })
  const [, query] = readFileSync(join(base, 'labels', 'pool.jsonl'), 'utf8').split('\n')
  const { id, passages } = JSON.parse(query)
  writeFileSync(join(base, 'ada.csv'), `query,passage,grade,labeller\n${id},${passages[0].id},1,ada\n`)
  expect(await call('labels', 'import', 'labels', 'ada.csv')).toMatchObject({ code: 0 })
}, 60_000)

/** Every file and link below a folder, with the hash of its content. */
function listing(folder: string, below = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, below)).map((name) => {
      const path = join(below, name)
      const stats = lstatSync(join(folder, path))
      if (stats.isSymbolicLink()) return { [path]: `link to ${readlinkSync(join(folder, path))}` }
      if (stats.isDirectory()) return listing(folder, path)
      return {
        [path]: createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      }
    }),
  )
}

test('every option that names a path says if it is written, and every output is tried here', async () => {
  const [outputs, reads]: string[][] = [[], []]
  for (const { name, args, options } of await loadCommands()) {
    for (const { value, output } of Object.values(args)) {
      if (output) outputs.push(`${name} ${value}`)
      else if (/FILE|DIR|FOLDER|PATH/.test(value)) reads.push(`${name} ${value}`)
    }
    for (const [key, option] of Object.entries(options)) {
      const own = `${name} ${optionName(key)}`
      if (option.kind === 'text' && option.output) outputs.push(own)
      else if (option.value && /FILE|DIR|FOLDER|PATH/.test(option.value)) reads.push(own)
    }
  }
  const folders = ['report EXPERIMENT', 'view FOLDER']
  expect(outputs.sort()).toEqual(Object.keys(CASES).sort())
  expect(reads.filter((path) => !folders.includes(path)).sort()).toEqual([...READS].sort())
})

describe('what is not ours stays as it is', () => {
  const all = Object.entries(CASES).flatMap(([name, cases]) =>
    cases.map((testCase) => ({ name: `${name}: ${testCase.argv('OUT').join(' ')}`, ...testCase })),
  )

  test.each(all)('$name', async ({ kind, argv, once, foreign = 'precious.txt', code = 0 }) => {
    const { call } = callsIn(base)
    const place = join(base, 'place')
    const make = (files: Record<string, string>) => {
      rmSync(place, { recursive: true, force: true })
      rmSync(join(base, 'other'), { recursive: true, force: true })
      mkdirSync(place)
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(place, path, '..'), { recursive: true })
        writeFileSync(join(place, path), text)
      }
    }
    const refused = async (out: string) => {
      const before = listing(base)
      const { code: exit, err } = await call(...argv(out))
      expect({ exit, err }, out).toEqual({ exit: 2, err: expect.stringMatching(/place/) })
      expect(err).not.toMatch(/\n\s+at /)
      expect(listing(base)).toEqual(before)
    }
    make({
      'precious.txt': 'the only copy',
      'folder/keep.txt': 'mine',
      [`theirs/${foreign}`]: '{"mine": 1}\n',
    })
    symlinkSync('precious.txt', join(place, 'link'))
    symlinkSync('nowhere', join(place, 'dangling'))
    await refused('place/precious.txt')
    await refused('place/link')
    await refused('place/dangling')
    await refused('place/precious.txt/below')
    // No folder can be created there, and the attempt never ended. What was prepared before is kept.
    if (process.platform === 'linux')
      expect(await call(...argv('/proc/place/below'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/place.*no folder can be created/),
      })
    if (kind === 'folder') await refused('place/theirs')
    else if (!/report/.test(argv('').join(' '))) await refused('place/folder')

    make({})
    const out = kind === 'file' ? 'place/new/one' : 'place/new'
    const first = await call(...argv(out))
    expect({ exit: first.code, err: first.err }).toMatchObject({ exit: code })
    expect(existsSync(join(base, out))).toBe(true)
    if (once) return refused(out)
    expect((await call(...argv(out))).code).toBe(code)
    expect(Object.keys(listing(place)).filter((file) => file.endsWith('.tmp'))).toEqual([])
  })
})

test('two outputs need two files, and nothing is written before both are free', async () => {
  const { call } = callsIn(base)
  const gate = (...more: string[]) => call('gate', 'experiments/a', '--baseline', 'experiments/a', ...more)
  expect(await gate('--junit', 'twice', '--markdown', 'twice')).toMatchObject({
    code: 2,
    err: 'twice: is named for two outputs; name two files\n',
  })
  expect((await gate('--junit', 'fresh.xml', '--markdown', 'a.yaml')).code).toBe(2)
  expect(existsSync(join(base, 'fresh.xml'))).toBe(false)
})
