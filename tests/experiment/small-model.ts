import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTowns } from './experiments.ts'

/** The file of the small language model that shared/llm serves, which is what its server calls it. */
export const SMALL_MODEL = 'SmolLM2-135M-Instruct.Q4_1.gguf'

/** Of its 13 queries: what `hyde` asks, and what `query2doc` does. */
export const SMALL_QUESTIONS = 26

/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:1/v1'

const small = (baseUrl: string, maxTokens: number, [temperature, seed] = [0, 1]) =>
  `{openai-compatible: {baseUrl: "${baseUrl}", model: ${SMALL_MODEL}, temperature: ${temperature}, seed: ${seed}, maxTokens: ${maxTokens}, concurrency: 2, timeout: 600}}`

/** An experiment in which it answers questions, with passages, in two steps, and without; its answers are in `smollm2-answered.jsonl`. */
export function writeSmallAnswersExperiment(folder: string, baseUrl = NOBODY): void {
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-answers
dataset: towns
models:
  small: ${small(baseUrl, 60)}
trials: [bm25]
measures: [recall@5]
answer: [{llm: {model: small, top: 2}}, {map-reduce: {model: small, top: 2}}, {closed-book: {model: small}}]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it judges answers that no model wrote; its verdicts are in `smollm2-judges.jsonl`. */
export function writeSmallJudgesExperiment(folder: string, baseUrl = NOBODY): void {
  writeTowns(join(folder, 'towns'), { towns: 3 })
  const asking = ['correctness', 'preference', 'nugget_recall', 'faithfulness', 'context_recall']
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-judges
dataset: towns
prepare: {embedder: lsa}
models:
  small: ${small(baseUrl, 120)}
trials: [bm25, random]
measures: [recall@5]
answer: {extractive: {top: 1}}
judge: [${asking.map((name) => `{${name}: {model: small}}`).join(', ')}, {answer_relevancy: {model: small, questions: 1}}, answer_similarity]
compare: {draws: 200}
`,
  )
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

/** An experiment in which it extracts two graphs and reports on communities; its answers are in `smollm2-extractions.jsonl`. */
export function writeSmallExtractionExperiment(folder: string, baseUrl = NOBODY): void {
  writeTowns(join(folder, 'towns'), { towns: 4 })
  writeFileSync(
    join(folder, 'extraction.yaml'),
    `name: small-extraction
dataset: towns
prepare:
  graph: {grid: {tuples: [{llm-graphrag: {model: small}}, rules], triples: {llm-openie: {model: warm}}}}
  communities: leiden
  reports: {llm: {model: warm, tokens: 200}}
models:
  small: ${small(baseUrl, 160)}
  warm: ${small(baseUrl, 400, [0.7, 2])} # repeats itself less
trials: [bm25, lightrag, hipporag, graphrag-global]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it prepares a corpus otherwise than by extraction; its answers are in `smollm2-preparation.jsonl`. */
export function writeSmallPreparationExperiment(folder: string, baseUrl = NOBODY): void {
  writeTowns(join(folder, 'towns'), { towns: 4 })
  writeFileSync(
    join(folder, 'preparation.yaml'),
    `name: small-preparation
dataset: towns
prepare:
  chunk: {sentences: {each: 1}}
  embedder: {lsa: {dims: 2}} # as when the answers were recorded
  context: {llm: {model: small}}
  graph: rules
  descriptions: {llm: {model: small, words: 30}}
  tree: {llm: {model: small, size: 4, words: 30}}
models:
  small: ${small(baseUrl, 40)}
trials: [bm25, lightrag, raptor]
compare: {draws: 200}
`,
  )
}

/** An experiment in which it has every role of a retriever; its answers are in `smollm2-roles.jsonl`. */
export function writeSmallRolesExperiment(folder: string, baseUrl = 'http://127.0.0.1:1/v1'): void {
  writeTowns(join(folder, 'towns'), { towns: 4 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-roles
dataset: towns
prepare: {embedder: {lsa: {dims: 1}}, graph: [rules, titles], communities: leiden, reports: extractive}
models:
  small: {openai-compatible: {baseUrl: "${baseUrl}", model: ${SMALL_MODEL}, temperature: 0, seed: 1, maxTokens: 80, concurrency: 2, timeout: 600}}
trials:
  - bm25
  - name: rewritten
    bm25: {}
    before: [{rewrite: {model: small}}]
  - rag-fusion: {of: bm25, model: small, queries: 2, grid: {by: [variations, parts]}}
  - lightrag: {model: small}
  - hipporag: {model: small}
  - multi-hop: {model: small, hopChunks: 1, grid: {judge: [model, ircot]}}
  - traversal: {model: small}
  - graphrag-global: {variant: dynamic, model: small}
measures: [recall@5]
compare: {draws: 200}
`,
  )
}
