import type { Results } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import type { Shape } from '../browser/types.d.ts'
import { type Block, integerBlock, jsonBlock, sizeOf } from './encode.ts'
import { citedChunks, cut, isShown, packExplanations } from './explanations.ts'

interface Level {
  /** Trials with scores, gold ranks and stages. */
  readonly trials: number
  /** Trials with lists, and their depth. */
  readonly lists: number
  readonly ranks: number
  /** Characters of a passage. */
  readonly text: number
}

/** From full detail down; the first level that fits is used. */
const LEVELS: readonly Level[] = [
  { trials: Number.POSITIVE_INFINITY, lists: 20, ranks: 20, text: 2000 },
  { trials: Number.POSITIVE_INFINITY, lists: 20, ranks: 10, text: 600 },
  { trials: 400, lists: 10, ranks: 10, text: 400 },
  { trials: 200, lists: 6, ranks: 10, text: 240 },
  { trials: 100, lists: 4, ranks: 5, text: 160 },
  { trials: 40, lists: 3, ranks: 5, text: 100 },
  { trials: 20, lists: 0, ranks: 0, text: 80 },
]

interface Detail {
  readonly blocks: Readonly<Record<string, Block>>
  readonly shape: Shape
  readonly cuts: readonly string[]
}

/** Packs per-query data into at most `budget` characters. `order`: trials by importance. */
export function packDetail(results: Results, order: readonly number[], budget: number): Detail {
  let shown: readonly number[] | undefined
  let matrices: Readonly<Record<string, Block>> = {}
  for (const level of LEVELS) {
    const trials = order.slice(0, level.trials)
    // The first levels differ in texts only.
    if (shown?.length !== trials.length) matrices = packMatrices(results, trials)
    shown = trials
    const detail = packLevel(results, order, level, trials, matrices)
    if (sizeOf(detail.blocks) <= budget || level === LEVELS[LEVELS.length - 1]) return detail
  }
  throw new Error('there is always a last level')
}

function packLevel(
  results: Results,
  order: readonly number[],
  level: Level,
  trials: readonly number[],
  matrices: Readonly<Record<string, Block>>,
): Detail {
  const { summary, queries, labels, gold, rankings } = results
  const measures = detailMeasures(summary)
  const finalists = order.filter((trial) => summary.trials[trial].finalist)
  const lists = finalists.slice(0, level.lists)
  const texts = packTexts(results, lists, level)
  const shown = { lists, ranks: level.ranks, max: level.text, placeOf: texts.placeOf }
  const explained = packExplanations(results, shown)
  const blocks: Record<string, Block> = {
    queries: jsonBlock({
      id: queries.id,
      text: queries.text,
      category: queries.category,
      answers: queries.answers,
      answerable: [...queries.answerable],
    }),
    labels: jsonBlock({
      query: [...labels.query],
      judged: labels.judged,
      grade: [...labels.grade],
      text: texts.ofLabel,
    }),
    texts: jsonBlock(texts.columns),
    ...explained.blocks,
    ...matrices,
  }
  const deepest = rankings.rank.reduce((a, b) => Math.max(a, b), 0)
  const cuts: string[] = []
  if (trials.length < order.length)
    cuts.push(`every query's scores for ${trials.length} of ${order.length} trials`)
  if (measures.length < summary.measures.length) cuts.push(`every query's scores in ${summary.primary} alone`)
  if (lists.length < finalists.length)
    cuts.push(`retrieved passages for ${lists.length} of ${finalists.length} finalists`)
  if (level.ranks < deepest && lists.length > 0)
    cuts.push(`the first ${level.ranks} retrieved passages of a query`)
  if (texts.shortened > 0) cuts.push(`the first ${level.text} characters of a passage`)
  if (explained.shortened > 0) cuts.push(`the first ${level.text} characters of an answer`)
  const shape = { queries: queries.id.length, trials, lists, stages: gold.stage.words, measures }
  return { blocks, cuts, shape }
}

