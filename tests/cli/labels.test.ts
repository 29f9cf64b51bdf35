import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { actionOf, appendActions } from '../../src/labels/files.ts'
import { poolLines } from '../../src/labels/pool.ts'
import { readManifest, readSummary } from '../../src/results/read.ts'
import { passage, pool } from '../labels/pools.ts'
import { fakeServer } from '../models/fake-server.ts'
import { setUp } from './set-up.ts'

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
const CONFIG = `dataset: {folder: docs, questions: drafted.jsonl}
prepare: {chunk: {headings: {levels: 3, size: 200}}, embedder: lsa}
trials: [bm25, naive]
measures: [recall@1, recall@3]
compare: {draws: 200}
`

function labelled() {
  const made = setUp(CONFIG, {
    ...DOCS,
    'drafted.jsonl': QUESTIONS.map((one) => `${JSON.stringify(one)}\n`).join(''),
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
    return done
  }
  /** A table of grades by one labeller: 3 where a passage states the town's fee, else `others`. */
  const table = (labeller: string, others: number) => {
    const [, ...queries] = lines('labels/pool.jsonl')
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
  expect(summary.dataset.gold).toBe(6)
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

test('a passage that changed, moved or is gone under its label is reported', async () => {
  const { folder, call, pooled, table } = labelled()
  await pooled()
  table('ada', 0)
  await call('labels', 'import', 'labels', 'ada.csv')
  await call('labels', 'export', 'labels', '--to', 'labels', '-o', 'labelled.jsonl')
  const doc = (name: string) => join(folder, 'docs', name)
  writeFileSync(doc('lomm.md'), `# Preface\n\nNew.\n\n${readFileSync(doc('lomm.md'), 'utf8')}`)
  writeFileSync(
    doc('tarn.md'),
    readFileSync(doc('tarn.md'), 'utf8').replace('A ship pays 2', 'A ship pays 9'),
  )
  rmSync(doc('vell.md'))
  const asked = QUESTIONS.filter(({ _id }) => _id !== 'q-vell').map((one) =>
    one._id === 'q-orsk' ? { ...one, text: 'What are the fees of Orsk?' } : one,
  )
  writeFileSync(join(folder, 'drafted.jsonl'), asked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  writeFileSync(
    join(folder, 'b.yaml'),
    CONFIG.replace('drafted.jsonl}', 'drafted.jsonl, labels: labelled.jsonl}'),
  )
  const { out, err } = await call('check', 'b.yaml')
  const told = out + err
  expect(told).toMatch(/\d+ labels of passages that moved inside their document/)
  expect(told).toMatch(/left out, the passage has changed since it was labelled: tarn\.md/)
  expect(told).toMatch(/left out, the document is gone: vell\.md/)
  expect(told).toMatch(
    /labels of 2 questions left out, which are gone or have other words now: q-orsk, q-vell/,
  )
  // Edited by hand.
  appendFileSync(join(folder, 'labelled.jsonl'), '{"query":"q-lomm","grade":"3"}\n')
  expect((await call('check', 'b.yaml')).err).toMatch(/labelled\.jsonl:\d+/)
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
    `People disagree on ${open} passages, which have no label until they agree.`,
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

test('accepted questions are written as edited, with the names of their reviewers', async () => {
  const { folder, call, lines } = labelled()
  expect((await call('labels', 'review', 'labels', 'a.yaml')).out).toMatch(/^6 questions to review/)
  const [head, first] = lines('labels/review.jsonl')
  expect(head).toMatchObject({ touchstone: 'review', questions: '../drafted.jsonl' })
  expect(first.gold[0]).toMatchObject({ document: 'brin.md', text: 'silver pieces in Brin' })
  expect(first.gold[0].before).toMatch(/A ship pays \d $/)
  const none = await call('labels', 'export', 'labels', '--to', 'questions', '-o', 'reviewed.jsonl')
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('no question is accepted')])
  const at = '2026-11-25T10:00:00.000Z'
  appendActions(
    join(folder, 'labels'),
    { touchstone: 'label log', format: 1, labeller: 'ada', kind: 'person' },
    [
      actionOf({ do: 'accept', query: 'q-lomm' }, '1', at),
      actionOf({ do: 'edit', query: 'q-tarn', text: 'What is the fee in Tarn?' }, '2', at),
      actionOf({ do: 'reject', query: 'q-vell' }, '3', at),
    ],
  )
  const { out } = await call('labels', 'export', 'labels', '--to', 'questions', '-o', 'reviewed.jsonl')
  expect(out).toContain('2 questions accepted, 1 rejected, 3 not reviewed')
  expect(lines('reviewed.jsonl')).toMatchObject([
    { _id: 'q-lomm', text: QUESTIONS[0].text, metadata: { reviewed: 'ada', synthetic: expect.anything() } },
    { _id: 'q-tarn', text: 'What is the fee in Tarn?' },
  ])
  appendFileSync(join(folder, 'drafted.jsonl'), '\n')
  const late = await call('labels', 'export', 'labels', '--to', 'questions', '-o', 'late.jsonl')
  expect([late.code, late.err]).toEqual([2, expect.stringContaining('has changed since its review began')])
})

test('accepted questions may have numbers as ids', async () => {
  const { folder, call, lines } = labelled()
  const numbered = QUESTIONS.map((one, at) => `${JSON.stringify({ ...one, _id: at })}\n`)
  writeFileSync(join(folder, 'drafted.jsonl'), numbered.join(''))
  await call('labels', 'review', 'labels', 'a.yaml')
  const header = { touchstone: 'label log', format: 1, labeller: 'ada', kind: 'person' } as const
  const accepted = actionOf({ do: 'accept', query: '1' }, '1', '2026-11-25T10:00:00.000Z')
  appendActions(join(folder, 'labels'), header, [accepted])
  await call('labels', 'export', 'labels', '--to', 'questions', '-o', 'reviewed.jsonl')
  expect(lines('reviewed.jsonl')).toMatchObject([{ _id: 1, text: QUESTIONS[1].text }])
})

describe('bad input is named, and nothing is lost', () => {
  test('a folder without labels, a source that is missing, and labels of other passages', async () => {
    const { folder, call, pooled } = labelled()
    expect((await call('labels', 'status', 'none')).err).toContain('is no folder of labels')
    expect((await call('labels', 'pool', 'labels')).err).toContain('name an experiment behind the folder')
    await pooled()
    writeFileSync(join(folder, 'other.txt'), 'q9 0 nothing 1\n')
    const { code, err } = await call('labels', 'import', 'labels', 'other.txt', '--as', 'ada')
    expect([code, err]).toEqual([2, expect.stringContaining('holds no label of a passage of the pool')])
    writeFileSync(join(folder, 'other.csv'), 'query,passage,grade\nq-lomm,x,9\n')
    expect((await call('labels', 'import', 'labels', 'other.csv')).err).toContain('names no labeller')
    expect((await call('labels', 'import', 'labels', 'other.csv', '--as', 'ada')).err).toContain(
      'other.csv:2: the grade must be 0, 1, 2 or 3, not 9',
    )
    expect(existsSync(join(folder, 'labels/ada.labels.jsonl'))).toBe(false)
  })

  test('a model that grades no passage', async () => {
    const { folder, call, pooled } = labelled()
    await pooled()
    const server = await fakeServer(() => ({
      json: { choices: [{ message: { content: 'I cannot say.' }, finish_reason: 'stop' }] },
    }))
    const models = `models: {small: {openai-compatible: {baseUrl: "${server.baseUrl}", model: small}}}`
    writeFileSync(join(folder, 'm.yaml'), `${CONFIG}${models}\n`)
    const { code, err } = await call('labels', 'judge', 'labels', 'm.yaml', '--model', 'small')
    expect([code, err]).toEqual([2, expect.stringMatching(/the model small graded none of \d+ passages: /)])
    expect(existsSync(join(folder, 'labels/small.labels.jsonl'))).toBe(false)
  })

  test.each([
    ['big/small', 'must be 1 to 40 letters'],
    ['Ada', 'is too like "ada"'],
  ])('a model whose name %s cannot be a labeller is asked nothing', async (name, message) => {
    const { folder, call } = labelled()
    mkdirSync(join(folder, 'labels'))
    const one = passage('lomm.md', 'A ship pays 1.', [1, 1])
    const asked = pool([{ id: 'q-lomm', text: QUESTIONS[0].text, passages: [one] }])
    writeFileSync(join(folder, 'labels/pool.jsonl'), poolLines(asked))
    writeFileSync(join(folder, 'ada.csv'), `query,passage,grade\nq-lomm,${one.id},2\n`)
    await call('labels', 'import', 'labels', 'ada.csv', '--as', 'ada')
    const server = await fakeServer(() => ({
      json: { choices: [{ message: { content: '{"grade": 2}' }, finish_reason: 'stop' }] },
    }))
    const models = `models: {${name}: {openai-compatible: {baseUrl: "${server.baseUrl}", model: small}}}`
    writeFileSync(join(folder, 'm.yaml'), `${CONFIG}${models}\n`)
    const { code, err } = await call('labels', 'judge', 'labels', 'm.yaml', '--model', name)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(server.asked).toEqual([])
    expect((await call('labels', 'status', 'labels')).code).toBe(0)
  })

  test('a pool whose experiment ran again keeps its labels', async () => {
    const { folder, call, pooled, table, lines } = labelled()
    await pooled()
    table('ada', 0)
    await call('labels', 'import', 'labels', 'ada.csv')
    const passages = () =>
      lines('labels/pool.jsonl')
        .slice(1)
        .flatMap((one) => one.passages).length
    const first = passages()
    writeFileSync(join(folder, 'a.yaml'), CONFIG.replace('size: 200', 'size: 20'))
    expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
    expect((await call('labels', 'pool', 'labels', 'experiments/a', '-k', '5')).code).toBe(0)
    expect(passages()).toBeGreaterThan(first)
    expect((await call('labels', 'status', 'labels')).out).toMatch(new RegExp(`ada: ${first} labels\\.`))
  })
})
