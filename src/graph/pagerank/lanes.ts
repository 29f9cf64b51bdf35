/**
 * What a lane of a sweep's vectors is given and what is read from it, in WebAssembly (lanes.wat): a lane's entries are a
 * cache line apart, and every one of them is passed for every query.
 */
export interface LaneKernel {
  lay: Lay
  layRough: Lay
  copy(lane: number, stride: number, count: number, from: number, fromStride: number): void
  spread(to: number, lanes: number, count: number, from: number): void
  take(lane: number, stride: number, count: number, rough: number, roughStride: number): void
  score(lane: number, stride: number, count: number, factors: number, scores: number): void
  reaching(scores: number, slack: number, count: number, bound: number, floor: number, found: number): number
}
type Lay = (
  lane: number,
  stride: number,
  count: number,
  rows: number,
  weights: number,
  inverse: number,
  share: number,
) => void

/** The ranked nodes as a kernel has them: `heads` with edges, then those without. */
export interface Ranked {
  /** The place in the sweep of each, in the order of places. */
  readonly places: Uint32Array
  /** Room for their scores, in the same order. */
  readonly scores: Float64Array
  /** Writes the scores that a lane of z gives: y = strength z, for a node without edges z as it is. */
  score(lanes: number, lane: number): void
  /** Which of them reach the floor when each z may be too low by `bound`, ascending, as places among the ranked. */
  reaching(bound: number, floor: number): Uint32Array
}

/** Where the ranked nodes' numbers stand in the kernel's memory. */
export function placeRanked(place: (bytes: number) => number, count: number) {
  return {
    rows: place(4 * count),
    weights: place(8 * count),
    factors: place(8 * count),
    slack: place(8 * count),
    scores: place(8 * count),
    found: place(4 * count),
  }
}

interface Graph {
  readonly from: number
  readonly to: number
  readonly heads: number
  readonly connected: number
  readonly order: Uint32Array
  readonly strengths: Float64Array
}

/** The ranked nodes of a graph whose kernel has `z` at its place, `LANES` or one lane of it. */
export function openRanked(
  functions: LaneKernel,
  memory: ArrayBuffer,
  at: ReturnType<typeof placeRanked> & { readonly z: number },
  { from, to, heads, connected, order, strengths }: Graph,
): Ranked {
  const count = to - from
  const places = Uint32Array.from({ length: count }, (_, i) => (i < heads ? i : connected + i - heads))
  const factors = new Float64Array(memory, at.factors, count).fill(1)
  const slack = new Float64Array(memory, at.slack, count)
  const rows = new Uint32Array(memory, at.rows, count)
  places.forEach((place, i) => {
    rows[i] = order[place] - from
    if (i < heads) factors[i] = slack[i] = strengths[place]
  })
  const found = new Uint32Array(memory, at.found, count)
  return {
    places,
    scores: new Float64Array(memory, at.scores, count),
    score(lanes, lane) {
      const stride = 8 * lanes
      const z = at.z + 8 * lane
      functions.score(z, stride, heads, at.factors, at.scores)
      functions.score(
        z + stride * connected,
        stride,
        count - heads,
        at.factors + 8 * heads,
        at.scores + 8 * heads,
      )
    },
    reaching(bound, floor) {
      return found.subarray(0, functions.reaching(at.scores, at.slack, count, bound, floor, at.found))
    },
  }
}
