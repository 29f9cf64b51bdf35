import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { readResults } from '../../src/results/read.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

function setUp(config: string) {
  const folder = temporaryFolder({ 'a.yaml': config })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const at = (path: string) => join(folder, path)
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  return { at, call }
}

test('a finished result and its report are left as they stand; a changed report is written again', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  await call('run', 'a.yaml', '--workers', '1')
  const html = readFileSync(at('reports/a.html'), 'utf8')
  utimesSync(at('reports/a.html'), 1, 1)
  const again = await call('run', 'a.yaml', '--workers', '1')
  expect(again.out).toMatch(/^the result is complete and unchanged; nothing was computed\n/)
  expect(again.out).toContain('report: reports/a.html, unchanged')
  expect(statSync(at('reports/a.html')).mtimeMs).toBe(1000)
  writeFileSync(at('reports/a.html'), html.slice(0, 1000))
  expect((await call('run', 'a.yaml', '--workers', '1')).out).toMatch(/^report: reports\/a\.html$/m)
  expect(readFileSync(at('reports/a.html'), 'utf8')).toBe(html)
})

test('-o is where a command writes; a report goes into a folder under its own name', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  mkdirSync(at('somewhere'))
  const ran = await call('run', 'a.yaml', '--workers', '1', '-o', 'results/mine', '--report', 'somewhere')
  expect(ran.out).toContain('report: somewhere/a.html')
  expect(existsSync(at('results/mine/summary.json'))).toBe(true)
  expect((await call('report', 'results/mine', '-o', 'somewhere')).out).toBe('somewhere/mine.html\n')
  expect((await call('report', 'results/mine', '-o', 'new/')).out).toBe('new/mine.html\n')
  expect((await call('report', 'results/mine', '-o', 'one.html')).out).toBe('one.html\n')
})

test('`check` of a folder that is no dataset says what it is', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  await call('run', 'a.yaml', '--workers', '1')
  mkdirSync(at('empty'))
  expect((await call('check', 'empty')).err).toBe('empty: is an empty folder\n')
  expect((await call('check', 'experiments/a')).err).toMatch(/^experiments\/a: is an experiment's folder; /)
  mkdirSync(at('configs'))
  writeFileSync(at('configs/b.yaml'), '')
  expect((await call('check', 'configs')).err).toBe(
    'configs: holds configs and no dataset; check one of them: configs/b.yaml\n',
  )
  expect((await call('check', 'towns')).code).toBe(0)
  writeFileSync(at('towns/queries.jsonl'), '{"_id": "q0", "text": 5}\n')
  expect((await call('check', 'towns')).err).toMatch(/^towns\/queries\.jsonl:1: "text" must be a string/)
})

test('equal trials are told of by `plan` and `run`', async () => {
  const { call } = setUp(
    'dataset: towns\ntrials: [{hybrid: {grid: {fusion: [weighted], rrfK: [20, 60]}}}, naive]\ncompare: {draws: 200}\n',
  )
  const { out } = await call('plan', 'a.yaml')
  expect(out).toContain('3 trials are named, 1 of them equal to another:\n  hybrid = hybrid rrfK=60\n')
  expect((await call('run', 'a.yaml', '--workers', '1')).err).toContain(
    '3 trials, 1 of them equal to another: 2 are computed',
  )
})

test('more folds than judged queries are an error', async () => {
  const { call } = setUp('dataset: towns\ntrials: [{bm25: {grid: {b: [0, 1]}}}]\nfolds: 13\n')
  for (const command of ['check', 'plan', 'run'])
    expect(await call(command, 'a.yaml')).toMatchObject({
      code: 2,
      err: 'a.yaml: folds: 13 are more than the 12 judged queries of towns; take fewer folds\n',
    })
  expect((await call('check', 'a.yaml', '--set', 'folds=12')).code).toBe(0)
})

test('help names a default once, and none where there is none', async () => {
  const { call } = setUp('')
  for (const command of ['score', 'run', 'clean']) {
    const { out } = await call(command, '--help')
    expect(out).not.toMatch(/\(default: [^)]*\)\s*\(default/)
    expect(out).not.toMatch(/default:\s+none|default:\s+\[\]/)
  }
})

test('a limit of trials and random points of grids in turn', async () => {
  const grid = 'grid: [{fusion: [rrf], rrfK: [20, 60, 90]}, {fusion: [weighted], alpha: [0.3, 0.5, 0.7]}]'
  const { call } = setUp(
    `dataset: towns\ntrials: [{hybrid: {${grid}, random: {samples: 4, seed: 3}}}]\ncompare: {draws: 200}\n`,
  )
  expect((await call('check', 'a.yaml')).out).toContain('4 trials')
  // A param of one grid is not among the other's.
  const { trials } = JSON.parse((await call('run', 'a.yaml', '--workers', '1', '--json')).out).summary
  expect(trials).toHaveLength(4)
  for (const { varied } of trials)
    expect(Object.keys(varied).sort()).toEqual(
      varied.fusion === 'rrf' ? ['fusion', 'rrfK'] : ['alpha', 'fusion'],
    )
})

test('the report shows the path of headings above a chunk', async () => {
  const { at, call } = setUp('dataset: book\nprepare: {chunk: headings}\ntrials: [bm25]\n')
  const text = '# Sea\n\nWater.\n\n## Harbour\n\nShips.\n\n### Crew\n\nThe bosun whistles.\n'
  const file = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  file('book/corpus.jsonl', `${JSON.stringify({ _id: 'sea', text })}\n`)
  file('book/queries.jsonl', '{"_id": "q", "text": "Who whistles?"}\n')
  file('book/qrels/test.tsv', 'q\tsea\t1\n')
  expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
  const { texts } = await readResults(at('experiments/a'))
  expect(texts.title).toContain('Sea > Harbour > Crew')
})

