import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTable } from '../../src/corpus/run-table.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

/** Each sentence is a chunk: d00#0000, d00#0001 and d01#0000. */
const recipe = {
  ...recipeOf(documentsOf(['One fox ran. Two owls flew.', 'Three elks swam.'])),
  chunk: { name: 'sentences', params: { each: 1 } },
}
const questionOf = (id: string, text = '') => ({ id, text })

async function tableOf(content: string) {
  const folder = temporaryFolder({ 'their.run': content })
  const store = openStore(join(folder, 'store'))
  const artifact = runTable(recipe, { path: join(folder, 'their.run') })
  const reports: unknown[] = []
  await store.prepare(artifact, (...report) => reports.push(report))
  const table = await store.open(artifact)
  const ranking = (id: string, text = '') => {
    const { rows, scores } = table.ranking(questionOf(id, text))
    return Array.from(rows, (row, i) => [row, scores[i]])
  }
  return { ...table, ranking, told: reports.filter((report) => (report as string[])[0] === 'run their.run') }
}

test('a run of ids: a document is its first chunk, with the best of its scores', async () => {
  const lines = [
    'q2 Q0 d00#0001 1 5 t',
    'q2 Q0 d01 2 9 t',
    'q1 Q0 d00 1 2 t',
    'q1 Q0 d00#0000 2 3 t',
    'q1 Q0 d00#0001 3 -1 t',
    'q3 Q0 d01#0000 1 -7 t',
  ]
  const table = await tableOf(`${lines.join('\n')}\n`)
  expect(['q1', 'q2', 'q3', 'q4'].map((id) => table.ranking(id))).toEqual([
    [
      [0, 3],
      [1, -1],
    ],
    [
      [2, 9],
      [1, 5],
    ],
    [[2, -7]],
    [],
  ])
  const answers = (...ids: string[]) => table.answers(ids.map((id) => questionOf(id)))
  expect([answers('q2'), answers('q9', 'q3'), answers('q9'), answers()]).toEqual([true, true, false, false])
  expect(table.told).toEqual([0, 1].map((done) => ['run their.run', done, 1]))
  expect(table.texts).toBeUndefined()
})

test('a run of texts: chunks in the order of their texts, by the text of the query', async () => {
  const records = [
    { query: 'who flew', contexts: ['Two owls flew.', 'nobody knows', 'two OWLS flew', 'One fox ran.'] },
    { query: 'who swam', contexts: ['no such text'] },
  ]
  const table = await tableOf(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  expect(table.ranking('q1', ' who flew ')).toEqual([
    [1, 2],
    [0, 1],
  ])
  expect([table.ranking('q2', 'who swam'), table.ranking('q3', 'who ran')]).toEqual([[], []])
  expect(table.texts).toEqual({ all: 5, unmatched: 2 })
  const answers = (...texts: string[]) => table.answers(texts.map((text) => questionOf('q', text)))
  expect([answers(' who swam'), answers('x', 'who flew'), answers('x')]).toEqual([true, true, false])
  expect(table.told).toEqual([0, 1].map((done) => ['run their.run', done, 2]))
})
