import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { standIn } from './stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'commands-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
  return name
}
async function call(...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  const plain = (text: string) => text.replaceAll(`${folder}/`, '')
  return { code, out: plain(terminal.stdout()), err: plain(terminal.stderr()) }
}
const text = (name: string) => readFileSync(join(folder, name), 'utf8')

beforeAll(async () => {
  writeTowns(join(folder, 'towns'), { towns: 8 })
  file(
    'a.yaml',
    'dataset: towns\ntrials: [bm25, naive]\nmeasures: [recall@5, mrr@5]\ncompare: {draws: 200}\n',
  )
  file(
    'b.yaml',
    'dataset: towns\ntrials: [{bm25: {stemmer: none}}, naive, {hybrid: {fusion: rrf}}]\ncompare: {draws: 200}\n',
  )
  file('run.trec', 'q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n')
  file('gold.qrels', 'q1 0 a 1\nq2 0 b 1\n')
  file('some.json', '{"q1": {"a": 1}}')
  for (const name of ['a', 'b'])
    expect((await call('run', `${name}.yaml`, '--workers', '1', '--report', `${name}.html`)).code).toBe(0)
})

const [A, B] = ['experiments/a', 'experiments/b']

describe('a command line that asks for nothing possible', () => {
  test.each<[string[], string | RegExp]>([
    [['diff', A, B, '-t', 'bm25', '-t', 'naive', '-t', 'x'], '--trial: give it once or twice'],
    [['diff', A], 'name a second experiment, or two rows of this one: --trial NAME --trial NAME'],
    [
      ['diff', A, '-t', 'bm25'],
      'name a second experiment, or two rows of this one: --trial NAME --trial NAME',
    ],
    [['diff', A, '-t', 'bm25', '-t', 'bm25'], '--trial: `bm25` twice; name two rows'],
    [['check', 'towns', '--models'], '--models asks the models of a config, and this is a dataset'],
    [['check', 'towns', '--set', 'a=1'], '--set overrides keys of a config, and this is a dataset'],
    [
      ['check', A],
      "experiments/a: is an experiment's folder; `touchstone leaderboard experiments/a` shows what is in it",
    ],
    [['export', 'run.trec'], 'name the file to write: -o FILE'],
    [['export', 'none.trec', '-o', 'x.csv'], /^none\.trec: is not there$/],
    [
      ['export', 'run.trec', '--trial', 'bm25', '-o', 'x.csv'],
      'run.trec: is not an experiment folder; --trial names a trial of one',
    ],
    [
      ['export', 'run.trec', '-o', 'x.what'],
      'what format is `x.what`? Say --to parquet, --to ranx, --to beir, --to csv, --to trec',
    ],
    [
      ['export', 'some.json', '-o', 'x.csv'],
      'some.json: may be a run or qrels; say which with --kind run or --kind qrels',
    ],
    [['export', 'a.yaml', '-o', 'x'], /^what of a\.yaml is exported\? Its graph: --to [a-z-]+, --to /],
    [
      ['export', 'a.yaml', '--to', 'graphml', '-o', 'x.graphml'],
      /a\.yaml: makes no graph: it has no `prepare\.graph`$/,
    ],
    [['export', A, '--kind', 'run', '-o', 'x.csv'], 'experiments/a: holds several trials; say --trial NAME'],
    [
      ['export', A, '--trial', 'bm25', '--kind', 'qrels', '-o', 'x.csv'],
      'qrels belong to the whole experiment: leave out --trial or --kind qrels',
    ],
    [
      ['export', A, '--to', 'code', '-o', 'x'],
      'name the trial that the program retrieves with: --trial NAME (`touchstone recommend` names one)',
    ],
    [
      ['export', A, '--to', 'code', '--trial', 'bm', '-o', 'x'],
      /^experiments\/a: has no trial `bm`.*; there are bm25, naive$/,
    ],
    [['export', 'towns', '--to', 'hotpotqa', '-o', 'x.txt'], /hotpotqa/],
    [['import', 'towns'], 'name the folder to write: -o DIR'],
    [['import', 'towns', '-o', 'towns'], 'towns: is there and not empty; name a new folder'],
    [['run', 'a.yaml', '--shards', '0/2'], '--shards must be I/N with I from 1 to N, as 3/8, not 0/2'],
    [['run', 'a.yaml', '--shards', '3/2'], '--shards must be I/N with I from 1 to N, as 3/8, not 3/2'],
    [['run', 'a.yaml', '--shards', '1/2', '--collect'], '--shards and --collect exclude each other'],
    [['leaderboard', A, '--csv', '--latex'], /^choose one format: --csv or --latex$/],
    [['recording', 'stats', '.touchstone', '-o', 'x'], '--out goes with `export`, not with `stats`'],
    [['recording', 'verify', '.touchstone', '--keep', A], '--keep goes with `prune`, not with `verify`'],
    [['recording', 'verify', '.touchstone', '--failed'], '--failed goes with `prune`, not with `verify`'],
    [
      ['recording', 'export', '.touchstone', '-o', 'x', '--dry-run'],
      '--dry-run goes with `prune`, not with `export`',
    ],
    [['recording', 'export', '.touchstone'], 'export needs --out FILE'],
    [['recording', 'stats', 'none'], 'none: there is no such file or folder'],
    [
      ['recording', 'prune', '.touchstone'],
      'say which experiments to keep (--keep EXPERIMENT), or what to remove (--model NAME, --failed)',
    ],
    [['labels', 'pool', 'labels'], 'labels pool: name an experiment behind the folder'],
    [['labels', 'review', 'labels'], 'labels review: name a config or dataset behind the folder'],
    [['labels', 'import', 'labels'], 'labels import: name a file behind the folder'],
    [['labels', 'judge', 'labels', 'a.yaml'], 'labels judge: name one --model'],
    [
      ['labels', 'judge', 'labels', 'a.yaml', '--model', 'a', '--model', 'b'],
      'labels judge: name one --model',
    ],
    [['questions', 'draft', 'towns', '--persona', 'x'], '--persona goes with --model'],
    [
      ['questions', 'draft', 'towns', '--kinds', 'headin, table,x'],
      /^--kinds: there is no kind `headin`.*; there are .*\n--kinds: there is no kind `x`; there are /,
    ],
    [
      ['questions', 'draft', 'towns', '--model', 'm'],
      '--model names a model of a config: name the config in place of the dataset',
    ],
    [['gate', A], 'name the experiment to compare with: --baseline FOLDER'],
    [['gate', A, '--baseline', B, '--measure', 'recall@9'], /recall@9/],
    [
      ['inspect', '--cache', 'gold.qrels'],
      'gold.qrels:1: is no JSON object on a line of its own\ngold.qrels:2: is no JSON object on a line of its own',
    ],
    [['nonsense'], /^there is no command `nonsense`.*; see `touchstone --help`$/],
    [['gat'], 'there is no command `gat` (did you mean "gate"?); see `touchstone --help`'],
    [['diff', A, B, '--limit', 'x'], /It is not a whole number\.\nsee `touchstone diff --help`$/],
    [['diff', A, B, '--limit', '-1'], /The smallest is 0\.\nsee `touchstone diff --help`$/],
    [['run', '--workers', '257'], /The largest is 256\.\nsee `touchstone run --help`$/],
    [['gate', A, '--max-drop', 'x'], /It is not a number\.\nsee `touchstone gate --help`$/],
  ])('touchstone %j', async (argv, message) => {
    const { code, out, err } = await call(...argv)
    const said = err.trimEnd()
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
    expect([code, out]).toEqual([2, ''])
    expect(['x', 'x.csv', 'x.txt', 'x.yaml'].filter((name) => existsSync(join(folder, name)))).toEqual([])
  })
})

