import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The model that wrote `qwen05-graphrag-bench.jsonl`, as shared/llm/qwen.sh serves it. */
export const QWEN = 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf'

const NOBODY = 'http://127.0.0.1:1/v1'

const COAST =
  'The town of Lomm lies at the strait. Ada Verel built its lighthouse in 1901, after two ships had been lost on the reef. The light was lit with whale oil, and the keeper rowed out every evening. In the great storm of 1907 the lamp went out, and the ferry Osprey ran aground below the town.'
const MOUNTAIN =
  'The village of Osthythe lives by weaving. Its dyers take their blue from the woad that grows on the southern slope. The weavers sell their cloth at the fair in Lomm, which is held in the first week of autumn.'

export const BENCH_QUESTIONS = [
  {
    id: 'Novel-1',
    source: 'Coast',
    question: 'Who built the lighthouse of Lomm?',
    answer: 'Ada Verel',
    question_type: 'Fact Retrieval',
    evidence: ['Ada Verel built the lighthouse of Lomm.'],
    evidence_triple: ['(Ada Verel, built, lighthouse)'],
  },
  {
    id: 'Novel-2',
    source: 'Coast',
    question: 'Why did the ferry Osprey run aground?',
    answer: 'The lamp of the lighthouse went out in the storm of 1907.',
    question_type: 'Complex Reasoning',
    evidence: ['The lamp went out in the storm of 1907.', 'The ferry Osprey ran aground.'],
    evidence_triple: [],
  },
  {
    id: 'Novel-1',
    source: 'Mountain',
    question: 'How do the people of Osthythe live?',
    answer: 'They weave cloth, dye it blue with woad, and sell it at the fair in Lomm.',
    question_type: 'Contextual Summarize',
    evidence: ['Osthythe lives by weaving.', 'The dyers use woad.', 'The cloth is sold at the fair in Lomm.'],
    evidence_relations: [],
  },
  {
    id: 'Novel-4',
    source: 'Mountain',
    question: "Retell the dyers' year as a letter.",
    answer: 'A letter in which the dyers gather woad on the southern slope before the autumn fair.',
    question_type: 'Creative Generation',
    evidence: ['Woad grows on the southern slope.'],
  },
]

/** GraphRAG-Bench's two folders with a small invented set, and answers in the form that its runners write. */
export function writeGraphragBench(folder: string, baseUrl = NOBODY): void {
  for (const below of ['Questions', 'Corpus']) mkdirSync(join(folder, 'Datasets', below), { recursive: true })
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(value, null, 1))
  write('Datasets/Questions/novel_questions.json', BENCH_QUESTIONS)
  write('Datasets/Corpus/novel.json', [
    { corpus_name: 'Coast', context: COAST },
    { corpus_name: 'Mountain', context: MOUNTAIN },
  ])
  const said = [
    'Ada Verel built it in 1901.',
    'The storm.',
    'They weave and sell cloth.',
    'Dear friend, the woad is in.',
  ]
  write(
    'theirs.json',
    BENCH_QUESTIONS.map(({ id, question, source, evidence, question_type, answer }, at) => ({
      id,
      question,
      source,
      evidence,
      question_type,
      ground_truth: answer,
      context: [source === 'Coast' ? COAST : MOUNTAIN],
      generated_answer: said[at],
    })),
  )
  const asked = ['answer_correctness', 'coverage', 'evidence_recall', 'context_relevance', 'faithfulness']
  writeFileSync(
    join(folder, 'bench.yaml'),
    `name: bench
dataset: Datasets/Questions/novel_questions.json
prepare: {chunk: {sentences: {size: 40}}, embedder: lsa}
models:
  qwen: {openai-compatible: {baseUrl: "${baseUrl}", model: ${QWEN}, temperature: 0, seed: 1, maxTokens: 500, concurrency: 1, timeout: 600}}
trials: [bm25]
runs: [theirs.json]
answer: {recorded: {path: theirs.json}}
judge: [${asked.map((name) => `{${name}: {model: qwen}}`).join(', ')}]
measures: [recall@5]
compare: {draws: 200}
`,
  )
}
