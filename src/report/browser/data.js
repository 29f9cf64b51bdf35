// @ts-check
/** @import {BoardData} from '../detail/board-data.ts' */
/** @import {Answers, Citation, Labels, Meta, Numbers, PackedBreakdown, PackedWalks, Queries, Texts, Trials} from './types.d.ts' */

/** Metadata of the page. */
export const meta = /** @type {Meta} */ (JSON.parse(document.getElementById('meta')?.textContent ?? '{}'))

/** @type {Map<string, Promise<unknown>>} */
const blocks = new Map()

/**
 * A block of data: inflated when it is first asked for, then kept.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
function block(name) {
  let known = blocks.get(name)
  if (!known) {
    known = inflate(name)
    blocks.set(name, known)
  }
  return known
}

/** @param {string} name */
async function inflate(name) {
  const element = document.getElementById(`block-${name}`)
  if (!element) throw new Error(`the page holds no ${name}`)
  const packed = Uint8Array.from(atob(element.textContent ?? ''), (char) => char.charCodeAt(0))
  const response = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')))
  const bytes = await response.arrayBuffer()
  switch (element.dataset.type) {
    case 'u8':
      return new Uint8Array(bytes)
    case 'u16':
      return new Uint16Array(bytes)
    case 'u32':
      return new Uint32Array(bytes)
    case 'f32':
      return new Float32Array(bytes)
    default:
      return JSON.parse(new TextDecoder().decode(bytes))
  }
}

export const trials = () => /** @type {Promise<Trials>} */ (block('trials'))
export const queries = () => /** @type {Promise<Queries>} */ (block('queries'))
export const labels = () => /** @type {Promise<Labels>} */ (block('labels'))
export const texts = () => /** @type {Promise<Texts>} */ (block('texts'))
export const said = () => /** @type {Promise<import('./types.d.ts').Said>} */ (block('said'))
export const markWords = () => /** @type {Promise<string[]>} */ (block('markWords'))
export const board = () => /** @type {Promise<BoardData>} */ (block('board'))
export const latex = () => /** @type {Promise<string>} */ (block('latex'))

/** @typedef {{step: string, ranks: number[], scores: number[]}} StepRanks */

/**
 * Ranks (0: not in the list) and scores of a trial's first results after each step, in order; empty if they were not kept.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<StepRanks[]>}
 */
export async function breakdownOf(trial, query) {
  const cell = cellOf(/** @type {PackedBreakdown | null} */ (await optional('breakdown')), trial, query)
  return cell.map(([step, flat]) => ({
    step,
    ranks: flat.filter((_, at) => at % 2 === 0),
    scores: flat.filter((_, at) => at % 2 === 1),
  }))
}

/** @typedef {{name: string, text: number}} WalkEnd */
/** @typedef {{step: string, links: {from: WalkEnd | null, to: WalkEnd, share: number | null}[]}} Walk */

/**
 * Walks of a trial over a graph: starts with their shares, then links; `from` is null for the question.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<Walk[]>}
 */
export async function walksOf(trial, query) {
  const all = /** @type {PackedWalks | null} */ (await optional('walks'))
  const end = (/** @type {number} */ at) => {
    const [name, text] = all?.ends[at] ?? ['', -1]
    return { name, text }
  }
  return cellOf(all, trial, query).map(([step, flat]) => ({
    step,
    links: flat.flatMap((from, at) =>
      at % 3 === 0
        ? [
            {
              from: from < 0 ? null : end(from),
              to: end(flat[at + 1]),
              share: flat[at + 2] < 0 ? null : flat[at + 2],
            },
          ]
        : [],
    ),
  }))
}

/** @param {string} name */
const optional = async (name) => (document.getElementById(`block-${name}`) ? block(name) : null)

/**
 * @param {PackedBreakdown | null} packed
 * @param {number} trial
 * @param {number} query
 * @returns {[step: string, flat: number[]][]}
 */
function cellOf(packed, trial, query) {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (!packed || place < 0) return []
  const cell = packed.cells[place * count + query]
  return cell.flatMap((step, at) =>
    at % 2 === 0 ? [[packed.steps[Number(step)], /** @type {number[]} */ (cell[at + 1])]] : [],
  )
}

