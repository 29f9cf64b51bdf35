// A retriever for Touchstone in plain JavaScript: how many words of the query a chunk has. See docs/custom-parts.md.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

let chunks = []
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === 'hello') {
    const lines = readFileSync(message.corpus, 'utf8').trimEnd().split('\n')
    chunks = lines
      .map((one) => JSON.parse(one))
      .map(({ id, title, text }) => ({ id, words: wordsOf(`${title} ${text}`) }))
    say({ type: 'ready', name: 'shared words' })
  } else if (message.type === 'query') {
    const asked = [...wordsOf(message.text)]
    const ranking = chunks
      .map(({ id, words }) => [id, asked.filter((word) => words.has(word)).length])
      .filter(([, score]) => score > 0)
      .sort((a, b) => b[1] - a[1])
      .slice(0, message.depth)
    say({ type: 'ranking', id: message.id, ranking, counters: { compared: chunks.length } })
  }
}