describe('export', () => {
  test('writes a run or qrels in the format of the name, and says how many queries', async () => {
    expect(await call('export', 'run.trec', '-o', 'out/run.csv')).toEqual({
      code: 0,
      out: 'out/run.csv: rankings of 1 queries\n',
      err: '',
    })
    expect(text('out/run.csv')).toBe('query_id,document_id,score,run\nq1,a,2,t\nq1,b,1,t\n')
    expect((await call('export', 'gold.qrels', '-o', 'out/gold.TSV.gz', '--to', 'beir')).out).toBe(
      'out/gold.TSV.gz: qrels of 2 queries\n',
    )
    const { out } = await call('export', 'some.json', '--kind', 'run', '-o', 'out/some.trec', '--json')
    expect(JSON.parse(out)).toEqual({
      from: join('some.json'),
      to: 'out/some.trec',
      format: 'trec',
      kind: 'run',
      queries: 1,
    })
    expect(text('out/some.trec')).toBe('q1 Q0 a 1 1 some\n')
    file('cols.csv', 'qid,a,b,grade\nq,x,y,1\n')
    expect(
      (
        await call(
          'export',
          'cols.csv',
          '-o',
          'out/cols.qrels',
          '--to',
          'trec',
          '--qrels-columns',
          'document=b',
        )
      ).code,
    ).toBe(0)
    expect(text('out/cols.qrels')).toBe('q 0 y 1\n')
    expect((await call('export', 'run.trec', '-o', 'out/run.csv')).err).toBe(
      'out/run.csv: is there already; delete it, or name another file\n',
    )
  })

  test('writes the rankings of a trial and the qrels of an experiment', async () => {
    expect((await call('export', A, '--trial', 'bm25', '-o', 'out/bm25.trec')).out).toMatch(
      /^out\/bm25\.trec: stored rankings of \d+ queries; measures to @\d+ are those of the leaderboard\n$/,
    )
    expect(text('out/bm25.trec').split('\n')[0]).toMatch(/^\S+ Q0 \S+ 1 \S+ bm25$/)
    expect((await call('export', A, '-o', 'out/a.qrels', '--to', 'trec')).out).toMatch(
      /^out\/a\.qrels: qrels of \d+ queries\n$/,
    )
    const run = JSON.parse((await call('export', A, '--trial', 'naive', '-o', 'out/naive.csv', '--json')).out)
    expect(run).toMatchObject({ to: 'out/naive.csv', format: 'csv', kind: 'run', trial: 'naive' })
    expect(JSON.parse((await call('export', A, '-o', 'out/b.csv', '--json')).out)).toEqual({
      from: A,
      to: 'out/b.csv',
      format: 'csv',
      kind: 'qrels',
      queries: run.queries,
    })
    expect((await call('score', 'out/a.qrels', 'out/bm25.trec', '-m', 'num_q')).out).toBe(
      `num_q                 \tall\t${run.queries}\n`,
    )
  })

  test('writes a program around a trial, and a Kubernetes job', async () => {
    expect((await call('export', A, '--trial', 'bm25', '--to', 'code', '-o', 'out/program')).out).toBe(
      'out/program: config.yaml, retriever.mts, retriever.test.mts, for bm25; test it with `npx tsx --test out/program/retriever.test.mts`\n',
    )
    expect(readdirSync(join(folder, 'out/program')).sort()).toEqual([
      'config.yaml',
      'retriever.mts',
      'retriever.test.mts',
    ])
    const written = text('out/program/retriever.test.mts')
    const expected = JSON.parse(/= (\[[\s\S]*?\n\])\n/.exec(written)?.[1] ?? '[]')
    expect(expected.map(({ chunks }: { chunks: string[] }) => chunks.length)).toEqual([5, 5, 5])
    const ranking = text('out/bm25.trec')
      .split('\n')
      .slice(0, 5)
      .map((line) => line.split(' ')[2])
    expect(expected[0].chunks).toEqual(ranking)
  })
})

