import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'

/**
 * Late interaction (Khattab and Zaharia, ColBERT, SIGIR 2020): each query token is compared with its nearest token in a text.
 *
 *     MaxSim(q, d) = 1/|q| * sum over tokens i of q of  max over tokens j of d of  cos(q_i, d_j)
 *
 * The mean instead of the paper's sum gives the same order and lies between -1 and 1. Text vectors are int8 with a scale
 * each (largest component 127), query vectors int16; over these the search is exact: every token of every text is
 * compared, in integers.
 */
export interface TokenIndex {
  readonly texts: number
  readonly dims: number
  /**
   * MaxSim of each text (or of `rows`) with a query, the vectors of its tokens row after row; 0 for a text without
   * tokens.
   */
  scores(query: Float32Array, rows?: ArrayLike<number>): Float64Array
}

/** Token vectors of texts: those of text t are `offsets[t]` up to `offsets[t + 1]`. */
export interface TokenVectors {
  readonly offsets: Uint32Array
  /** Row after row, `dims` per token. */
  readonly codes: Int8Array
  /** Factor of each token's codes. */
  readonly scales: Float32Array
  readonly dims: number
}

const INT8 = 127
const INT16 = 32_767
/** Query vectors that are compared while a text token is in the processor's registers. */
const TOGETHER = 4

/** Rounds float32 vectors, row after row, to int8 with a scale each. */
export function quantizeTokens(vectors: Float32Array, dims: number): Pick<TokenVectors, 'codes' | 'scales'> {
  const codes = new Int8Array(vectors.length)
  const scales = new Float32Array(vectors.length / dims)
  for (let token = 0; token < scales.length; token++) {
    const from = token * dims
    let largest = 0
    for (let i = from; i < from + dims; i++) largest = Math.max(largest, Math.abs(vectors[i]))
    if (largest === 0) continue
    scales[token] = largest / INT8
    for (let i = from; i < from + dims; i++) codes[i] = Math.round((vectors[i] / largest) * INT8)
  }
  return { codes, scales }
}

/** Opens the search; copies the vectors. Throws a UserError if they do not fit in 4 GB. */
export function openTokens({ offsets, codes, scales, dims }: TokenVectors): TokenIndex {
  const width = Math.max(16, Math.ceil(dims / 16) * 16)
  const tokens = scales.length
  const { reserve, bytes } = createLayout()
  const at = {
    queries: reserve(2 * TOGETHER * width),
    out: reserve(4 * TOGETHER),
    scales: reserve(4 * tokens),
    codes: reserve(tokens * width),
  }
  if (bytes() > MAX_BYTES)
    throw new UserError(
      `late interaction over ${tokens} tokens of ${dims} dims wants ${(bytes() / 2 ** 30).toFixed(1)} GB; it can hold 4`,
    )
  const { functions, memory } = openKernel<MaxsimKernel>(new URL('./maxsim.wasm', import.meta.url), bytes())
  new Float32Array(memory, at.scales, tokens).set(scales)
  const stored = new Int8Array(memory, at.codes, tokens * width)
  for (let token = 0; token < tokens; token++)
    stored.set(codes.subarray(token * dims, (token + 1) * dims), token * width)
  const queries = new Int16Array(memory, at.queries, TOGETHER * width)
  const highest = new Float32Array(memory, at.out, TOGETHER)
  // The int32 sums must not overflow.
  const limit = Math.min(INT16, Math.floor((2 ** 31 - 1) / (INT8 * width)))

  /** Copies up to four query vectors to the kernel's memory; returns their scales. */
  function take(query: Float32Array, first: number, count: number): number[] {
    queries.fill(0)
    return Array.from({ length: count }, (_, lane) => {
      const vector = query.subarray((first + lane) * dims, (first + lane + 1) * dims)
      const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
      if (largest === 0) return 0
      vector.forEach((value, i) => {
        queries[Math.floor(i / 8) * 8 * TOGETHER + 8 * lane + (i % 8)] = Math.round((value / largest) * limit)
      })
      return largest / limit
    })
  }

  const texts = offsets.length - 1
  const every = Uint32Array.from({ length: texts }, (_, row) => row)
  return {
    texts,
    dims,
    scores(query, rows = every) {
      if (query.length % dims !== 0) throw new Error(`${query.length} numbers are no vectors of ${dims} dims`)
      const length = query.length / dims
      const sums = new Float64Array(rows.length)
      for (let first = 0; first < length; first += TOGETHER) {
        const of = take(query, first, Math.min(TOGETHER, length - first))
        for (let i = 0; i < rows.length; i++) {
          const [begin, end] = [offsets[rows[i]], offsets[rows[i] + 1]]
          if (begin === end) continue
          functions.highest(
            ...[at.codes + begin * width, end - begin, width],
            ...[at.scales + 4 * begin, at.queries, at.out],
          )
          for (let lane = 0; lane < of.length; lane++) sums[i] += highest[lane] * of[lane]
        }
      }
      return length === 0 ? sums : sums.map((sum) => sum / length)
    },
  }
}

interface MaxsimKernel {
  highest(...addresses: readonly number[]): void
}
