import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestOfParents, embedTokens } from '../../src/corpus/chunks/tokens.ts'
import { openTokens, quantizeTokens } from '../../src/corpus/dense/token-index.ts'

const dims = fc.constantFrom(1, 3, 16, 20, 64)
const vectorsOf = (dims: number, most: number) =>
  fc
    .array(fc.array(fc.integer({ min: -40, max: 40 }), { minLength: dims, maxLength: dims }), {
      maxLength: most,
    })
    .map((rows) => Float32Array.from(rows.flat(), (value) => value / 64))

const world = dims.chain((dims) =>
  fc.record({
    dims: fc.constant(dims),
    texts: fc.array(vectorsOf(dims, 5), { minLength: 1, maxLength: 6 }),
    query: vectorsOf(dims, 9),
  }),
)

function opened(texts: readonly Float32Array[], dims: number) {
  const offsets = new Uint32Array(texts.length + 1)
  texts.forEach((text, row) => {
    offsets[row + 1] = offsets[row] + text.length / dims
  })
  const all = Float32Array.from(texts.flatMap((text) => [...text]))
  return openTokens({ offsets, dims, ...quantizeTokens(all, dims) })
}

/** MaxSim by its definition, in float64. */
function maxsim(query: Float32Array, text: Float32Array, dims: number): number {
  const rows = (vectors: Float32Array) =>
    Array.from({ length: vectors.length / dims }, (_, i) => vectors.subarray(i * dims, (i + 1) * dims))
  const tokens = rows(text)
  if (query.length === 0 || tokens.length === 0) return 0
  const best = rows(query).map((a) =>
    Math.max(...tokens.map((b) => a.reduce((sum, value, i) => sum + value * b[i], 0))),
  )
  return best.reduce((sum, value) => sum + value, 0) / best.length
}

/** A component is kept to half of a 127th of the largest: over `dims` of them, times the other vector's length. */
const within = (dims: number) => 2 * dims * (0.625 / 254) * 0.625 + 1e-3

test('every text gets its MaxSim, as far as int8 keeps it', () => {
  fc.assert(
    fc.property(world, ({ dims, texts, query }) => {
      const scores = opened(texts, dims).scores(query)
      texts.forEach((text, row) => {
        expect(Math.abs(scores[row] - maxsim(query, text, dims))).toBeLessThan(within(dims))
      })
    }),
  )
})

test('over what is kept it is exact: no other text ranks higher than by the kept vectors', () => {
  fc.assert(
    fc.property(world, ({ dims, texts, query }) => {
      const kept = texts.map((text) => {
        const { codes, scales } = quantizeTokens(text, dims)
        return Float32Array.from(codes, (code, i) => code * scales[Math.floor(i / dims)])
      })
      const scores = opened(texts, dims).scores(query)
      // What is left are the int16 of the query: a 32,767th.
      kept.forEach((text, row) => {
        expect(Math.abs(scores[row] - maxsim(query, text, dims))).toBeLessThan(dims * 2e-5)
      })
    }),
  )
})

test('some rows, in any order, get the scores that all get', () => {
  fc.assert(
    fc.property(world, fc.array(fc.nat(5)), ({ dims, texts, query }, chosen) => {
      const index = opened(texts, dims)
      const rows = chosen.filter((row) => row < texts.length)
      const all = index.scores(query)
      expect([...index.scores(query, rows)]).toEqual(rows.map((row) => all[row]))
    }),
  )
})

test('refuses vectors of other dims', () => {
  const index = opened([Float32Array.of(1, 0, 0)], 3)
  expect(() => index.scores(Float32Array.of(1, 0))).toThrow('2 numbers are no vectors of 3 dims')
})

test('a chunk has the score of its best unit, over all chunks and over some of them in any order', () => {
  const parents = Uint32Array.of(0, 0, 1, 2, 2, 2)
  const ofUnits = [0.1, 0.4, -0.2, 0.3, 0.9, 0.5]
  const asked: (readonly number[])[] = []
  const scores = (_: Float32Array, units: ArrayLike<number> = ofUnits.map((_, unit) => unit)) => {
    asked.push(Array.from(units))
    return Float64Array.from(units, (unit) => ofUnits[unit])
  }
  const query = new Float32Array(1)
  expect([...bestOfParents(scores, parents, query)]).toEqual([0.4, -0.2, 0.9])
  expect([...bestOfParents(scores, parents, query, [2, 0])]).toEqual([0.9, 0.4])
  expect(asked).toEqual([
    [0, 1, 2, 3, 4, 5],
    [0, 1, 3, 4, 5],
  ])
})

test('texts are embedded 256 at a time, and each keeps its tokens', async () => {
  const texts = Array.from({ length: 300 }, (_, row) => String(row))
  const tokensOf = (text: string) =>
    Float32Array.from({ length: 2 * (Number(text) % 3) }, (_, i) => ((Number(text) + 3 * i) % 11) / 16 - 0.3)
  const [sizes, told]: [number[], [number, number][]] = [[], []]
  const embedder = {
    dims: 2,
    async tokens(some: readonly string[], progress?: (done: number, total: number) => void) {
      sizes.push(some.length)
      progress?.(some.length, some.length)
      return some.map(tokensOf)
    },
  }
  const found = await embedTokens(texts, embedder, (...progress) => told.push(progress))
  expect(sizes).toEqual([256, 44])
  expect(told).toEqual([
    [256, 300],
    [300, 300],
  ])
  // Texts 0, 3, ... have no token, 1, 4, ... one, 2, 5, ... two.
  expect([found.dims, ...[0, 1, 2, 3, 299, 300].map((row) => found.offsets[row])]).toEqual([
    ...[2, 0, 0, 1, 3, 298, 300],
  ])
  expect([found.codes.length, found.scales.length]).toEqual([600, 300])
  const query = Float32Array.of(0.6, 0.8, -0.8, 0.6)
  expect(openTokens(found).scores(query)).toEqual(opened(texts.map(tokensOf), 2).scores(query))
})

test('no text has no score', () => {
  expect(bestOfParents(() => new Float64Array(), new Uint32Array(), Float32Array.of(1))).toEqual(
    new Float64Array(),
  )
})
