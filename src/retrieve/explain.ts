import type { Store } from '../store/store.ts'
import type { Ranking } from '../types.ts'
import type { Memo } from './evaluate.ts'
import type { Expression, Walked } from './step.ts'

export interface StepRanks {
  readonly step: string
  readonly ranks: readonly number[]
  readonly scores: readonly (number | null)[]
}

/** Expressions below `root` that the query at `index` read, inputs first: of a choice, the chosen arm alone. */
export function readFor(memo: Memo, root: Expression<unknown>, index: number): Expression<unknown>[] {
  const read = new Map<string, Expression<unknown>>()
  const visit = (expression: Expression<unknown>) => {
    const { key, step, params, inputs } = expression
    if (read.has(key)) return
    const first = step.pick && memo.cell(inputs[0], index)
    if (first && !first.failure) {
      visit(inputs[0])
      visit(inputs[(step.pick?.(first.value, params) ?? 0) + 1])
    } else for (const input of inputs) visit(input)
    read.set(key, expression)
  }
  visit(root)
  return [...read.values()]
}

interface StepRanking {
  readonly step: string
  readonly ranking: Ranking
  readonly base?: () => Pick<Ranking, 'rows' | 'scores'>
}

/** Rankings of the steps that a query read, in order; steps of one name are numbered. */
export function rankingsRead(memo: Memo, root: Expression<unknown>, index: number): readonly StepRanking[] {
  const nameOf = numbered()
  return readFor(memo, root, index).flatMap(({ step, ...expression }) => {
    const value =
      step.yields === 'ranking' && !step.pick ? memo.cell({ ...expression, step }, index)?.value : undefined
    if (value === undefined) return []
    const inputs = () => expression.inputs.map((input) => memo.cell(input, index)?.value)
    const { base } = step
    return [
      {
        step: nameOf(step.name),
        ranking: value as Ranking,
        ...(base && { base: () => base(inputs(), expression.params) }),
      },
    ]
  })
}

function numbered(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count > 1 ? `${name} ${count}` : name
  }
}

/** Ranks and scores (to six digits) of the chunks at `rows` after each step; null if there is one step only. */
export function breakdownOf(
  memo: Memo,
  root: Expression<unknown>,
  index: number,
  rows: ArrayLike<number>,
): StepRanks[] | null {
  const rankings = rankingsRead(memo, root, index)
  if (rankings.length < 2 || rows.length === 0) return null
  const places = new Map(Array.from(rows, (row, place) => [row, place]))
  return rankings.map(({ step, ranking }) => {
    const ranks = new Array<number>(rows.length).fill(0)
    const scores = new Array<number | null>(rows.length).fill(null)
    for (let at = 0, left = rows.length; at < ranking.rows.length && left > 0; at++) {
      const place = places.get(ranking.rows[at])
      if (place === undefined) continue
      ranks[place] = at + 1
      scores[place] = Number(ranking.scores[at].toPrecision(6))
      left--
    }
    return { step, ranks, scores }
  })
}

/** Reader of a trial's walks by query: links from starts to the chunks at `rows`, by step. */
export async function openWalks(
  store: Store,
  memo: Memo,
  root: Expression<unknown>,
): Promise<(index: number, rows: ArrayLike<number>) => Readonly<Record<string, WalkLink[]>> | null> {
  const openers = new Map<string, (inputs: never) => Walked>()
  const open = async ({ key, step, recipe, inputs, params }: Expression<unknown>): Promise<void> => {
    if (openers.has(key)) return
    if (step.walked) openers.set(key, await store.open(step.walked(recipe, params)))
    for (const input of inputs) await open(input)
  }
  await open(root)
  return (index, rows) => {
    if (openers.size === 0) return null
    const nameOf = numbered()
    const walks = readFor(memo, root, index).flatMap(({ key, step, inputs }) => {
      const walked = openers.get(key)
      const cells = inputs.map((input) => memo.cell(input, index))
      if (!walked || cells.some((cell) => !cell || cell.failure)) return []
      const links = linksOf(walked(cells.map((cell) => cell?.value) as never), rows)
      return links.length > 0 ? [[nameOf(step.name), links] as const] : []
    })
    return walks.length > 0 ? Object.fromEntries(walks) : null
  }
}

/** Link of a walk: from the question (null), an entity's name or a chunk's row; a start has its share of the weight. */
export type WalkLink = readonly [from: string | number | null, to: string | number, share: number | null]

/** Maximum starts of a stored walk, chunks at its ends, and nodes visited before a search ends. */
const [STARTS, CHUNKS, LOOKED_AT] = [8, 10, 5000]

/** The heaviest starts, and the links of a shortest path from them to each chunk that one reaches. */
export function linksOf(walked: Walked, rows: ArrayLike<number>): WalkLink[] {
  const { starts, neighbours, entries, endOf } = walked
  const total = Array.from(starts.weights).reduce((sum, weight) => sum + weight, 0)
  const heaviest = Array.from(starts.nodes, (node, at) => ({ node, weight: starts.weights[at] }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.node - b.node)
    .slice(0, STARTS)
  if (heaviest.length === 0) return []
  /** Node before each reached one, in the order of their distance; -1 for a start. */
  const before = new Map(heaviest.map(({ node }) => [node, -1]))
  for (const node of before.keys()) {
    if (before.size > LOOKED_AT) break
    const next = neighbours(node)
    for (let at = 0; at < next.length; at++) if (!before.has(next[at])) before.set(next[at], node)
  }
  const order = new Map([...before.keys()].map((node, place) => [node, place]))
  const links = new Map<string, WalkLink>()
  const add = (from: string | number, to: string | number) => {
    if (from !== to) links.set(JSON.stringify([from, to]), [from, to, null])
  }
  for (const row of Array.from(rows).slice(0, CHUNKS)) {
    const reached = Array.from(entries(row)).filter((node) => order.has(node))
    const nearest = reached.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))[0]
    if (nearest === undefined) continue
    add(endOf(nearest), row)
    for (
      let node = nearest, from = before.get(node) ?? -1;
      from >= 0;
      node = from, from = before.get(node) ?? -1
    )
      add(endOf(from), endOf(node))
  }
  const share = (weight: number) => Number((weight / total).toPrecision(4))
  return [
    ...heaviest.map(({ node, weight }): WalkLink => [null, endOf(node), share(weight)]),
    ...links.values(),
  ]
}
