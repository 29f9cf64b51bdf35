import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { AnsweredRow, JudgeSummary } from '../../src/results/answers.ts'
import type { TrialSummary } from '../../src/results/summary.ts'
import { sha256File } from '../../src/store/hash.ts'
import {
  SMALL_MODEL,
  SMALL_QUESTIONS,
  writeSmallAnswersExperiment,
  writeSmallExtractionExperiment,
  writeSmallJudgesExperiment,
  writeSmallModelExperiment,
  writeSmallPreparationExperiment,
  writeSmallRolesExperiment,
} from '../experiment/small-model.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** What a real model wrote (the heavy suite records it anew), replayed without it. */
const ANSWERED = fileURLToPath(new URL('../golden/models/smollm2-answered.jsonl', import.meta.url))
const EXTRACTIONS = fileURLToPath(new URL('../golden/models/smollm2-extractions.jsonl', import.meta.url))
const PREPARATION = fileURLToPath(new URL('../golden/models/smollm2-preparation.jsonl', import.meta.url))
const JUDGED = fileURLToPath(new URL('../golden/models/smollm2-judges.jsonl', import.meta.url))
const ROLES = fileURLToPath(new URL('../golden/models/smollm2-roles.jsonl', import.meta.url))
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
        "naive before=hyde(model=small,repeat=0)",
        0.8333333333333334,
      ],
      [
        "bm25 before=query2doc(model=small,repeat=0,copies=5)",
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

test('a small model answers questions, from its recording', async () => {
  const folder = temporaryFolder()
  writeSmallAnswersExperiment(folder)
  const terminal = standIn({ folder })
  const argv = ['run', 'small.yaml', '--workers', '1', '--set', `recording=${ANSWERED}`, '--out', 'out']
  expect(await main([...argv, '--report', 'r.html'], terminal)).toBe(0)
  const { answers } = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
  const rows = answers.rows.map(({ answerer, failed, measures }: AnsweredRow) => [
    answerer,
    failed,
    measures.answer_f1.mean.toFixed(3),
  ])
  expect(rows).toMatchInlineSnapshot(`
    [
      [
        "closed-book(model=small)",
        0,
        "0.000",
      ],
      [
        "llm(model=small,top=2)",
        0,
        "0.061",
      ],
      [
        "map-reduce(model=small,top=2)",
        12,
        "0.000",
      ],
    ]
  `)
  // Every answer of the recording was read, and no other.
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(ANSWERED))
})

test('a small model judges answers, from its recording', async () => {
  const folder = temporaryFolder()
  writeSmallJudgesExperiment(folder)
  const terminal = standIn({ folder })
  const argv = ['run', 'small.yaml', '--workers', '1', '--set', `recording=${JUDGED}`, '--out', 'out']
  expect(await main([...argv, '--report', 'r.html'], terminal)).toBe(0)
  const { answers } = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
  const judged = answers.judges.map(({ name, modelCalls, failed, bias }: JudgeSummary) => [
    ...[name, modelCalls, failed],
    ...(bias ? [bias] : []),
  ])
  expect(judged).toMatchInlineSnapshot(`
    [
      [
        "correctness",
        6,
        0,
      ],
      [
        "preference",
        4,
        0,
        {
          "consistent": 0,
          "first": 1,
          "longer": null,
          "pairs": 2,
        },
      ],
      [
        "nugget_recall",
        12,
        6,
      ],
      [
        "faithfulness",
        13,
        5,
      ],
      [
        "context_recall",
        12,
        6,
      ],
      [
        "answer_relevancy",
        6,
        0,
      ],
      [
        "answer_similarity",
        0,
        0,
      ],
    ]
  `)
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(JUDGED))
})

test('a small model extracts what it can and reports on it, and what it cannot is named, from its recording', async () => {
  const folder = temporaryFolder()
  writeSmallExtractionExperiment(folder)
  const terminal = standIn({ folder })
  const argv = [
    'run',
    'extraction.yaml',
    '--workers',
    '1',
    '--set',
    `recording=${EXTRACTIONS}`,
    '--out',
    'out',
  ]
  expect(await main([...argv, '--report', 'r.html'], terminal)).toBe(0)
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'out', file), 'utf8'))
  const counts = read('summary.json').indexes.map((index: { counts: Record<string, number> }) =>
    Object.fromEntries(
      Object.entries(index.counts).filter(([name]) => name.startsWith('llm-') || name === 'communityReports'),
    ),
  )
  expect(counts).toMatchInlineSnapshot(`
    [
      {
        "communityReports": 0,
        "llm-graphrag: unreadChunks": 4,
      },
      {
        "communityReports": 3,
        "llm-openie: entities": 21,
        "llm-openie: relationships": 10,
      },
    ]
  `)
  // All of it was read, and nothing else.
  expect(read('manifest.json').files['answers.jsonl']).toBe(sha256File(EXTRACTIONS))
  expect(terminal.stderr()).toContain(
    'warning: llm-graphrag: 4 of 4 chunks are not in the graph, since no answer on them could be read: d0 (',
  )
  expect(terminal.stderr()).not.toContain('warning: llm-openie')
})

test('a small model prepares a corpus, from its recording', async () => {
  const folder = temporaryFolder()
  writeSmallPreparationExperiment(folder)
  const terminal = standIn({ folder })
  const argv = [
    'run',
    'preparation.yaml',
    '--workers',
    '1',
    '--set',
    `recording=${PREPARATION}`,
    '--out',
    'out',
  ]
  expect(await main([...argv, '--report', 'r.html'], terminal)).toBe(0)
  const { indexes } = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
  expect(indexes[0].counts).toMatchObject({
    chunkHeaders: 8,
    summarizedEntities: 4,
    summarizedRelationships: 0,
    treeSummaries: 2,
    treeLayers: 1,
  })
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(PREPARATION))
})

test('a small model has every role of a retriever, from its recording', async () => {
  const folder = temporaryFolder()
  writeSmallRolesExperiment(folder)
  const terminal = standIn({ folder })
  const argv = ['run', 'small.yaml', '--workers', '1', '--set', `recording=${ROLES}`, '--out', 'out']
  expect(await main([...argv, '--report', 'r.html'], terminal)).toBe(0)
  const { trials } = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
  const rows = trials.map(({ name, failed, perQuery }: TrialSummary) => [
    name,
    failed,
    perQuery.modelCalls?.toFixed(1),
  ])
  expect(rows).toMatchInlineSnapshot(`
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
        "rag-fusion by=variations",
        4,
        "0.2",
      ],
      [
        "rag-fusion by=parts",
        1,
        "0.8",
      ],
      [
        "lightrag",
        2,
        "0.6",
      ],
      [
        "hipporag",
        0,
        "0.8",
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
        "2.0",
      ],
      [
        "graphrag-global",
        0,
        "3.6",
      ],
    ]
  `)
  expect(sha256File(join(folder, 'out', 'answers.jsonl'))).toBe(sha256File(ROLES))
})
