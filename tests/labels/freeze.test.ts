import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FrozenLabels, labelsLines, withLabels } from '../../src/dataset/labels-file.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { newestOfPlaces } from '../../src/labels/exchange.ts'
import { actionOf } from '../../src/labels/folder.ts'
import { freezeLabels } from '../../src/labels/freeze.ts'
import { withEarlier } from '../../src/labels/pool.ts'
import { sha256 } from '../../src/store/hash.ts'
import { temporaryFolder } from '../temporary.ts'
import { logOf, passage, pool } from './pools.ts'

test('of a passage that was edited to the same length the label of the current text counts', async () => {
  const question = { id: 'q1', text: 'What is the fee?' }
  const old = passage('a.md', 'It is 2.', [1, 1])
  const current = passage('a.md', 'It is 3.', [1, 1])
  const earlier = pool([{ ...question, passages: [old] }])
  const now = withEarlier(pool([{ ...question, passages: [current] }]), earlier)
  const at = '2026-11-25T10:00:00.000Z'
  const grade = (id: string, value: number) =>
    actionOf({ do: 'grade', query: 'q1', passage: id, grade: value }, id, at)
  const logs = [logOf('ada', [grade(old.id, 3), grade(current.id, 1)])]
  const labels = { folder: 'labels', pool: now, review: null, logs }
  const file = join(temporaryFolder(), 'labelled.jsonl')
  const frozen = freezeLabels(labels, { relevant: 2, models: [] })
  writeFileSync(file, labelsLines(frozen))
  // Qrels name no text: the label of the text that is gone would count for the current one.
  expect(newestOfPlaces(frozen.labels).map(({ grade }) => grade)).toEqual([1])
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'questions.jsonl'),
    `${JSON.stringify({ _id: 'q1', text: question.text, gold: [{ file: 'a.md', quote: 'It is' }] })}\n`,
  )
  const goldOf = async (text: string) => {
    writeFileSync(join(folder, 'a.md'), text)
    const params = { path: folder, questions: 'questions.jsonl', labels: file }
    const { qrels, spans, notices } = await loadDataset({ name: 'folder', params }, folder)
    return {
      gold: spans.get('q1') ?? qrels.get('q1'),
      drift: notices.filter((notice) => /left out|moved/.test(notice)),
    }
  }
  const gold = (start: number, end: number, grade: number) => ({ documentId: 'a.md', start, end, grade })
  expect(await goldOf('It is 3.')).toEqual({ gold: [gold(0, 8, 0)], drift: [] })
  // A passage that moved away from the place of another keeps its label.
  expect(await goldOf('It is 3. It is 2.')).toEqual({
    gold: [gold(0, 8, 0), gold(9, 17, 2)],
    drift: ['1 label of passages that moved inside their document, found by their text'],
  })
})

test('where chunks are judged, the id of a chunk has the label of the text that is there now', () => {
  const text = 'It is 3. It is 2.'
  const label = (start: number, of: string, grade: number) => ({
    query: 'q1',
    question: 'What?',
    document: 'a',
    chunk: 'a#0',
    start,
    end: start + 8,
    text: sha256(of),
    grade,
  })
  const dataset = {
    name: 'd',
    documentsHash: '',
    judgedUnit: 'chunk',
    notices: [],
    hash: '',
    missingGold: 0,
    documents: [{ id: 'a', title: '', text, metadata: {} }],
    queries: [{ id: 'q1', text: 'What?', metadata: {}, category: null, answers: [], answerable: true }],
    qrels: new Map(),
    spans: new Map(),
    groups: new Map(),
  } as unknown as Dataset
  const header = { experiment: 'e', k: 5, trials: [], labellers: [], kappa: null, conflicts: 0, relevant: 2 }
  const labels = [label(0, 'It is 2.', 3), label(0, 'It is 3.', 0)]
  const { qrels } = withLabels(dataset, { header, labels } as unknown as FrozenLabels, 'f')
  expect(qrels.get('q1')).toEqual(new Map([['a#0', 0]]))
})

/** Frozen labels of an audit of one text, `[start, end, grade]` each; 2 and more is relevant. */
function corrections(text: string, passages: readonly (readonly [number, number, number])[]): FrozenLabels {
  return {
    header: {
      touchstone: 'labels',
      format: 1,
      experiment: 'e',
      result: 'r',
      k: 5,
      trials: ['bm25'],
      relevant: 2,
      labellers: [],
      kappa: null,
      conflicts: 0,
      pooled: passages.length,
      corrects: true,
    },
    labels: passages.map(([start, end, grade]) => ({
      query: 'q1',
      question: 'What?',
      document: 'a',
      chunk: `a#${start}`,
      start,
      end,
      text: sha256(text.slice(start, end)),
      grade,
    })),
  }
}

const TEXT = 'The fee is two. The quay is old. A bell rings.'
const dataset = (gold: Pick<Dataset, 'judgedUnit' | 'spans' | 'qrels'>): Dataset => ({
  name: 'd',
  documents: [{ id: 'a', text: TEXT }] as unknown as Dataset['documents'],
  documentsHash: 'h',
  queries: ['q1', 'q2'].map((id) => ({
    id,
    text: 'What?',
    answerable: true,
  })) as unknown as Dataset['queries'],
  groups: new Map(),
  missingGold: 0,
  hash: 'h',
  notices: [],
  ...gold,
})

test.each([
  ['confirmed: the span stays', [[0, 15, 3]], [[0, 10]]],
  [
    'rejected, another passage is right',
    [
      [0, 15, 0],
      [16, 32, 3],
    ],
    [[16, 32]],
  ],
  [
    'rejected in one passage, confirmed in one that overlaps it',
    [
      [0, 15, 0],
      [0, 32, 3],
    ],
    [[0, 10]],
  ],
  [
    'the same in another order',
    [
      [0, 32, 3],
      [0, 15, 0],
    ],
    [[0, 10]],
  ],
  ['no passage is right', [[0, 15, 0]], []],
] as const)('corrections of spans: %s', (_, passages, expected) => {
  const span = { documentId: 'a', start: 0, end: 10 }
  const spans = new Map([
    ['q1', [span]],
    ['q2', [span]],
  ])
  const corrected = withLabels(
    dataset({ judgedUnit: 'span', spans, qrels: new Map() }),
    corrections(TEXT, passages),
    'labels.jsonl',
  )
  const relevant = corrected.spans.get('q1')?.filter(({ grade }) => grade !== 0)
  expect(relevant?.map(({ start, end }) => [start, end])).toEqual(expected)
  expect(corrected.spans.get('q2')).toEqual([span])
})
