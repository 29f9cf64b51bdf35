import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { labelsLines, readLabelsFile } from '../../src/dataset/labels-file.ts'
import { actionOf } from '../../src/labels/files.ts'
import { freezeLabels } from '../../src/labels/freeze.ts'
import { withEarlier } from '../../src/labels/pool.ts'
import { temporaryFolder } from '../temporary.ts'
import { passage, pool } from './pools.ts'

test('of a passage that was edited to the same length the current one is frozen', () => {
  const question = { id: 'q1', text: 'What is the fee?' }
  const old = passage('a.md', 'It is 2.', [1, 1])
  const current = passage('a.md', 'It is 3.', [1, 1])
  const earlier = pool([{ ...question, passages: [old] }])
  const now = withEarlier(pool([{ ...question, passages: [current] }]), earlier)
  const at = '2026-11-25T10:00:00.000Z'
  const grade = (id: string, value: number) =>
    actionOf({ do: 'grade', query: 'q1', passage: id, grade: value }, id, at)
  const header = { touchstone: 'label log', format: 1, labeller: 'ada', kind: 'person' } as const
  const log = { file: 'ada', torn: 0, header, actions: [grade(old.id, 3), grade(current.id, 1)] }
  const labels = { folder: 'labels', pool: now, review: null, logs: [log] }
  const file = join(temporaryFolder(), 'labelled.jsonl')
  writeFileSync(file, labelsLines(freezeLabels(labels, { relevant: 2, models: [] })))
  const read = readLabelsFile(file)
  expect(read.labels.map((label) => label.grade)).toEqual([1])
  expect(read.header.labellers).toMatchObject([{ name: 'ada', labels: 1 }])
})
