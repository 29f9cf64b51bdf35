// Milliseconds of new questions through trials of a config, one question at a time, with the embedding of each question.
//     node question-times.mjs mine.yaml queries.jsonl naive hybrid
import { readFileSync } from 'node:fs'
import { createRetriever } from 'touchstone'

const [config, file, ...trials] = process.argv.slice(2)
const questions = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line).text)
const percentile = (sorted, q) => sorted[Math.ceil(q * sorted.length) - 1].toFixed(1)

for (const trial of trials) {
  const retriever = await createRetriever(config, { trial })
  await retriever.retrieve('A first question, which is not timed')
  const times = []
  for (const question of questions) {
    // The vector of a known question is stored: each run asks new ones.
    const fresh = `${question} (${trial}, ${Date.now()})`
    const begin = performance.now()
    await retriever.retrieve(fresh)
    times.push(performance.now() - begin)
  }
  await retriever.close()
  times.sort((a, b) => a - b)
  const [p50, p95] = [0.5, 0.95].map((q) => `${percentile(times, q)} ms`)
  process.stdout.write(`${trial}: p50 ${p50}, p95 ${p95}, ${times.length} questions\n`)
}
