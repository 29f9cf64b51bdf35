import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest, readSummary } from '../../src/results/read.ts'
import { sealed } from '../../src/store/hash.ts'
import { fakeServer } from '../models/fake-server.ts'
import { callsInTowns } from './calls.ts'

const TOWNS = ['Lomm', 'Tarn', 'Vell', 'Orsk', 'Brin', 'Dask']
const DOCS = Object.fromEntries(
  TOWNS.map((town, at) => [
    `docs/${town.toLowerCase()}.md`,
    `# ${town}\n\nThe harbour of ${town} silts up in spring and is dredged by ${at + 2} barges.\n\n## Fees\n\nA ship pays ${at + 1} silver pieces in ${town} for a berth at the northern quay.\n`,
  ]),
)
const QUESTIONS = TOWNS.map((town) => ({
  _id: `q-${town.toLowerCase()}`,
  text: `What does a ship pay in ${town}?`,
  metadata: { synthetic: 'touchstone questions draft: fact' },
  gold: [{ file: `${town.toLowerCase()}.md`, quote: `silver pieces in ${town}` }],
}))
const CONFIG = `dataset: {folder: {path: docs, questions: drafted.jsonl}}
prepare: {chunk: {headings: {levels: 3, size: 200}}, embedder: lsa}
trials: [bm25, naive]
measures: [recall@1, recall@3]
compare: {draws: 200}
`

function labelled() {
  const made = callsInTowns(CONFIG, {
    ...DOCS,
    'drafted.jsonl': QUESTIONS.map((question) => `${JSON.stringify(question)}\n`).join(''),
  })
  const read = (name: string) => readFileSync(join(made.folder, name), 'utf8')
  const lines = (name: string) =>
    read(name)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const pooled = async () => {
    expect((await made.call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
    const done = await made.call('labels', 'pool', 'labels', 'experiments/a', '-k', '5')
    expect(done).toMatchObject({ code: 0 })
    const ranks = lines('labels/pool.jsonl').flatMap(({ passages = [] }) =>
      passages.flatMap((pooled: { ranks: number[] }) => pooled.ranks),
    )
    expect(Math.max(...ranks)).toBe(5)
    return done
  }
  /** A table of grades by one labeller: 3 where a passage states the town's fee, else `others`. */
  const table = (labeller: string, others: number, labels = 'labels') => {
    const [, ...queries] = lines(`${labels}/pool.jsonl`)
    const rows = queries.flatMap(({ id, passages }) =>
      passages.map((one: { id: string; text: string; document: string }) => {
        const isAnswer = one.document === `${id.slice(2)}.md` && one.text.includes('silver')
        return `${id},${one.id},${isAnswer ? 3 : others},${labeller}`
      }),
    )
    writeFileSync(join(made.folder, `${labeller}.csv`), `query,passage,grade,labeller\n${rows.join('\n')}\n`)
  }
  return { ...made, read, lines, pooled, table }
}

test('labels of a pool become a dataset whose result does not change when more are added', async () => {
  const { folder, call, lines, pooled, table } = labelled()
  expect((await pooled()).out).toMatch(
    /^\d+ passages of 6 questions from bm25, naive; label them in the browser/,
  )
  for (const format of ['labels', 'trec', 'csv']) {
    const { code, err } = await call('labels', 'export', 'labels', '--to', format, '-o', 'none')
    expect([code, err]).toEqual([2, expect.stringContaining('no label of a person')])
  }
  table('ada', 0)
  table('bob', 1)
  for (const name of ['ada', 'bob'])
    expect((await call('labels', 'import', 'labels', `${name}.csv`)).out).toMatch(/^\d+ labels of (ada|bob)/)
  // The same file again changes nothing.
  const before = readFileSync(join(folder, 'labels/ada.labels.jsonl'), 'utf8')
  expect(await call('labels', 'import', 'labels', 'ada.csv')).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'labels/ada.labels.jsonl'), 'utf8')).toBe(before)
  const { out } = await call('labels', 'status', 'labels')
  expect(out).toContain("ada and bob: Cohen's kappa on relevance 1.00 [1.00, 1.00]")
  expect(out).toMatch(/and 6 of 6 questions\./)
  expect(out).toMatch(/No further label can put another trial before|more labels settle/)
  expect(await call('labels', 'export', 'labels', '--to', 'labels', '-o', 'labelled.jsonl')).toMatchObject({
    code: 0,
  })
  const [header, ...frozen] = lines('labelled.jsonl')
  expect(header).toMatchObject({
    k: 5,
    trials: ['bm25', 'naive'],
    relevant: 2,
    kappa: [1, 1, 1],
    conflicts: 0,
  })
  expect(frozen.filter(({ grade }) => grade === 3)).toHaveLength(6)
  const config = CONFIG.replace('drafted.jsonl}', 'drafted.jsonl, labels: labelled.jsonl}')
  writeFileSync(join(folder, 'b.yaml'), config)
  const ran = await call('run', 'b.yaml', '--workers', '1')
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.err + ran.out).toContain('labels are pooled from the first 5 of bm25, naive in a, by ada (')
  const summary = readSummary(join(folder, 'experiments/b'))
  expect(summary.datasets[0].gold).toBe(6)
  expect(summary.health.trials.every(({ unjudged }) => unjudged !== null && unjudged.share < 0.5)).toBe(true)
  for (const { id, bounds } of summary.health.trials) {
    const mean = summary.trials.find((trial) => trial.id === id)?.measures[summary.primary].mean ?? 1
    expect(bounds?.condensed).toBeGreaterThanOrEqual(mean)
    expect(bounds?.relevant).toBeGreaterThanOrEqual(0)
  }
  // A label that is added changes neither the frozen file nor the result.
  writeFileSync(
    join(folder, 'eve.csv'),
    `query,passage,grade,labeller\nq-lomm,${lines('labels/pool.jsonl')[1].passages[0].id},0,eve\n`,
  )
  await call('labels', 'import', 'labels', 'eve.csv')
  expect(await call('gate', 'experiments/b', '--baseline', 'experiments/b')).toMatchObject({ code: 0 })
  const { result } = readManifest(join(folder, 'experiments/b'))
  expect((await call('run', 'b.yaml', '--workers', '1')).code).toBe(0)
  expect(readManifest(join(folder, 'experiments/b')).result).toBe(result)
})

