import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildBlock, createNames } from './build.ts'
import type { Question } from './model.ts'
import { tell } from './prose/entities.ts'
import { ownersOf, walk } from './questions/paths.ts'
import { createRandom } from './random.ts'

const folder = process.argv[2] ?? 'datasets/quickstart'
const random = createRandom(7)
const block = buildBlock(random.fork('block'), createNames())
const prose = random.fork('prose')
const passages = Object.values(block.entities)
  .flat()
  .map((entity) => tell(prose, entity, block.facts.get(entity)!))
const owner = ownersOf(passages)
const questions: Question[] = []
const asking = random.fork('questions')
for (const [hops, count] of [
  [1, 60],
  [2, 40],
  [3, 30],
  [4, 20],
]) {
  for (let made = 0; made < count; ) {
    const question = walk(asking, block, owner, hops)
    if (question) {
      questions.push(question)
      made++
    }
  }
}
for (const place of block.entities.place.slice(0, 8)) {
  questions.push({
    category: 'unanswerable',
    text: `What is the population of ${place.name}?`,
    answers: [],
    path: [],
    gold: [],
  })
}
const order = random.fork('order').shuffle(passages.map((_, number) => number))
const ids = new Map(order.map((passage, place) => [passage, `p${String(place).padStart(4, '0')}`]))
const write = (path: string, lines: string[]) => {
  writeFileSync(`${path}.tmp`, `${lines.join('\n')}\n`)
  renameSync(`${path}.tmp`, path)
}
mkdirSync(join(folder, 'qrels'), { recursive: true })
write(
  join(folder, 'corpus.jsonl'),
  order.map((passage) => {
    const { title, text } = passages[passage]
    return JSON.stringify({ _id: ids.get(passage), title, text })
  }),
)
const idOf = (number: number) => `q${String(number).padStart(3, '0')}`
write(
  join(folder, 'queries.jsonl'),
  questions.map(({ category, text, answers }, number) =>
    JSON.stringify({
      _id: idOf(number),
      text,
      metadata:
        category === 'unanswerable' ? { category, answers, answerable: false } : { category, answers },
    }),
  ),
)
write(join(folder, 'qrels', 'test.tsv'), [
  'query-id\tcorpus-id\tscore',
  ...questions.flatMap(({ gold }, number) =>
    gold.map((passage) => `${idOf(number)}\t${ids.get(passage)}\t1`),
  ),
])
