import { chunkSpans, documentIds } from '../corpus/corpus.ts'
import { chunkNeighbors, type NEIGHBORS } from '../corpus/graph/chunk-neighbors.ts'
import { gains, type Neighbors } from '../corpus/graph/neighbors.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { recipesOf } from '../experiment/plan/registries.ts'
import { judgedUnits } from '../experiment/shard/judged-units.ts'
import { KEPT_RANKS } from '../experiment/shard/result.ts'
import { clamped, rangeOfDifference, SHARE } from '../metrics/range.ts'
import { readResults } from '../results/read.ts'
import { tTest } from '../statistics/intervals.ts'
import { openStore, type Store } from '../store/store.ts'

/**
 * Gold expanded over a graph: a chunk within `hops` of a gold chunk counts as an alternative of it. A label has the first rank
 * that contains it or an alternative. The gain shows how many misses lie next to the gold. It is not a score, since a chunk
 * next to an answer need not contain the answer.
 *
 *     mrr@k      mean over queries of 1 / the first rank of any label, 0 beyond k
 *     recall@k   mean over queries of the share of labels with a rank up to k; alternatives are one, at their first
 *
 * Ranks of the gold go down to the experiment's depth. Alternatives are searched in the stored ranks only: if these contain
 * fewer than k documents, an alternative further down is missed.
 */
export interface ExpandedGold {
  readonly trial: string
  readonly queries: number
  /** Queries whose stored ranks end before k judged units: their gain may be larger. */
  readonly cut: number
  /** Mean number of units that count for a label, and their share of all units. */
  readonly alternatives: number
  readonly share: number
  readonly mrr: Expanded
  readonly recall: Expanded
}

export interface Expanded {
  readonly plain: number
  readonly expanded: number
  readonly low: number
  readonly high: number
}

interface ExpandOptions {
  readonly over: (typeof NEIGHBORS)[number]
  readonly hops: number
  readonly k: number
}

/** Throws a UserError if the store lacks the graph. */
export async function expandGold(folder: string, { over, hops, k }: ExpandOptions): Promise<ExpandedGold[]> {
  const { summary, rankings, labels, gold, queries } = await readResults(folder, () => [])
  const plan = readPlan(folder)
  const store = openStore(plan.store)
  const recipes = await recipesOf(plan.experiment, plan.dataset.documentsHash, () =>
    Promise.reject(new Error('the documents are prepared')),
  )
  const wholes = (some: readonly number[]) =>
    new Set(some.map((label) => (labels.group[label] < 0 ? `label ${label}` : labels.group[label]))).size
  const byRecipe = new Map<number, Promise<Units>>()
  const unitsOf = (index: number) => {
    const units = byRecipe.get(index) ?? openUnits(store, recipes[index], plan.dataset.judgedUnit, over)
    byRecipe.set(index, units)
    return units
  }
  const labelsByQuery = Array.from(queries.id, (): number[] => [])
  for (let label = 0; label < labels.rows; label++)
    if (labels.grade[label] >= 1) labelsByQuery[labels.query[label]].push(label)
  const rows = ranked(rankings)
  const found: ExpandedGold[] = []
  for (const [trial, { id, name, finalist }] of summary.trials.entries()) {
    if (!finalist) continue
    const planned = plan.experiment.trials.find((candidate) => candidate.id === id)
    if (!planned) throw new Error(`trial ${id} is not in the plan`)
    const units = await unitsOf(planned.recipe)
    const values = { mrr: [[], []] as number[][], recall: [[], []] as number[][] }
    let cut = 0
    const sizes: number[] = []
    for (const [query, judged] of labelsByQuery.entries()) {
      if (judged.length === 0 || !queries.answerable[query]) continue
      const codes = rows.get(`${trial} ${query}`) ?? []
      const list = units.collapse(codes.map((code) => rankings.chunk.words[code]))
      if (codes.length >= KEPT_RANKS && list.length < k) cut++
      const plain = judged.map((label) => gold.rank[trial * labels.rows + label])
      const expanded = judged.map((label, at) => {
        const near = units.near(labels.judged[label], hops)
        sizes.push(near.size)
        const first = list.findIndex((unit) => near.has(unit)) + 1
        return first === 0 || (plain[at] > 0 && plain[at] < first) ? plain[at] : first
      })
      for (const [way, ranks] of [plain, expanded].entries()) {
        const reached = judged.filter((_, at) => ranks[at] > 0 && ranks[at] <= k)
        const first = Math.min(...ranks.filter((rank) => rank > 0))
        values.mrr[way].push(first <= k ? 1 / first : 0)
        values.recall[way].push(wholes(reached) / wholes(judged))
      }
    }
    found.push({
      trial: name,
      queries: values.mrr[0].length,
      cut,
      alternatives: meanOf(sizes),
      share: meanOf(sizes) / units.size,
      mrr: addedBy(values.mrr),
      recall: addedBy(values.recall),
    })
  }
  return found
}