test('labellers who disagree leave no label until they agree; a model counts once its agreement is known', async () => {
  const { folder, call, lines, pooled, table } = labelled()
  await pooled()
  table('ada', 0)
  table('bob', 3)
  for (const name of ['ada', 'bob']) await call('labels', 'import', 'labels', `${name}.csv`)
  const { out } = await call('labels', 'export', 'labels', '--to', 'trec', '-o', 'qrels.txt')
  const [, open] =
    /^6 labels: qrels\.txt; (\d+) passages without a label, since labellers disagree/.exec(out) ?? []
  expect(Number(open)).toBeGreaterThan(0)
  expect((await call('labels', 'status', 'labels')).out).toContain(
    `Passages without a label, since people disagree: ${open}.`,
  )
  expect(readFileSync(join(folder, 'qrels.txt'), 'utf8')).toMatch(/^q-\w+ 0 \S+ 3\n/)
  const early = await call(
    'labels',
    'export',
    'labels',
    '--to',
    'labels',
    '--model',
    'small',
    '-o',
    'x.jsonl',
  )
  expect(early).toMatchObject({ code: 2 })
  expect(early.err).toContain('no model small has labels here')
  rmSync(join(folder, 'labels/bob.labels.jsonl'))
  const server = await fakeServer((_, { body }) => {
    const prompt: string = body.messages[0].content
    const [, town] = /ship pay in (\w+)/.exec(prompt) ?? []
    const grade = prompt.includes(`silver pieces in ${town}`) ? 3 : 0
    const content = JSON.stringify({ intent: 'the fee', match: 1, trust: 1, grade })
    return { json: { choices: [{ message: { content }, finish_reason: 'stop' }] } }
  })
  const models = `models: {small: {openai-compatible: {baseUrl: "${server.baseUrl}", model: small}}}`
  writeFileSync(join(folder, 'm.yaml'), `${CONFIG}${models}\n`)
  const judged = await call('labels', 'judge', 'labels', 'm.yaml', '--model', 'small')
  expect(judged).toMatchObject({ code: 0 })
  const count = lines('labels/pool.jsonl')
    .slice(1)
    .flatMap(({ passages }) => passages).length
  expect(judged.out).toContain(`small labelled ${count} passages`)
  const requests = server.asked.length
  await call('labels', 'judge', 'labels', 'm.yaml', '--model', 'small')
  expect(server.asked.length).toBe(requests)
  expect((await call('labels', 'status', 'labels')).out).toMatch(
    /small and people: Cohen's kappa on relevance 1\.00/,
  )
  const own = await call('labels', 'export', 'labels', '--to', 'labels', '--model', 'small', '-o', 'x.jsonl')
  expect(own).toMatchObject({ code: count < 30 ? 2 : 0 })
  if (count >= 30) expect(lines('x.jsonl')[0].kappa).toBe(null)
})

