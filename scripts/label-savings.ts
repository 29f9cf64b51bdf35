import { pairOf } from '../src/labels/log.ts'
import { decisionOf } from '../src/labels/order.ts'
import { poolOf } from '../src/library/label-pool.ts'
import { readResults } from '../src/results/read.ts'
import { createRandom, shuffle } from '../src/statistics/random.ts'

/**
 * Labels that the decision between the finalists of an experiment needs, in active order and in an order of chance, with the gold
 * of its dataset as the labels: npx tsx scripts/label-savings.ts EXPERIMENT... A decision is settled when no missing label can put
 * another trial first.
 */
const K = 10
const DRAWS = 5
/** Silent reading of English non-fiction: Brysbaert (2019), How many words do we read per minute? */
const WORDS_A_MINUTE = 238

for (const folder of process.argv.slice(2)) {
  const pool = await poolOf(folder, { k: K, seed: 0 })
  const { labels, queries, texts } = await readResults(folder, () => [])
  const gold = new Set(
    [...labels.query].flatMap((query, row) =>
      labels.grade[row] >= 1 ? [`${queries.id[query]}\n${labels.judged[row]}`] : [],
    ),
  )
  const judgedOf = new Map(texts.chunk.map((chunk, at) => [chunk, texts.judged[at]]))
  const pairs = pool.queries.flatMap(({ id, passages }) =>
    passages.map((passage) => ({
      key: pairOf(id, passage.id),
      isRelevant: gold.has(`${id}\n${judgedOf.get(passage.chunk)}`) || gold.has(`${id}\n${passage.document}`),
    })),
  )
  const truth = new Map(pairs.map(({ key, isRelevant }) => [key, isRelevant]))
  const lengths = new Map(
    pool.queries.flatMap(({ id, passages }) =>
      passages.map((passage) => [pairOf(id, passage.id), passage.text.split(/\s+/).length]),
    ),
  )
  const minutes = (keys: Iterable<string>) =>
    Math.round([...keys].reduce((sum, key) => sum + (lengths.get(key) ?? 0), 0) / WORDS_A_MINUTE)
  const random = createRandom(0)
  const active = labelsNeeded((known) => {
    const { weights } = decisionOf(pool, known)
    return [...weights].sort(([, a], [, b]) => b - a).map(([key]) => key)
  })
  const chance = Array.from({ length: DRAWS }, () => {
    const order = shuffle([...truth.keys()], random)
    return labelsNeeded((known) => order.filter((key) => !known.has(key)))
  })
  const meanOf = (counts: readonly number[]) =>
    Math.round(counts.reduce((sum, count) => sum + count, 0) / counts.length)
  console.log(
    `${pool.experiment}: ${pool.trials.length} finalists, ${pool.queries.length} questions, ${pairs.length} passages. First place for certain: ${active.certain} labels in active order, ${meanOf(chance.map(({ certain }) => certain))} by chance; final first place found: ${active.found}, ${meanOf(chance.map(({ found }) => found))} (mean of ${DRAWS}). Minutes of reading in active order: ${active.minutes.certain} until certain, ${active.minutes.found} until found, ${minutes(truth.keys())} for all`,
  )

  /** Labels until no missing label can change the first place, and until the final first trial is ahead and stays so. */
  function labelsNeeded(order: (known: ReadonlyMap<string, boolean>) => readonly string[]) {
    const step = Math.max(1, Math.round(truth.size / 100))
    const { leader: last } = decisionOf(pool, truth)
    const known = new Map<string, boolean>()
    let [certain, found] = [truth.size, 0]
    while (known.size < truth.size) {
      const { pairs: states, leader } = decisionOf(pool, known)
      if (certain === truth.size && states.every(({ low }) => low > 0)) certain = known.size
      const next = order(known).slice(0, step)
      if (next.length === 0) break
      for (const key of next) known.set(key, truth.get(key) ?? false)
      if (leader !== last) found = known.size
    }
    const read = [...known.keys()]
    const time = { certain: minutes(read.slice(0, certain)), found: minutes(read.slice(0, found)) }
    return { certain, found, minutes: time }
  }
}
