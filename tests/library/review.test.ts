import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { actionOf, type FiledLog } from '../../src/labels/folder.ts'
import type { Act } from '../../src/labels/log.ts'
import type { ReviewSet } from '../../src/labels/review.ts'
import { acceptedQuestions, reviewSet } from '../../src/library/review-set.ts'
import { logOf } from '../labels/pools.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const LONG = `${'a'.repeat(700)}The harbour silts up.${'z'.repeat(700)}`
const BEIR = {
  'beir/corpus.jsonl': lines({ _id: 'd', title: 'Lomm', text: LONG }, { _id: 'e', text: 'Salt.' }),
  'beir/queries.jsonl': lines(
    { _id: 'q1', text: 'Who?', metadata: { category: 'c', answers: ['Orr'], kept: 1 } },
    { _id: 'q2', text: 'Why?' },
    { _id: 'q3', text: 'How?' },
  ),
  'beir/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td\t2\nq1\te\t0\nq2\te\t1\nq3\td\t1\n',
}
const place = (folder: string) => ({ folder, env: {} })
const log = (labeller: string, ...acts: Act[]) =>
  logOf(
    labeller,
    acts.map((act, index) => actionOf(act, String(index), `2026-01-01T00:00:0${index}Z`)),
  )
const labels = (folder: string, review: ReviewSet | null, ...logs: FiledLog[]) => ({
  folder: join(folder, 'labels'),
  pool: null,
  review,
  logs,
})
const REVIEWS = [
  log('ada', { do: 'accept', query: 'q1' }, { do: 'edit', query: 'q3', text: 'How much?' }),
  log('bob', { do: 'reject', query: 'q2' }, { do: 'accept', query: 'q1' }),
]

describe('questions to review', () => {
  test('of judged documents stand with the beginnings of their gold', async () => {
    const folder = temporaryFolder(BEIR)
    const { items, ...head } = await reviewSet(place(folder), 'beir', join(folder, 'labels'))
    const { hash } = await loadDataset({ name: 'beir', params: { path: join(folder, 'beir') } }, folder)
    expect(head).toEqual({
      touchstone: 'review',
      format: 1,
      dataset: 'beir',
      hash,
      questions: null,
      file: null,
    })
    const lomm = {
      document: 'd',
      title: 'Lomm',
      before: '',
      text: 'a'.repeat(600),
      after: LONG.slice(600, 1200),
    }
    expect(items).toEqual([
      { id: 'q1', text: 'Who?', category: 'c', answers: ['Orr'], answerable: true, gold: [lomm] },
      {
        id: 'q2',
        text: 'Why?',
        category: null,
        answers: [],
        answerable: true,
        gold: [{ document: 'e', title: '', before: '', text: 'Salt.', after: '' }],
      },
      { id: 'q3', text: 'How?', category: null, answers: [], answerable: true, gold: [lomm] },
    ])
  })
})

describe('accepted questions', () => {
  test('of a dataset are written with their gold, wording and reviewers', async () => {
    const folder = temporaryFolder(BEIR)
    const review = await reviewSet(place(folder), 'beir', join(folder, 'labels'))
    const { counts, lines, writeBeir } = await acceptedQuestions(
      place(folder),
      labels(folder, review, ...REVIEWS),
      'beir',
    )
    expect([counts, lines]).toEqual([{ accepted: 2, rejected: 1, unreviewed: 0 }, null])
    writeBeir(join(folder, 'out'))
    const written = await loadDataset({ name: 'beir', params: { path: join(folder, 'out') } }, folder)
    expect(written.documents.map(({ id }) => id)).toEqual(['d', 'e'])
    expect(
      written.queries.map(({ id, text, category, answers, metadata }) => [
        id,
        text,
        category,
        answers,
        metadata,
      ]),
    ).toEqual([
      ['q1', 'Who?', 'c', ['Orr'], { kept: 1, reviewed: 'ada, bob' }],
      ['q3', 'How much?', null, [], { reviewed: 'ada' }],
    ])
    expect([...written.qrels].map(([id, judged]) => [id, [...judged]])).toEqual([
      [
        'q1',
        [
          ['d', 2],
          ['e', 0],
        ],
      ],
      ['q3', [['d', 1]]],
    ])
  })
})
