import { join } from 'node:path'
import { readTable } from '../../src/tables/parquet.ts'
import { readQuestions } from './questions.ts'
import { type Ranked, trapRanks } from './traps.ts'

/**
 * How often a trap is stepped into, by trial, read off the first 20 ranks that an experiment over the questions keeps:
 *
 *     npx tsx scripts/srd52/contamination.ts experiments/srd52
 */
const folder = process.argv[2]
if (!folder) {
  console.error('name the folder of an experiment')
  process.exit(2)
}
const [rankings, texts, queries, trials] = await Promise.all(
  ['rankings', 'texts', 'queries', 'trials'].map((name) => readTable(join(folder, `${name}.parquet`))),
)
const textOf = new Map(texts.strings('chunk').map((chunk, row) => [chunk, texts.strings('text')[row]]))
const traps = readQuestions().filter(({ trap }) => trap)
const [trial, query, rank] = ['trial', 'query', 'rank'].map((name) => rankings.numbers(name))
const ids = queries.strings('id')

const lists = new Map<string, Ranked[]>()
rankings.strings('chunk').forEach((chunk, row) => {
  const key = `${trial[row]} ${ids[query[row]]}`
  const list = lists.get(key) ?? []
  list[rank[row] - 1] = { documentId: chunk.slice(0, chunk.lastIndexOf('#')), text: textOf.get(chunk) ?? '' }
  lists.set(key, list)
})

console.log(`Of ${traps.length} traps, in percent:\n`)
console.log('| trial | wrong passage above the gold | wrong passage in the first 5 | gold in the first 5 |')
console.log('|---|--:|--:|--:|')
trials.strings('name').forEach((name, index) => {
  const ranks = traps.map((trap) => trapRanks(trap, lists.get(`${index} ${trap._id}`) ?? []))
  const share = (is: (one: (typeof ranks)[number]) => boolean) =>
    Math.round((100 * ranks.filter(is).length) / traps.length)
  const cells = [
    share(({ gold, wrong }) => wrong < gold),
    share(({ wrong }) => wrong <= 5),
    share(({ gold }) => gold <= 5),
  ]
  console.log(`| \`${name}\` | ${cells.join(' | ')} |`)
})
