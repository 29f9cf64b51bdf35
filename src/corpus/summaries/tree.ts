import { cutToBudget } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { type Incidence, incidenceOf, membersOf } from '../graph/csr.ts'

/**
 * RAPTOR's tree and the two ways to search it. Chunks are clustered and summarised, the summaries again, and so on; a
 * node's score is its cosine to the query.
 * Sarthi et al., RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval (ICLR 2024).
 */
export interface SummaryTree {
  /** Lower layers first. */
  readonly summaries: readonly Summary[]
  /** By summary the chunks somewhere under it. */
  readonly chunks: Incidence
  /** Rows of the uppermost layer. */
  readonly top: readonly number[]
}

interface Summary {
  /** 1 is made of chunks, 2 of summaries of these, ... */
  readonly layer: number
  readonly text: string
  /** o200k tokens. */
  readonly tokens: number
  /** Summaries, by their rows in the tree; of layer 1: chunks, by theirs. */
  readonly children: readonly number[]
}

/** The texts of one layer, that of the chunks or one of summaries. */
export interface Layer {
  readonly texts: readonly string[]
  /** o200k tokens of each. */
  readonly tokens: readonly number[]
}

/** Summaries, and the rows of the layer below that each is of. */
export interface SummaryLayer extends Layer {
  readonly children: readonly (readonly number[])[]
}

/** Layers one after the other, with the chunks under each summary. */
export function assembleTree(layers: readonly SummaryLayer[], chunks: number): SummaryTree {
  const summaries: Summary[] = []
  const under: (readonly number[])[] = []
  let top: number[] = []
  /** Where the layer below begins. */
  let start = 0
  layers.forEach(({ texts, tokens, children }, index) => {
    const first = summaries.length
    texts.forEach((text, row) => {
      const rows = children[row].map((child) => (index === 0 ? child : start + child))
      summaries.push({ layer: index + 1, text, tokens: tokens[row], children: rows })
      under.push(index === 0 ? rows : rows.flatMap((child) => under[child]))
    })
    if (summaries.length > first) top = texts.map((_, row) => first + row)
    start = first
  })
  return { summaries, chunks: incidenceOf(under, chunks), top }
}

/** Rows and scores alone: `extremes` says nothing of summaries. */
type Scored = Pick<Ranking, 'rows' | 'scores'>

/**
 * Collapsed tree: chunks and summaries in one list by score, down to the first that does not fit into `tokens`; of equal
 * ones the chunk first. Gives the summaries in it. `chunks` and `found` are best first; where `chunks` is cut
 * (`isCut`), the list ends with its last, as others might come next.
 */
export function collapseNodes(
  chunks: Scored,
  found: Scored,
  tokensOf: { readonly chunk: (row: number) => number; readonly summary: (row: number) => number },
  { tokens, isCut }: { readonly tokens: number; readonly isCut: boolean },
): Scored {
  const least = isCut ? (chunks.scores.at(-1) ?? 0) : Number.NEGATIVE_INFINITY
  const nodes = [
    ...Array.from(chunks.rows, (row, i) => ({
      place: -1,
      score: chunks.scores[i],
      tokens: tokensOf.chunk(row),
    })),
    ...Array.from(found.rows, (row, i) => ({
      place: i,
      score: found.scores[i],
      tokens: tokensOf.summary(row),
    })),
  ]
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
  const { rows } = cutToBudget(nodes, (node) => node.tokens, tokens)
  const places = rows.flatMap(({ place }) => (place < 0 ? [] : [place]))
  return {
    rows: Uint32Array.from(places, (place) => found.rows[place]),
    scores: Float64Array.from(places, (place) => found.scores[place]),
  }
}

/** Less than most cosines of float32 differ by, and more than float64 rounds. */
const OWN = 2 ** -26

/**
 * Summaries lift the chunks under them to their own places, each in the order of its own cosine:
 *
 *     score(chunk) = max of cos(chunk), and over the summaries that are read and above it of  cos(summary) + 2^-26 (cos(chunk) - 1)
 *
 * `ranked` are the chunks that were found without; `cosines` gives those of any.
 */
export function lift(
  tree: Pick<SummaryTree, 'chunks'>,
  ranked: Scored,
  summaries: Scored,
  cosines: (rows: readonly number[]) => ArrayLike<number>,
  { depth, mask }: { readonly depth: number; readonly mask?: Mask },
): Ranking {
  const above = new Map<number, number>()
  summaries.rows.forEach((summary, i) => {
    for (const chunk of membersOf(tree.chunks, summary))
      if (mask?.kept[chunk] !== 0)
        above.set(chunk, Math.max(above.get(chunk) ?? Number.NEGATIVE_INFINITY, summaries.scores[i]))
  })
  const scores = new Map(Array.from(ranked.rows, (row, i) => [row, ranked.scores[i]]))
  const lifted = [...above]
  const own = cosines(lifted.map(([row]) => row))
  lifted.forEach(([row, score], i) => {
    scores.set(row, Math.max(own[i], score + OWN * (own[i] - 1)))
  })
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

/**
 * Tree traversal: of the uppermost layer the `nodes` best summaries, of their children again, and so on. Gives them, layer
 * by layer, and the chunks that the last of them are made of; a summary that was not `found` is not chosen.
 */
export function descendNodes(
  { summaries, top }: Pick<SummaryTree, 'summaries' | 'top'>,
  found: Scored,
  nodes: number,
): { readonly summaries: Scored; readonly chunks: readonly number[] } {
  const scoreOf = new Map(Array.from(found.rows, (row, i) => [row, found.scores[i]]))
  const chosen: [number, number][] = []
  let open = top
  for (let layer = top.length > 0 ? summaries[top[0]].layer : 0; layer > 0; layer--) {
    const known = open.filter((row) => scoreOf.has(row))
    const best = rankPairs(
      known,
      known.map((row) => scoreOf.get(row) ?? 0),
      nodes,
    )
    best.rows.forEach((row, i) => {
      chosen.push([row, best.scores[i]])
    })
    open = [...new Set(Array.from(best.rows).flatMap((row) => summaries[row].children))]
  }
  return {
    summaries: {
      rows: Uint32Array.from(chosen, ([row]) => row),
      scores: Float64Array.from(chosen, ([, score]) => score),
    },
    chunks: open,
  }
}
