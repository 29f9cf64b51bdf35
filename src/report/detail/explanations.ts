import type { Results } from '../../results/read.ts'
import { type Block, jsonBlock } from './encode.ts'

/** Places of ends that are no chunk, and of chunks whose text is not in the page. */
const [ENTITY, UNSHOWN] = [-2, -1]

/** Number of first ranks with every step on the page. */
const RANKS = 10

/**
 * Ranks by step, and links of walks, one cell per (list, query). A breakdown's cell alternates the place of a step in `steps` and a
 * list of ranks and scores of the first chunks in turn (0 and 0: not in the step's list). A walk's cell alternates the place of
 * a step and a list of links: from, to and share in turn, -1 for the question and for no share; `ends` are pairs of a name and the
 * place among the texts, -1 for a chunk without a text, -2 for an entity. `routes` has the arm of each query, a place in `arms` or -1,
 * by router: those of the lists, also under transforms, and the fitted ones.
 */
export function packExplanations(
  { breakdown, walks, routes, summary, queries }: Results,
  lists: readonly number[],
  ranks: number,
  placeOf: (chunk: string) => number,
): Record<string, Block> {
  const index = new Map(lists.map((trial, at) => [trial, at]))
  const cellsOf = () =>
    Array.from({ length: lists.length * queries.id.length }, () => new Map<number, number[]>())
  const cellAt = (cells: Map<number, number[]>[], trial: number, query: number, step: number) => {
    const cell = cells[(index.get(trial) ?? 0) * queries.id.length + query]
    const own = cell.get(step) ?? []
    cell.set(step, own)
    return own
  }
  const flat = (cells: readonly Map<number, number[]>[]) => cells.map((cell) => [...cell].flat())
  const blocks: Record<string, Block> = {}
  if (breakdown) {
    const cells = cellsOf()
    const { rows, trial, query, rank, step, step_rank: stepRank, score } = breakdown
    for (let row = 0; row < rows; row++)
      if (index.has(trial[row]) && rank[row] <= Math.min(RANKS, ranks))
        cellAt(cells, trial[row], query[row], step.codes[row]).push(
          stepRank[row],
          stepRank[row] > 0 ? Number(score[row].toPrecision(3)) : 0,
        )
    blocks.breakdown = jsonBlock({ steps: step.words, cells: flat(cells) })
  }
  if (walks) {
    const cells = cellsOf()
    const ends = new Map<string, number>()
    const endOf = (name: string, chunk: string) => {
      if (name === '' && chunk === '') return -1
      const place = chunk === '' ? ENTITY : placeOf(chunk)
      const key = JSON.stringify([name || chunk, place === -1 ? UNSHOWN : place])
      ends.set(key, ends.get(key) ?? ends.size)
      return ends.get(key) ?? 0
    }
    const { rows, trial, query, step, from, from_chunk: fromChunk, to, to_chunk: toChunk, share } = walks
    const word = ({ words, codes }: typeof from, row: number) => words[codes[row]]
    for (let row = 0; row < rows; row++)
      if (index.has(trial[row]))
        cellAt(cells, trial[row], query[row], step.codes[row]).push(
          endOf(word(from, row), word(fromChunk, row)),
          endOf(word(to, row), word(toChunk, row)),
          Number.isNaN(share[row]) ? -1 : share[row],
        )
    blocks.walks = jsonBlock({
      steps: step.words,
      ends: [...ends.keys()].map((key) => JSON.parse(key)),
      cells: flat(cells),
    })
  }
  if (routes) {
    const trials = summary.trials.map(({ id }) => id)
    const shown = routes.router.words.filter((id) => !trials.includes(id) || index.has(trials.indexOf(id)))
    const placeOf = new Map(shown.map((id, at) => [id, at]))
    const names = new Map([...summary.trials, ...summary.routing].map(({ id, name }) => [id, name]))
    const chosen = shown.map((): number[] => new Array(queries.id.length).fill(-1))
    for (let row = 0; row < routes.rows; row++) {
      const router = placeOf.get(routes.router.words[routes.router.codes[row]])
      if (router !== undefined) chosen[router][routes.query[row]] = routes.arm.codes[row]
    }
    if (shown.length > 0)
      blocks.routes = jsonBlock({
        routers: shown.map((id) => names.get(id) ?? id),
        arms: routes.arm.words,
        chosen,
      })
  }
  return blocks
}
