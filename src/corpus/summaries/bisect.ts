import { createRandom, type Random } from '../../random.ts'

/**
 * Bisecting spherical k-means (Steinbach, Karypis and Kumar, 2000): a cluster with more than `size` members or
 * `tokens` tokens is cut in two by 2-means from k-means++ starts. Members ascend, clusters are ordered by their
 * first. Sums are float64 in a fixed order, so every machine cuts alike.
 */
export function bisect(
  vectors: readonly Float32Array[],
  lengths: ArrayLike<number>,
  { size, tokens, seed }: { readonly size: number; readonly tokens: number; readonly seed: number },
): number[][] {
  const random = createRandom(seed)
  const done: number[][] = []
  const open: number[][] = vectors.length > 0 ? [vectors.map((_, row) => row)] : []
  for (let members = open.pop(); members; members = open.pop()) {
    const long = members.reduce((sum, row) => sum + lengths[row], 0) > tokens
    if (members.length >= 2 * MIN && (members.length > size || long))
      open.push(...cut(members, vectors, random).reverse())
    else done.push(members)
  }
  return done.sort((a, b) => a[0] - b[0])
}

const MIN = 2
const ROUNDS = 20

function cut(members: readonly number[], vectors: readonly Float32Array[], random: Random): number[][] {
  const first = Float64Array.from(vectors[members[random.below(members.length)]])
  let difference = minus(Float64Array.from(vectors[farOf(members, vectors, first, random)]), first)
  let sides: readonly [number[], number[]] = [[], []]
  let before = ''
  for (let round = 0; round < ROUNDS; round++) {
    sides = halves(members, vectors, difference)
    const [left, other] = sides
    const now = left.join()
    if (now === before) break
    before = now
    difference = minus(centre(other, vectors), centre(left, vectors))
  }
  return [...sides].sort((a, b) => a[0] - b[0])
}

/** Draws a member by its squared distance to `first` (k-means++), which is 2 - 2cos for vectors of length 1. */
function farOf(
  members: readonly number[],
  vectors: readonly Float32Array[],
  first: Float64Array,
  random: Random,
): number {
  const far = members.map((row) => Math.max(0, 1 - dot(vectors[row], first)))
  let left = random.uniform() * far.reduce((sum, distance) => sum + distance, 0)
  const drawn = members.find((_, i) => {
    left -= far[i]
    return left < 0
  })
  return drawn ?? members[members.length - 1]
}

/** Splits members at the plane; a side that is too small gets those nearest to the plane. */
function halves(
  members: readonly number[],
  vectors: readonly Float32Array[],
  difference: Float64Array,
): [number[], number[]] {
  const sides = members.map((row) => ({ row, side: dot(vectors[row], difference) }))
  sides.sort((a, b) => a.side - b.side)
  const below = sides.filter(({ side }) => side <= 0).length
  const end = Math.min(Math.max(below, MIN), members.length - MIN)
  const rows = sides.map(({ row }) => row)
  const ascending = (some: number[]) => some.sort((a, b) => a - b)
  return [ascending(rows.slice(0, end)), ascending(rows.slice(end))]
}

function centre(members: readonly number[], vectors: readonly Float32Array[]): Float64Array {
  const [first] = members
  const sum = new Float64Array(vectors[first].length)
  for (const row of members) {
    const vector = vectors[row]
    for (let i = 0; i < sum.length; i++) sum[i] += vector[i]
  }
  let squares = 0
  for (let i = 0; i < sum.length; i++) squares += sum[i] * sum[i]
  const length = Math.sqrt(squares)
  return length === 0 ? sum : sum.map((value) => value / length)
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - b[i])
}

function dot(a: Float32Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
