import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { BENCH_QUESTIONS, writeGraphragBench } from '../experiment/graphrag-bench.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** Verdicts of Qwen2.5-Coder-0.5B, replayed without it. */
const RECORDING = fileURLToPath(new URL('../golden/models/qwen05-graphrag-bench.jsonl', import.meta.url))
const QUESTIONS = 'Datasets/Questions/novel_questions.json'

async function call(folder: string, ...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  return { code, out: terminal.stdout(), err: terminal.stderr() }
}

test('the question file of GraphRAG-Bench opens in one step, with its types as categories', async () => {
  const folder = temporaryFolder()
  writeGraphragBench(folder)
  for (const path of [QUESTIONS, 'Datasets']) {
    const checked = await call(folder, 'check', path)
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('is valid, as graphrag-bench')])
    expect(checked.out).toContain('2 documents, 4 queries, gold by document')
    expect(checked.out).toContain("2 questions share an id with another; their text's name precedes it")
  }
  const imported = await call(folder, 'import', QUESTIONS, '-o', 'beir')
  expect(imported.code).toBe(0)
  const queries = readFileSync(join(folder, 'beir/queries.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(queries.map(({ metadata }) => metadata.category).sort()).toEqual(
    BENCH_QUESTIONS.map((one) => one.question_type).sort(),
  )
  // Evidence is of the gold: a strategy does not see it, and BEIR keeps it.
  expect(queries.find(({ _id }) => _id === 'Coast/Novel-1').metadata.evidence).toEqual(
    BENCH_QUESTIONS[0].evidence,
  )
})

test('a text that is missing, and a corpus that is not found, are named', async () => {
  const folder = temporaryFolder()
  writeGraphragBench(folder)
  writeFileSync(
    join(folder, 'Datasets/Corpus/novel.json'),
    JSON.stringify({ corpus_name: 'Coast', context: 'x' }),
  )
  const half = await call(folder, 'check', QUESTIONS)
  expect([half.code, half.err]).toEqual([
    2,
    expect.stringContaining('question 3: is about the text "Mountain", which the corpus does not hold'),
  ])
  rmSync(join(folder, 'Datasets/Corpus'), { recursive: true })
  const none = await call(folder, 'check', QUESTIONS)
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('Name the file with `corpus`')])
})

test("the benchmark's measures judge the predictions that its runners write, by type, from a recording", async () => {
  const folder = temporaryFolder()
  writeGraphragBench(folder)
  const ran = await call(
    folder,
    'run',
    'bench.yaml',
    '--workers',
    '1',
    '--set',
    `recording=${RECORDING}`,
    '-o',
    'out',
  )
  expect(ran.code, ran.err).toBe(0)
  const { answers, trials } = JSON.parse(readFileSync(join(folder, 'out/summary.json'), 'utf8'))
  const { answer_rouge_l: rouge, ...measures } = answers.rows[0].measures
  expect(rouge.mean).toBeGreaterThan(0)
  const judged = ['answer_correctness', 'coverage', 'evidence_recall', 'context_relevance', 'faithfulness']
  expect(
    judged.map((name) => {
      const [found] = Object.entries(measures).filter(([key]) => key.startsWith(name))
      const { mean, n } = found[1] as { mean: number; n: number }
      return [name, Number(mean.toFixed(3)), n]
    }),
  ).toMatchInlineSnapshot(`
    [
      [
        "answer_correctness",
        0.744,
        4,
      ],
      [
        "coverage",
        1,
        4,
      ],
      [
        "evidence_recall",
        1,
        4,
      ],
      [
        "context_relevance",
        0.5,
        4,
      ],
      [
        "faithfulness",
        0.75,
        4,
      ],
    ]
  `)
  expect(Object.keys(trials[0].categories ?? {}).length).toBe(4)
})