/** Passages of lists, labels and answers, each once. */
function packTexts(results: Results, lists: readonly number[], { ranks, text: max }: Level) {
  const { texts, rankings, labels } = results
  const rowOf = new Map(texts.chunk.map((id, row) => [id, row]))
  const columns = { id: [] as string[], title: [] as string[], text: [] as string[] }
  const placed = new Map<string, number>()
  let shortened = 0
  const index = (id: string): number => {
    const placedAt = placed.get(id)
    if (placedAt !== undefined) return placedAt
    const row = rowOf.get(id)
    const text = row === undefined ? '' : texts.text[row]
    columns.title.push(row === undefined ? '' : texts.title[row])
    columns.text.push(cut(text, max))
    if (text.length > max) shortened++
    const place = columns.id.push(id) - 1
    placed.set(id, place)
    return place
  }
  for (let row = 0; row < rankings.rows; row++)
    if (isShown(rankings, row, lists, ranks)) index(rankings.chunk.words[rankings.chunk.codes[row]])
  const chunkOfJudged = new Map<string, string>()
  texts.judged.forEach((judged, row) => {
    if (!chunkOfJudged.has(judged)) chunkOfJudged.set(judged, texts.chunk[row])
  })
  const ofLabel = labels.judged.map((judged) => {
    const chunk = chunkOfJudged.get(judged)
    return chunk === undefined ? -1 : index(chunk)
  })
  for (const id of citedChunks(results, lists)) index(id)
  return { columns, ofLabel, shortened, placeOf: (id: string) => placed.get(id) ?? -1 }
}

/** Matrices with a column per trial: label x trial (ranks, and 1 + the index of a stage), and scores by query and trial. */
function packMatrices(
  { summary, queries, scores, labels, gold }: Results,
  trials: readonly number[],
): Record<string, Block> {
  const ranks = new Uint16Array(labels.rows * trials.length)
  const stages = new Uint8Array(labels.rows * trials.length)
  trials.forEach((trial, index) => {
    for (let label = 0; label < labels.rows; label++) {
      const row = trial * labels.rows + label
      const cell = label * trials.length + index
      ranks[cell] = Math.max(0, gold.rank[row])
      stages[cell] = gold.stage.codes[row] + 1
    }
  })
  const blocks: Record<string, Block> = { ranks: integerBlock(ranks), stages: integerBlock(stages) }
  detailMeasures(summary).forEach((measure, index) => {
    const { codes, values } = scoreMatrix(scores.get(measure)!, queries.id.length, trials)
    blocks[`scores${index}`] = codes
    blocks[`values${index}`] = values
  })
  return blocks
}

/** Trials up to which all measures have scores of every query; of more, the primary one. */
const FEW_TRIALS = 64

/** Measures with scores of every query. */
export function detailMeasures({ measures, primary, trials }: Summary): readonly string[] {
  return trials.length <= FEW_TRIALS ? measures : [primary]
}

/** query x trial: codes of few distinct values; 0 is not judged. */
function scoreMatrix(
  scores: Float64Array,
  queries: number,
  trials: readonly number[],
): { codes: Block; values: Block } {
  const codes = new Uint32Array(queries * trials.length)
  const placeByTrial = new Map<number, number>()
  const values: number[] = []
  for (let query = 0; query < queries; query++)
    trials.forEach((trial, index) => {
      const value = scores[trial * queries + query]
      if (Number.isNaN(value)) return
      // Six digits keep the number of distinct values small.
      const rounded = Math.round(value * 1e6) / 1e6
      let code = placeByTrial.get(rounded)
      if (code === undefined) {
        code = values.push(rounded)
        placeByTrial.set(rounded, code)
      }
      codes[query * trials.length + index] = code
    })
  return { codes: integerBlock(codes), values: jsonBlock(values) }
}
