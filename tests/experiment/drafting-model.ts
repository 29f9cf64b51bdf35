import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name of a small instruct model at the server that the recording was made with. */
const DRAFTING_MODEL = 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf'

const DOCUMENTS = {
  lomm: 'Lomm lies at the northern end of the strait. Its harbour silts up every spring, and two barges dredge it for nine days before the herring fleet returns from the western banks.',
  tarn: 'Tarn is a market town on the river Osk. Every Tuesday the weavers sell linen sails below the old bridge, and a sail of forty ells costs eleven silver pieces in autumn.',
  vell: 'The lighthouse of Vell was built in 1712 by Ines Marrow after three grain ships were lost on the reef. It burns whale oil, and its light is seen for sixteen miles in clear weather.',
  orsk: 'Orsk mines salt in the hills above the town. The salt is boiled in iron pans for two days, dried in baskets of willow, and carried to Tarn by mules before the first snow.',
}

/** A folder of documents and a config in which the model drafts questions and labels passages. */
export function writeDrafting(folder: string, baseUrl = 'http://127.0.0.1:1/v1', recording?: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true })
  for (const [name, text] of Object.entries(DOCUMENTS))
    writeFileSync(join(folder, 'docs', `${name}.md`), `# ${name}\n\n${text}\n`)
  const model = `{baseUrl: "${baseUrl}", model: ${DRAFTING_MODEL}, temperature: 0, seed: 1, maxTokens: 160, concurrency: 1, timeout: 600}`
  writeFileSync(
    join(folder, 'a.yaml'),
    `dataset: {folder: docs, questions: drafted.jsonl}
models: {small: {openai-compatible: ${model}}}
trials: [bm25, naive]
measures: [recall@1]
compare: {draws: 200}
${recording === undefined ? '' : `recording: ${recording}\n`}`,
  )
}
