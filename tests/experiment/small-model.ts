import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTowns } from './experiments.ts'

/** The file of the small language model that shared/llm serves, which is what its server calls it. */
export const SMALL_MODEL = 'SmolLM2-135M-Instruct.Q4_1.gguf'

/** The file of the instruct model of 0.5 billion parameters that shared/llm serves: it keeps a schema and mostly reads. */
export const INSTRUCT_MODEL = 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf'

/** Of its 13 queries: what `hyde` asks, and what `query2doc` does. */
export const SMALL_QUESTIONS = 26

/** Address without a server. */
const NOBODY = 'http://127.0.0.1:1/v1'

const named = (model: string, baseUrl: string, maxTokens: number) =>
  `{openai-compatible: {baseUrl: "${baseUrl}", model: ${model}, temperature: 0, seed: 1, maxTokens: ${maxTokens}, concurrency: 2, timeout: 600}}`
const small = (baseUrl: string, maxTokens: number) => named(SMALL_MODEL, baseUrl, maxTokens)
const instruct = (baseUrl: string, maxTokens: number) => named(INSTRUCT_MODEL, baseUrl, maxTokens)

/** Leaves a BEIR folder its first query in byte order, for which completions were recorded. */
function keepFirstQuery(dataset: string): void {
  const keep = (file: string, keeps: (line: string) => boolean) => {
    const path = join(dataset, file)
    writeFileSync(path, `${readFileSync(path, 'utf8').trim().split('\n').filter(keeps).join('\n')}\n`)
  }
  const ids = readFileSync(join(dataset, 'queries.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)._id)
  const [first] = ids.sort()
  keep('queries.jsonl', (line) => JSON.parse(line)._id === first)
  keep(join('qrels', 'test.tsv'), (line) => /^(?:query-id|qid)/.test(line) || line.startsWith(`${first}\t`))
}

/** An experiment in which a small language model rewrites queries; its answers are in `smollm2-answers.jsonl`. */
export function writeSmallModelExperiment(folder: string, baseUrl = NOBODY): void {
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-model
dataset: towns
prepare: {embedder: {lsa: {dims: 4}}} # as when the answers were recorded
models:
  small: ${small(baseUrl, 24)}
trials:
  - naive
  - bm25
  - naive: {}
    before: [{hyde: {model: small}}]
  - bm25: {}
    before: [{query2doc: {model: small}}]
compare: {draws: 200}
`,
  )
}

/** An experiment in which the instruct model answers a question: with passages, in two steps, and without. */
function writeAnswersExperiment(folder: string, baseUrl: string): void {
  writeTowns(join(folder, 'towns'), { towns: 4 })
  keepFirstQuery(join(folder, 'towns'))
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: instruct-answers
dataset: towns
models:
  small: ${instruct(baseUrl, 60)}
trials: [bm25]
measures: [recall@5]
answer: [{llm: {model: small, top: 2}}, {map-reduce: {model: small, top: 2}}, {closed-book: {model: small}}]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it is every judge, of answers that no model wrote. */
function writeJudgesExperiment(folder: string, baseUrl: string): void {
  writeTowns(join(folder, 'towns'), { towns: 3 })
  keepFirstQuery(join(folder, 'towns'))
  const asking = ['correctness', 'faithfulness', 'context_recall']
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: instruct-judges
dataset: towns
prepare: {embedder: lsa}
models:
  small: ${instruct(baseUrl, 120)}
trials: [bm25, random]
measures: [recall@5]
answer: {extractive: {top: 1}}
judge: [${asking.map((name) => `{${name}: {model: small}}`).join(', ')}, {rubric: {model: small, criterion: It is short.}}, {answer_relevancy: {model: small, questions: 1}}, answer_similarity]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it extracts two graphs and reports on communities. */
function writeExtractionExperiment(folder: string, baseUrl: string): void {
  writeTowns(join(folder, 'towns'), { towns: 2 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: instruct-extraction
dataset: towns
prepare:
  graph: [{llm-graphrag: {model: small, gleanings: 0}}, {llm-openie: {model: small}}]
  communities: leiden
  reports: {llm: {model: small, tokens: 200}}
models:
  small: ${instruct(baseUrl, 250)}
trials: [bm25, lightrag, hipporag, graphrag-global]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it prepares a corpus otherwise than by extraction. */
function writePreparationExperiment(folder: string, baseUrl: string): void {
  writeTowns(join(folder, 'towns'), { towns: 3 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: instruct-preparation
dataset: towns
prepare:
  chunk: {sentences: {each: 1}}
  embedder: {lsa: {dims: 2}} # as when the completions were recorded
  context: {llm: {model: small}}
  graph: rules
  tree: {llm: {model: small, size: 4, words: 30}}
models:
  small: ${instruct(baseUrl, 40)}
trials: [bm25, lightrag, raptor]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it has every role of a retriever, for one question. */
function writeRolesExperiment(folder: string, baseUrl: string): void {
  writeTowns(join(folder, 'towns'), { towns: 4 })
  keepFirstQuery(join(folder, 'towns'))
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: instruct-roles
dataset: towns
prepare: {embedder: {lsa: {dims: 1}}, graph: [rules, titles], communities: leiden, reports: extractive}
models:
  small: ${instruct(baseUrl, 80)}
trials:
  - bm25
  - name: rewritten
    bm25: {}
    before: [{rewrite: {model: small}}]
  - name: hyde
    naive: {}
    before: [{hyde: {model: small}}]
  - rag-fusion: {of: bm25, model: small, queries: 2, grid: {by: [variations, parts]}}
  - lightrag: {model: small}
  - hipporag: {model: small}
  - multi-hop: {model: small, hopChunks: 1, grid: {judge: [model, ircot]}}
  - traversal: {model: small}
  - graphrag-global: {variant: dynamic, model: small}
  - drift: {model: small, reports: 2, folds: 1, followUps: 1, rounds: 1}
  - lazy-graphrag: {model: small, budget: 2}
measures: [recall@5]
compare: {draws: 200}
`,
  )
}

/** Experiments of the instruct model by the name of their recording, `qwen-NAME.jsonl`. */
export const INSTRUCT_EXPERIMENTS: Readonly<Record<string, (folder: string, baseUrl?: string) => void>> = {
  answers: (folder, baseUrl = NOBODY) => writeAnswersExperiment(folder, baseUrl),
  judges: (folder, baseUrl = NOBODY) => writeJudgesExperiment(folder, baseUrl),
  extraction: (folder, baseUrl = NOBODY) => writeExtractionExperiment(folder, baseUrl),
  preparation: (folder, baseUrl = NOBODY) => writePreparationExperiment(folder, baseUrl),
  roles: (folder, baseUrl = NOBODY) => writeRolesExperiment(folder, baseUrl),
}
