import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTowns } from './experiments.ts'

/** The file of the small language model that shared/llm serves, which is what its server calls it. */
export const SMALL_MODEL = 'SmolLM2-135M-Instruct.Q4_1.gguf'

/** Of its 13 queries: what `hyde` asks, and what `query2doc` does. */
export const SMALL_QUESTIONS = 26

/** An experiment in which it answers questions, with passages, in two steps, and without; its answers are in `smollm2-answered.jsonl`. */
export function writeSmallAnswersExperiment(folder: string, baseUrl = 'http://127.0.0.1:1/v1'): void {
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-answers
dataset: towns
models:
  small: {openai-compatible: {baseUrl: "${baseUrl}", model: ${SMALL_MODEL}, temperature: 0, seed: 1, maxTokens: 60, concurrency: 2, timeout: 600}}
trials: [bm25]
measures: [recall@5]
answer: [{llm: {model: small, k: 2}}, {map-reduce: {model: small, k: 2}}, {closed-book: {model: small}}]
compare: {draws: 200}
`,
  )
}

/** An experiment in which a small language model rewrites queries; its answers are in `smollm2-answers.jsonl`. */
export function writeSmallModelExperiment(folder: string, baseUrl = 'http://127.0.0.1:1/v1'): void {
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(
    join(folder, 'small.yaml'),
    `name: small-model
dataset: towns
models:
  small: {openai-compatible: {baseUrl: "${baseUrl}", model: ${SMALL_MODEL}, temperature: 0, seed: 1, maxTokens: 24, concurrency: 2, timeout: 600}}
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