test('what touchstone did not write is never taken or overwritten', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  const text = (path: string) => readFileSync(at(path), 'utf8')
  const whole = text('towns/corpus.jsonl')
  const refused = async (message: RegExp, ...argv: string[]) => {
    const { code, err } = await call(...argv)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) })
  }
  writeFileSync(at('notes.html'), '<!doctype html><title>mine</title>')
  mkdirSync(at('mine'))
  writeFileSync(at('mine/plan.json'), '{"holiday": "by the sea"}')
  mkdirSync(at('locked'))
  writeFileSync(at('locked/lock'), 'of a canal')
  const run = ['run', 'a.yaml', '--workers', '1']
  for (const folder of ['towns', 'mine', 'locked', '.'])
    await refused(
      /is not an experiment folder and contains .*; name a new folder with --out/,
      ...run,
      '-o',
      folder,
    )
  await refused(/is not a folder; name a new folder/, ...run, '-o', 'a.yaml')
  for (const file of ['towns/corpus.jsonl', 'notes.html', 'a.yaml'])
    await refused(/exists and is not a report/, ...run, '--report', file)
  // Before anything was prepared.
  expect(existsSync(at('.touchstone'))).toBe(false)

  await call(...run)
  await refused(/exists and is not a report/, 'report', 'experiments/a', '-o', 'towns/corpus.jsonl')
  for (const file of ['towns/corpus.jsonl', 'a.yaml', 'towns'])
    await refused(
      /is there already; delete it, or name another file/,
      'export',
      'experiments/a',
      '--trial',
      'bm25',
      '--to',
      'trec',
      '-o',
      file,
    )
  await refused(/is a file; name a new folder/, 'import', 'towns', '-o', 'a.yaml')
  expect(text('towns/corpus.jsonl')).toBe(whole)
  expect(text('a.yaml')).toBe('dataset: towns\ntrials: [bm25]\n')
  expect(text('notes.html')).toContain('mine')
  expect(text('locked/lock')).toBe('of a canal')
  // Its own it writes again.
  expect((await call('report', 'experiments/a', '-o', 'reports/a.html')).code).toBe(0)
})

test('a folder that holds what the next experiment reads is not set aside, and nothing set aside is lost', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  const run = (trials: string, ...more: string[]) =>
    call('run', 'a.yaml', '--workers', '1', '-o', 'out', '--set', `trials=${trials}`, ...more)
  await run('[bm25]')
  const { code, err } = await run('[naive]', '--store', 'out/store')
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^out: holds another experiment and .*store, which this one reads; name another/,
    ),
  })
  // A folder of the user's that has the name already.
  const { hash } = JSON.parse(readFileSync(at('out/plan.json'), 'utf8'))
  mkdirSync(at(`out.${hash.slice(0, 8)}`))
  writeFileSync(at(`out.${hash.slice(0, 8)}/dear.txt`), 'dear')
  expect((await run('[naive]')).err).toContain('moved to out.old-1')
  expect(existsSync(at('out.old-1/summary.json'))).toBe(true)
  expect(readFileSync(at(`out.${hash.slice(0, 8)}/dear.txt`), 'utf8')).toBe('dear')
})

test('export takes every name that the leaderboard shows: whole, brief, and of a tuned strategy', async () => {
  const config = `dataset: towns
trials:
  - bm25
  - hybrid: { grid: { alpha: [0, 0.5, 1] } }
folds: 3
`
  const { at, call } = setUp(config)
  const text = (path: string) => readFileSync(at(path), 'utf8')
  expect((await call('run', 'a.yaml', '--workers', '1')).err).toBe('')
  const summary = JSON.parse(text('experiments/a/summary.json'))
  const read = async (name: string, file: string) => {
    const { code, err } = await call('export', 'experiments/a', '--trial', name, '-o', file)
    return code === 0 ? text(file).replaceAll(/ \S+$/gm, '') : err
  }
  const whole = await Promise.all(
    [0, 0.5, 1].map((alpha) => read(`hybrid alpha=${alpha}`, `whole-${alpha}.trec`)),
  )
  expect(await read('hybrid 0.5', 'brief.trec')).toBe(whole[1])
  // Each query's lines are those of the trial that was chosen on the other folds.
  const tuned = (await read('hybrid', 'tuned.trec')).trim().split('\n')
  expect(tuned.length).toBeGreaterThan(10)
  for (const line of tuned) expect(whole.some((one) => one.includes(line))).toBe(true)
  const scored = await call('export', 'experiments/a', '--to', 'trec', '-o', 'gold.qrels').then(() =>
    call('score', 'gold.qrels', 'tuned.trec', '-m', 'recall@5', '--json'),
  )
  const row = summary.tuned.find(({ name }: { name: string }) => name === 'hybrid')
  expect(JSON.parse(scored.out).runs[0].measures['recall@5']).toBeCloseTo(row.measures['recall@5'].mean, 12)
  expect(await read('hybird', 'none.trec')).toContain('there is no trial `hybird` (did you mean "hybrid"?)')
})

test('changed prices are no finished result of the old ones', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\nprices: { model: mine, input: 1, output: 2 }\n')
  const run = async (...more: string[]) => {
    expect((await call('run', 'a.yaml', '--workers', '1', '-o', 'out', ...more)).code).toBe(0)
    return JSON.parse(readFileSync(at('out/summary.json'), 'utf8')).pricing
  }
  const dear = await run()
  expect(await run('--set', 'prices.input=3')).not.toEqual(dear)
  expect(await run()).toEqual(dear)
})