function ranked({ rows, trial, query, rank, chunk }: Awaited<ReturnType<typeof readResults>>['rankings']) {
  const lists = new Map<string, number[]>()
  for (let row = 0; row < rows; row++) {
    const key = `${trial[row]} ${query[row]}`
    const list = lists.get(key) ?? []
    list[rank[row] - 1] = chunk.codes[row]
    lists.set(key, list)
  }
  return lists
}

interface Units {
  readonly size: number
  /** Units of chunks, each at its first position. */
  collapse(chunks: readonly string[]): readonly number[]
  /** Units that contain a judged id, or lie within `hops` of one that does. */
  near(judged: string, hops: number): ReadonlySet<number>
}

async function openUnits(
  store: Store,
  recipe: Recipe,
  judged: 'document' | 'chunk' | 'span',
  over: ExpandOptions['over'],
): Promise<Units> {
  const graph = chunkNeighbors(recipe, over)
  if (store.missing([graph]).length > 0)
    throw new UserError(
      `the store holds no graph of ${over} for these chunks; name one in \`prepare.graph\`, and a trial that reads it, as {after: [graph-boost]}`,
    )
  const [chunks, neighbors] = [await store.open(chunkSpans(recipe)), await store.open(graph)]
  const documents = judged === 'chunk' ? [] : await store.open(documentIds(recipe.documents))
  const { unitOf, placed } = judgedUnits(judged, chunks, documents)
  const rowOf = new Map(chunks.map(({ id }, row) => [id, row]))
  const rowsOf = new Map<number, number[]>()
  unitOf.forEach((unit, row) => {
    rowsOf.set(unit, [...(rowsOf.get(unit) ?? []), row])
  })
  const byId = new Map<string, ReadonlySet<number>>()
  return {
    size: rowsOf.size,
    collapse: (ids) => [...new Set(ids.map((id) => unitOf[rowOf.get(id) as number]))],
    near(id, hops) {
      const before = byId.get(id)
      if (before) return before
      const { units, holders } = placed([id])
      const direct = new Set(holders ? holders.units : [...units].filter((unit) => unit >= 0))
      const wide = widened(direct, { neighbors, hops, rowsOf, unitOf })
      byId.set(id, wide)
      return wide
    },
  }
}

function widened(
  direct: ReadonlySet<number>,
  {
    neighbors,
    hops,
    rowsOf,
    unitOf,
  }: {
    readonly neighbors: Neighbors
    readonly hops: number
    readonly rowsOf: ReadonlyMap<number, readonly number[]>
    readonly unitOf: Uint32Array
  },
): Set<number> {
  const starts = [...direct].flatMap((unit) => rowsOf.get(unit) ?? [])
  const near = gains(neighbors, starts, { hops, boost: 1, decay: 1 })
  return new Set([...direct, ...[...near.keys()].map((row) => unitOf[row])])
}

function addedBy([plain, expanded]: readonly (readonly number[])[]): Expanded {
  const reach = tTest(plain.map((value, query) => expanded[query] - value))
  const { low, high } = clamped(reach, rangeOfDifference(SHARE))
  return { plain: meanOf(plain), expanded: meanOf(expanded), low, high }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
