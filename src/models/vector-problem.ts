const MIN = 2 ** -126
const GREATEST = (2 - 2 ** -23) * 2 ** 127

/** Problem of a vector, after "a vector that"; undefined if it can be scaled to length 1 in float32. */
export function vectorProblem(vector: ArrayLike<number>): string | undefined {
  let sum = 0
  let zero = true
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) return 'holds a number that is not finite'
    if (vector[i] !== 0) zero = false
    sum += vector[i] * vector[i]
  }
  if (zero) return 'is zero'
  const length = Math.sqrt(sum)
  if (length > GREATEST) return 'is too long for float32 (overflow)'
  return length < MIN ? 'is too short for float32 (underflow)' : undefined
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}