test('an audit names the question with wrong gold first; its labels correct this gold and no other', async () => {
  const { call, folder, lines, read, table } = labelled()
  const [first, ...others] = QUESTIONS
  const wrong = { ...first, gold: [{ file: 'dask.md', quote: 'harbour of Dask' }] }
  writeFileSync(
    join(folder, 'drafted.jsonl'),
    [wrong, ...others].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  await call('run', 'a.yaml', '--workers', '1')
  const { code, out } = await call('labels', 'audit', 'suspects', 'experiments/a', '-n', '1')
  expect(code).toBe(0)
  expect(out.split('\n')[0]).toMatch(/^\d\.\d\d {2}q-lomm: What does a ship pay in Lomm\?$/)
  const { findings } = readSummary(join(folder, 'experiments/a'))
  const finding = findings.find(({ about }) => about === 'Suspicious gold')
  expect(finding?.text).toMatch(
    /Without the 1 question that `labels audit` suspects most, (?:bm25|naive|hybrid) (?:still )?has the best /,
  )
  expect(out.split('\n')).toContain(finding?.text)
  // A run whose result is another one has no audit.
  const audit = JSON.parse(read('experiments/a/audit.json'))
  writeFileSync(join(folder, 'experiments/a/audit.json'), sealed({ findings: audit.findings, result: 'x' }))
  expect(readSummary(join(folder, 'experiments/a')).findings).toHaveLength(findings.length - 1)
  const [header, ...suspects] = read('suspects/suspects.csv').trim().split('\n')
  expect(header.trim()).toBe('query,question,score,gold,gold_text,other,other_text,reasons')
  expect(suspects.join('\n')).toMatch(
    /another passage has \d+ % of the words of question and answers, the gold \d+ %/,
  )
  expect((await call('labels', 'status', 'suspects')).out).toContain(
    'Labels correct the gold of these questions',
  )
  const pool = await call('labels', 'pool', 'suspects', 'experiments/a')
  expect([pool.code, pool.err]).toEqual([2, expect.stringContaining('holds an audit')])
  expect(lines('suspects/pool.jsonl').map(({ id }) => id)).toEqual([undefined, 'q-lomm'])

  table('ada', 0, 'suspects')
  for (const action of [
    ['import', 'suspects', 'ada.csv'],
    ['export', 'suspects', '--to', 'labels', '-o', 'corrected.jsonl'],
  ])
    expect((await call('labels', ...action)).code).toBe(0)
  writeFileSync(
    join(folder, 'a.yaml'),
    CONFIG.replace('drafted.jsonl}', 'drafted.jsonl, labels: corrected.jsonl}'),
  )
  const run = await call('run', 'a.yaml', '--workers', '1', '--out', 'experiments/corrected')
  expect(run.code, run.err).toBe(0)
  const { trials } = readSummary(join(folder, 'experiments/corrected'))
  expect(trials[0].measures['recall@1']).toMatchObject({ mean: 1, n: QUESTIONS.length })
})
