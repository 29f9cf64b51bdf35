import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Summary } from '../../src/results/summary.ts'
import { sha256File } from '../../src/store/hash.ts'
import {
  INSTRUCT_EXPERIMENTS,
  SMALL_QUESTIONS,
  writeDrafting,
  writeGraphragBench,
  writeSmallModelExperiment,
} from '../experiment/small-model.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'

/** Completions of real models, which the heavy suite records anew, replayed without a model: nobody listens at its address. */
const recordingOf = (name: string) =>
  fileURLToPath(new URL(`../golden/models/${name}.jsonl`, import.meta.url))

async function replayed(
  recording: string,
  write: (folder: string) => void,
  config = 'small',
  model = 'small',
) {
  const folder = temporaryFolder()
  write(folder)
  const set = ['--set', `models.${model}={recorded: ${recordingOf(recording)}}`]
  const { code, err } = await callsIn(folder).call(
    'run',
    `${config}.yaml`,
    '--workers',
    '1',
    '--out',
    'out',
    ...set,
  )
  expect(code, err).toBe(0)
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'out', file), 'utf8'))
  // All of the recording was read, and nothing else.
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(recordingOf(recording)))
  return { folder, summary: read('summary.json') as Summary, manifest: read('manifest.json') }
}

test('a small model rewrites queries, from its recording', async () => {
  const { summary, manifest } = await replayed('smollm2-answers', writeSmallModelExperiment)
  expect(manifest.steps.computed['ask-model']).toBe(SMALL_QUESTIONS)
  expect(summary.trials.map(({ name, measures }) => [name, measures['recall@5'].mean.toFixed(3)])).toEqual([
    ['naive before=none', '1.000'],
    ['bm25 before=none', '0.917'],
    ['naive before=hyde(model=small)', '1.000'],
    ['bm25 before=query2doc(model=small)', '0.917'],
  ])
})

const instruct = async (name: string) => (await replayed(`qwen-${name}`, INSTRUCT_EXPERIMENTS[name])).summary

test('an instruct model answers questions in every way, is every judge, prepares a corpus and has every role, from its recordings', async () => {
  const { answers } = await instruct('answers')
  expect(
    answers?.rows.map(({ answerer, failed, measures }) => [
      answerer,
      failed,
      measures.answer_f1.mean?.toFixed(2),
    ]),
  ).toEqual([
    ['closed-book(model=small)', 0, '0.00'],
    ['llm(model=small,top=2)', 0, '0.40'],
    ['map-reduce(model=small,top=2)', 0, '0.40'],
  ])
  const judged = (await instruct('judges')).answers?.judges
  expect(judged?.map(({ name, modelCalls, failed }) => `${name} ${modelCalls} ${failed}`)).toEqual([
    'correctness 1 0',
    'faithfulness 2 0',
    'context_recall 1 0',
    'rubric 1 0',
    'answer_relevancy 1 0',
    'answer_similarity 0 0',
  ])
  expect((await instruct('extraction')).indexes[0].counts).toMatchObject({
    communityReports: 1,
    'llm-graphrag: entities': 2,
    'llm-graphrag: relationships': 2,
    'llm-openie: entities': 5,
    'llm-openie: relationships': 4,
  })
  expect((await instruct('preparation')).indexes[0].counts).toMatchObject({ chunkHeaders: 6, treeLayers: 1 })
  const { trials } = await instruct('roles')
  expect(trials.map(({ name, failed, perQuery }) => `${name} ${failed} ${perQuery.modelCalls ?? 0}`)).toEqual(
    [
      'bm25 0 0',
      'rewritten 0 1',
      'hyde 0 1',
      'rag-fusion by=variations 0 1',
      'rag-fusion by=parts 0 1',
      'lightrag 0 1',
      'hipporag 0 1',
      'multi-hop judge=model 0 1',
      'multi-hop judge=ircot 0 1',
      'traversal 0 1',
      'graphrag-global 0 3',
      'drift 0 1',
      'lazy-graphrag 0 2',
    ],
  )
})

test("GraphRAG-Bench opens in one step, and its measures judge its runners' predictions by type, from a recording", async () => {
  const { folder, summary } = await replayed('qwen05-graphrag-bench', writeGraphragBench, 'bench', 'qwen')
  const measures = Object.entries(summary.answers?.rows[0].measures ?? {})
  expect(measures.map(([name, { mean, n }]) => `${name} ${mean?.toFixed(3)} ${n}`)).toMatchSnapshot()
  expect(Object.keys(summary.trials[0].categories ?? {})).toHaveLength(4)
  const { call } = callsIn(folder)
  for (const path of ['Datasets/Questions/novel_questions.json', 'Datasets'])
    expect((await call('check', path)).out).toContain('is valid, as graphrag-bench')
  expect((await call('import', 'Datasets', '-o', 'beir')).code).toBe(0)
  const queries = readFileSync(join(folder, 'beir/queries.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(queries.map(({ metadata }) => metadata.category).sort()).toEqual([
    'Complex Reasoning',
    'Contextual Summarize',
    'Creative Generation',
    'Fact Retrieval',
  ])
})

test('a small model drafts questions and labels passages, from its recording', async () => {
  const folder = temporaryFolder()
  writeDrafting(folder)
  const config = join(folder, 'a.yaml')
  const recorded = `small: {recorded: ${recordingOf('qwen-drafting')}}`
  writeFileSync(config, readFileSync(config, 'utf8').replace(/small: .*/, recorded))
  const { call } = callsIn(folder)
  const lines = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const how = ['--kinds', 'fact', '--persona', 'a sailor', '-n', '4', '--no-arms', '-o', 'drafted.jsonl']
  expect(await call('questions', 'draft', 'a.yaml', '--model', 'small', ...how)).toMatchObject({ code: 0 })
  expect(lines('drafted.jsonl')).toMatchObject([
    {
      text: 'What is the name of the market town on the river Osk?',
      metadata: { synthetic: 'touchstone questions draft: fact', answers: ['Tarn'] },
    },
  ])
  // The model repeats itself and speaks of the passage; the filters notice.
  expect(lines('drafted.jsonl.dropped.jsonl')).toHaveLength(3)
  expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
  expect((await call('labels', 'pool', 'labels', 'experiments/a')).code).toBe(0)
  expect((await call('labels', 'judge', 'labels', 'a.yaml', '--model', 'small')).code).toBe(0)
  // It gives every passage the same grade: why its agreement with people is measured before its labels count.
  expect(lines('labels/small.labels.jsonl').slice(1)).toMatchObject(Array(4).fill({ grade: 2 }))
  const exported = ['labels', 'export', 'labels', '--to', 'labels', '--model', 'small', '-o', 'x.jsonl']
  expect((await call(...exported)).code).toBe(2)
})
