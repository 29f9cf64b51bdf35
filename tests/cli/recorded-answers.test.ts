import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Summary } from '../../src/results/summary.ts'
import { sha256File } from '../../src/store/hash.ts'
import {
  INSTRUCT_EXPERIMENTS,
  SMALL_MODEL,
  SMALL_QUESTIONS,
  writeSmallModelExperiment,
} from '../experiment/small-model.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** What a real model wrote (the heavy suite records it anew), replayed without it. */
const RECORDING = fileURLToPath(new URL('../golden/models/smollm2-answers.jsonl', import.meta.url))

test('a small model rewrites queries, from its recording', async () => {
  const folder = temporaryFolder()
  // Nobody listens at its address.
  writeSmallModelExperiment(folder)
  const terminal = standIn({ folder })
  const argv = [
    'run',
    'small.yaml',
    '--workers',
    '1',
    '--set',
    `recording=${RECORDING}`,
    '--out',
    'out',
    '--report',
    'r.html',
  ]
  expect(await main(argv, terminal)).toBe(0)
  expect(terminal.stderr()).not.toContain('failed')
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'out', file), 'utf8'))
  const means = read('summary.json').trials.map(
    ({ name, measures }: { name: string; measures: Record<string, { mean: number }> }) => [
      name,
      measures['recall@5'].mean,
    ],
  )
  expect(means).toMatchInlineSnapshot(`
    [
      [
        "naive before=none",
        0.9166666666666666,
      ],
      [
        "bm25 before=none",
        0.8333333333333334,
      ],
      [
        "naive before=hyde(model=small)",
        0.8333333333333334,
      ],
      [
        "bm25 before=query2doc(model=small)",
        0.8333333333333334,
      ],
    ]
  `)
  const { files, steps } = read('manifest.json')
  // All of it was read, and nothing else: the result names the recording by its hash.
  expect(files['answers.jsonl']).toBe(sha256File(RECORDING))
  expect(steps.computed['ask-model']).toBe(SMALL_QUESTIONS)
  const answers = readFileSync(RECORDING, 'utf8').trim().split('\n')
  expect(answers).toHaveLength(SMALL_QUESTIONS)
  for (const line of answers) expect(JSON.parse(line).completion.model).toBe(SMALL_MODEL)
})

/** The summary of an instruct model's experiment, replayed from its recording: all of it is read, and nothing else. */
async function replayed(name: string): Promise<Summary> {
  const folder = temporaryFolder()
  // Nobody listens at its address.
  INSTRUCT_EXPERIMENTS[name](folder)
  const recording = fileURLToPath(new URL(`../golden/models/qwen-${name}.jsonl`, import.meta.url))
  const terminal = standIn({ folder })
  const argv = ['run', 'small.yaml', '--workers', '1', '--set', `recording=${recording}`, '--out', 'out']
  expect(await main([...argv, '--report', 'r.html'], terminal), terminal.stderr()).toBe(0)
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(recording))
  return JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
}

test('an instruct model answers questions in every way, from its recording', async () => {
  const { answers } = await replayed('answers')
  expect(
    answers?.rows.map(({ answerer, failed, measures }) => [
      answerer,
      failed,
      measures.answer_f1.mean?.toFixed(2),
    ]),
  ).toMatchInlineSnapshot(`
    [
      [
        "closed-book(model=small)",
        0,
        "0.00",
      ],
      [
        "llm(model=small,top=2)",
        0,
        "0.40",
      ],
      [
        "map-reduce(model=small,top=2)",
        0,
        "0.40",
      ],
    ]
  `)
})

test('an instruct model is every judge, from its recording', async () => {
  const { answers } = await replayed('judges')
  expect(
    answers?.judges?.map(({ name, modelCalls, failed }) => [name, modelCalls, failed]),
  ).toMatchInlineSnapshot(`
    [
      [
        "correctness",
        2,
        0,
      ],
      [
        "faithfulness",
        4,
        0,
      ],
      [
        "context_recall",
        2,
        0,
      ],
      [
        "rubric",
        2,
        0,
      ],
      [
        "answer_relevancy",
        2,
        0,
      ],
      [
        "answer_similarity",
        0,
        0,
      ],
    ]
  `)
})

test('an instruct model extracts graphs in two forms and reports on them, from its recording', async () => {
  const { indexes } = await replayed('extraction')
  expect(
    Object.fromEntries(
      Object.entries(indexes[0].counts).filter(
        ([name]) => name.startsWith('llm-') || name === 'communityReports',
      ),
    ),
  ).toMatchInlineSnapshot(`
    {
      "communityReports": 1,
      "llm-graphrag: entities": 2,
      "llm-graphrag: relationships": 2,
      "llm-openie: entities": 5,
      "llm-openie: relationships": 4,
    }
  `)
})

test('an instruct model writes headers and summaries, from its recording', async () => {
  const { indexes } = await replayed('preparation')
  expect(indexes[0].counts).toMatchObject({ chunkHeaders: 6, treeLayers: 1 })
})

test('an instruct model has every role of a retriever, from its recording', async () => {
  const { trials } = await replayed('roles')
  expect(
    trials.map(({ name, failed, perQuery }) => [name, failed, perQuery.modelCalls?.toFixed(1)]),
  ).toMatchInlineSnapshot(`
    [
      [
        "bm25",
        0,
        undefined,
      ],
      [
        "rewritten",
        0,
        "1.0",
      ],
      [
        "hyde",
        0,
        "1.0",
      ],
      [
        "rag-fusion by=variations",
        0,
        "1.0",
      ],
      [
        "rag-fusion by=parts",
        0,
        "1.0",
      ],
      [
        "lightrag",
        0,
        "1.0",
      ],
      [
        "hipporag",
        0,
        "1.0",
      ],
      [
        "multi-hop judge=model",
        0,
        "1.0",
      ],
      [
        "multi-hop judge=ircot",
        0,
        "1.0",
      ],
      [
        "traversal",
        0,
        "1.0",
      ],
      [
        "graphrag-global",
        0,
        "3.0",
      ],
      [
        "drift",
        0,
        "1.0",
      ],
      [
        "lazy-graphrag",
        0,
        "2.0",
      ],
    ]
  `)
})