/** @param {'ranks' | 'stages' | 'chunks' | 'hits' | 'listScores' | 'marks'} name */
export const numbers = (name) => /** @type {Promise<Numbers>} */ (block(name))

/**
 * Every query's score of one trial in one measure: NaN where a query is not judged.
 * @param {number} trial place in the experiment's trials
 * @param {string} measure
 * @returns {Promise<Float64Array>}
 */
export async function scoresOf(trial, measure) {
  const { queries: count, trials: columns, measures } = meta.shape
  const [place, column] = [measures.indexOf(measure), columns.indexOf(trial)]
  if (place < 0 || column < 0) throw new Error(`no scores of trial ${trial} in ${measure}`)
  const [codes, values] = /** @type {[Numbers, number[]]} */ (
    await Promise.all([block(`scores${place}`), block(`values${place}`)])
  )
  const scores = new Float64Array(count)
  for (let query = 0; query < count; query++) {
    const code = codes[query * columns.length + column]
    scores[query] = code === 0 ? Number.NaN : values[code - 1]
  }
  return scores
}

/** @typedef {{text: number, score: number, hit: boolean, mark: string}} Hit */

/**
 * Results of a trial for a query; null if they were not stored.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<Hit[] | null>}
 */
export async function hitsOf(trial, query) {
  const { lists, ranks, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return null
  const [chunks, hits, scores, marks, words] = await Promise.all([
    numbers('chunks'),
    numbers('hits'),
    numbers('listScores'),
    numbers('marks'),
    markWords(),
  ])
  const start = (place * count + query) * ranks
  const found = []
  for (let cell = start; cell < start + ranks; cell++)
    if (chunks[cell] > 0)
      found.push({
        text: chunks[cell] - 1,
        score: scores[cell],
        hit: hits[cell] > 0,
        mark: marks[cell] > 0 ? words[marks[cell] - 1] : '',
      })
  return found
}

/** @typedef {{counts: [string, number][], notes: [string, string][]}} Said */

/**
 * Counters and notes of a trial's steps for a query, by name; empty if its results were not stored.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<Said>}
 */
export async function saidOf(trial, query) {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return { counts: [], notes: [] }
  const { names, texts: all, counted, noted } = await said()
  const cell = place * count + query
  return {
    counts: pairs(counted[cell]).map(([name, value]) => [names[name], value]),
    notes: pairs(noted[cell]).map(([name, text]) => [names[name], all[text]]),
  }
}

/**
 * A trial's counter of a name, by query: undefined if no step has it, 0 if it did not count for the query.
 * @param {number} trial
 * @param {string} name
 * @returns {Promise<(query: number) => number | undefined>}
 */
export async function countOf(trial, name) {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return () => undefined
  const { names, counted } = await said()
  const own = counted.slice(place * count, (place + 1) * count).map(pairs)
  const wanted = names.indexOf(name)
  if (!own.some((cell) => cell.some(([at]) => at === wanted))) return () => undefined
  return (query) => own[query].find(([at]) => at === wanted)?.[1] ?? 0
}

/**
 * @typedef {{trial: number, answerer: string, text: string, failure: string,
 *   values: {name: string, value: number | null, reason: string}[], cites: readonly Citation[]}} Answer
 */

/**
 * Answers to a query from the given trials and without retrieval, each with its measures; none if the page has no answers.
 * @param {readonly number[]} trials
 * @param {number} query
 * @returns {Promise<Answer[]>}
 */
export async function answersOf(trials, query) {
  const all = /** @type {Answers | null} */ (await optional('answers'))
  if (!all) return []
  return all.query.flatMap((of, row) =>
    of === query && (all.trial[row] < 0 || trials.includes(all.trial[row]))
      ? [
          {
            trial: all.trial[row],
            answerer: all.answerer[row],
            text: all.answer[row],
            failure: all.failure[row],
            values: all.names.map((name, place) => ({
              name,
              value: all.values[place][row],
              reason: all.reasons[row].find(([of]) => of === place)?.[1] ?? '',
            })),
            cites: all.cites[row],
          },
        ]
      : [],
  )
}

/** @param {readonly number[]} flat */
function pairs(flat) {
  return flat.flatMap((first, at) => (at % 2 === 0 ? [[first, flat[at + 1]]] : []))
}