describe('results', () => {
  test('a leaderboard has a form for each use', async () => {
    const { out } = await call('leaderboard', A)
    expect(out).toMatch(/recall@5[\s\S]*bm25[\s\S]*naive/)
    const [csv, latex, markdown, json] = await Promise.all(
      ['--csv', '--latex', '--markdown', '--json'].map((form) => call('leaderboard', A, form)),
    )
    expect([csv.out.split(',')[0], latex.out.includes('\\toprule'), markdown.out.includes('| --')]).toEqual([
      expect.any(String),
      true,
      true,
    ])
    expect(JSON.parse(json.out)).toBeTypeOf('object')
  })

  test('a gate compares the rows of both, and says which are in one alone', async () => {
    const { code, out } = await call(
      'gate',
      B,
      '--baseline',
      A,
      '--markdown',
      'out/gate.md',
      '--junit',
      'out/gate.xml',
    )
    expect(code).toBe(0)
    expect(out).toMatch(/naive/)
    expect(out).toMatch(/\nNot compared, the baseline lacks them: `[^`]+`(?:, `[^`]+`)*\.\n/)
    expect(text('out/gate.xml')).toMatch(/^<\?xml[\s\S]*<testcase/)
    const result = JSON.parse((await call('gate', A, '--baseline', A, '--json')).out)
    expect(result.notes).toContain('p is corrected by Bonferroni over 2 rows.')
    expect(
      result.rows.map(({ name, drop, failed }: { name: string; drop: number; failed: boolean }) => [
        name,
        drop,
        failed,
      ]),
    ).toEqual([
      ['bm25', 0, false],
      ['naive', 0, false],
    ])
  })

  test('a diff of two rows of one experiment names both', async () => {
    const { code, out } = await call('diff', A, '-t', 'bm25', '-t', 'naive', '--limit', '1')
    expect(code).toBe(0)
    expect(out).toMatch(/bm25/)
    expect(out).toMatch(/naive/)
    const found = JSON.parse((await call('diff', A, B, '-t', 'naive', '--json')).out)
    expect([found.before.folder, found.now.folder]).toEqual([A, B])
  })

  test('completions of a store without any are none', async () => {
    expect((await call('recording', 'stats', '.touchstone')).out).toBe('no completions\n')
    expect((await call('recording', 'verify', '.touchstone')).out).toBe(
      '0 completions, all as they were written\n',
    )
    expect((await call('recording', 'prune', '.touchstone', '--failed', '--dry-run')).out).toBe(
      '0 completions and 0 altered files would be removed\n',
    )
    expect(JSON.parse((await call('recording', 'prune', '.touchstone', '--keep', A, '--json')).out)).toEqual({
      removed: 0,
      altered: 0,
      dryRun: false,
    })
  })

  test('keywords of headings are printed in order', async () => {
    const towns = [...'ABCDEFGH'].map((letter, index) => `Town${letter}${index}`)
    expect((await call('inspect', 'a.yaml', '--keywords')).out).toBe(`${towns.join('\n')}\n`)
    expect(JSON.parse((await call('inspect', 'a.yaml', '--keywords', '--json')).out)).toEqual(towns)
  })
})

