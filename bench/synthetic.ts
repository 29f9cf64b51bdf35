import { createRandom } from '../src/random.ts'

/** L2-normalised rows around `topics` centres, as embeddings of a corpus lie. */
export function syntheticVectors(rows: number, dims: number, topics = 200): Float32Array {
  const random = createRandom(1)
  const centres = Array.from({ length: topics }, () =>
    Float32Array.from({ length: dims }, () => random.uniform() - 0.5),
  )
  const matrix = new Float32Array(rows * dims)
  for (let row = 0; row < rows; row++) {
    const centre = centres[random.below(topics)]
    const vector = matrix.subarray(row * dims, (row + 1) * dims)
    let square = 0
    for (let i = 0; i < dims; i++) {
      vector[i] = centre[i] + 1.2 * (random.uniform() + random.uniform() - 1)
      square += vector[i] * vector[i]
    }
    for (let i = 0; i < dims; i++) vector[i] /= Math.sqrt(square)
  }
  return matrix
}

/** Texts of 60 words: half by Zipf's law from all words, half from one of 300 topics. */
export function syntheticTexts(count: number, words = 60): string[] {
  const random = createRandom(2)
  const vocabulary = Math.round(200 * Math.sqrt(count))
  const text = () => {
    const topic = random.below(300)
    const word = () =>
      random.uniform() < 0.5
        ? Math.floor(vocabulary ** random.uniform()) - 1
        : (topic * 137 + Math.floor(300 ** random.uniform())) % vocabulary
    return Array.from({ length: words }, () => `w${word()}`).join(' ')
  }
  return Array.from({ length: count }, text)
}

/** Milliseconds of one call: the middle of `times` calls, after as many that are not counted. */
export function timed(times: number, call: () => unknown): number {
  for (let round = 0; round < times; round++) call()
  const durations = Array.from({ length: times }, () => {
    const begin = performance.now()
    call()
    return performance.now() - begin
  })
  return durations.sort((a, b) => a - b)[Math.floor(times / 2)]
}

export interface BenchRow {
  readonly case: string
  readonly ours_ms: number
  /** Library that does the same; '' if none is measured. */
  readonly peer: string
  /** null if no peer is measured. */
  readonly peer_ms: number | null
  /** Peer to ours: above 1, ours is faster. */
  readonly ratio: number | null
}

/** A row of ours next to a peer, which is undefined if it is not installed. */
export function benchRow(name: string, ours: number, peer = '', theirs?: number | null): BenchRow {
  const isMeasured = theirs !== undefined && theirs !== null
  return {
    case: name,
    ours_ms: ours,
    peer: isMeasured ? peer : '',
    peer_ms: theirs ?? null,
    ratio: isMeasured ? theirs / ours : null,
  }
}
