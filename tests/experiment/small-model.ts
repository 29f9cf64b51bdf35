import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTowns } from './experiments.ts'

/** The file of the small language model that shared/llm serves, which is what its server calls it. */
export const SMALL_MODEL = 'SmolLM2-135M-Instruct.Q4_1.gguf'

/** Of its 7 queries: what `hyde` asks, and what `query2doc` does. */
export const SMALL_QUESTIONS = 14

/** Address without a server. */
const NOBODY = 'http://127.0.0.1:1/v1'

const models = join(import.meta.dirname, '../golden/models')

/** Writes a config of golden/models whose model answers at `baseUrl`. */
function writeModelConfig(name: string, file: string, baseUrl: string): void {
  writeFileSync(file, readFileSync(join(models, name), 'utf8').replaceAll('BASE_URL', baseUrl))
}

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

/** Writes towns and `small.yaml`, the config next to the recording of this name. */
function writeRecorded(
  name: string,
  folder: string,
  towns: number,
  baseUrl: string,
  queries: 'all' | 'first',
): void {
  writeTowns(join(folder, 'towns'), { towns })
  if (queries === 'first') keepFirstQuery(join(folder, 'towns'))
  writeModelConfig(`${name}.yaml`, join(folder, 'small.yaml'), baseUrl)
}

/** An experiment in which a small language model rewrites queries; its answers are in `smollm2-answers.jsonl`. */
export function writeSmallModelExperiment(folder: string, baseUrl = NOBODY): void {
  writeRecorded('smollm2-answers', folder, 6, baseUrl, 'all')
}

/** Experiments of an instruct model by the name of their recording, `qwen-NAME.jsonl`. */
export const INSTRUCT_EXPERIMENTS: Readonly<Record<string, (folder: string, baseUrl?: string) => void>> = {
  answers: (folder, baseUrl = NOBODY) => writeRecorded('qwen-answers', folder, 4, baseUrl, 'first'),
  judges: (folder, baseUrl = NOBODY) => writeRecorded('qwen-judges', folder, 3, baseUrl, 'first'),
  extraction: (folder, baseUrl = NOBODY) => writeRecorded('qwen-extraction', folder, 2, baseUrl, 'all'),
  preparation: (folder, baseUrl = NOBODY) => writeRecorded('qwen-preparation', folder, 3, baseUrl, 'all'),
  roles: (folder, baseUrl = NOBODY) => writeRecorded('qwen-roles', folder, 4, baseUrl, 'first'),
}

/** Documents and a config in which the instruct model drafts questions and labels passages, as `qwen-drafting.jsonl` has it. */
export function writeDrafting(folder: string): void {
  cpSync(join(models, 'drafting'), folder, { recursive: true })
}

/** GraphRAG-Bench's two folders with a small invented set, and answers in the form that its runners write. */
export function writeGraphragBench(folder: string): void {
  cpSync(join(models, 'graphrag-bench'), folder, { recursive: true })
}