test('a log of questions shows what a cache would have found', async () => {
  const at = (second: number) => new Date(1e12 + 1000 * second).toISOString()
  const line = (query: string, second: number, more = {}) =>
    `${JSON.stringify({ query, timestamp: at(second), ...more })}\n`
  file(
    'log.jsonl',
    line('a', 0) +
      line('a', 1) +
      line('b', 2) +
      line('c', 3) +
      line('a', 4) +
      line('c', 30) +
      line('c', 31, { trial: 't' }),
  )
  expect((await call('inspect', '--cache', 'log.jsonl', '--size', '2', '--ttl', '10')).out).toBe(
    [
      'questions             7  100.0 %',
      'found in the cache    1   14.3 %',
      'asked the first time  4   57.1 %',
      'asked again: too old  1   14.3 %',
      'asked again: put out  1   14.3 %',
      '',
    ].join('\n'),
  )
  file('empty.jsonl', '\n')
  expect((await call('inspect', '--cache', 'empty.jsonl')).out).toBe('the log holds no question\n')
  file(
    'bad.jsonl',
    `${line('a', 5)}${line('b', 4)}{"query": "a", "timestamp": "soon"}\n{"query": 5, "timestamp": "${at(9)}"}\n`,
  )
  expect((await call('inspect', '--cache', 'bad.jsonl')).err.split('\n')).toEqual([
    'bad.jsonl:2: is earlier than the line before; sort the log by time',
    expect.stringMatching(/^bad\.jsonl:3: .*is not a time such as 2026-11-23T18:00:00Z/),
    expect.stringMatching(/^bad\.jsonl:4: `query` must be text, not 5/),
    '',
  ])
  // 1 February or 2 January; a day without a time.
  const days = ['01.02.2024 10:00', '2/1/2024 10:00', '2024-01-02']
  file('days.jsonl', days.map((time) => `{"query": "a", "timestamp": "${time}"}\n`).join(''))
  expect(
    (await call('inspect', '--cache', 'days.jsonl')).err.match(
      /days\.jsonl:\d: `timestamp` is not a time such as/g,
    ),
  ).toHaveLength(3)
})

test('a dataset is imported as a BEIR folder, and read back', async () => {
  file(
    'squad.json',
    JSON.stringify({
      data: [
        {
          title: 'T',
          paragraphs: [
            {
              context: 'Orr lies there.',
              qas: [{ id: '1', question: 'Who?', answers: [{ text: 'Orr', answer_start: 0 }] }],
            },
          ],
        },
      ],
    }),
  )
  const { code, out, err } = await call('import', 'squad.json', '-o', 'out/squad')
  expect([code, out]).toEqual([0, 'out/squad: 1 documents, 1 queries, read back equal\n'])
  expect(err).toMatch(/^read as SQuAD: /m)
  const again = await call('import', 'out/squad', '-o', 'out/again', '--json')
  expect(again.err).toMatch(/^read as beir\n/)
  expect(JSON.parse(again.out)).toMatchObject({ from: 'beir', to: 'out/again', documents: 1, queries: 1 })
  expect((await call('export', 'out/squad', '--to', 'hotpotqa', '-o', 'out/h.txt')).err).toMatch(
    /hotpotqa cannot hold this data set|is one JSON array/,
  )
})

test('help names every command by group, and each command shows its options and examples', async () => {
  const { code, out } = await call('--help')
  expect(code).toBe(0)
  expect(out).toContain('evaluates retrieval strategies for RAG')
  for (const word of [
    'Read results',
    'Compare and check',
    'Files and stores',
    'leaderboard',
    'Start with `touchstone init`',
  ])
    expect(out).toContain(word)
  const one = await call('gate', '--help')
  expect([one.code, one.err]).toEqual([0, ''])
  expect(one.out).toMatch(
    /--max-drop[\s\S]*--junit <?FILE>?[\s\S]*touchstone gate experiments\/new --baseline experiments\/main/,
  )
  expect((await call('help', 'gate')).out).toBe(one.out)
  expect((await call('--version')).out).toMatch(/^\d+\.\d+\.\d+/)
})
