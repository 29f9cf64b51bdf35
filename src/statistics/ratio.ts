import { studentQuantile } from './distributions.ts'
import { FEWEST_QUERIES } from './sample.ts'

/**
 * Fieller's interval of a ratio of two paired means (JRSS B 16, 1954): all r for which Student's t does not tell the
 * mean of a - r b from 0. Null if it has no ends, and for too few pairs.
 *
 *     (A - r B)^2 <= t^2 (v_aa - 2 r v_ab + r^2 v_bb),    A, B the means, v their (co)variances over n
 */
export function ratioInterval(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  level: number,
): { low: number; high: number } | null {
  const n = a.length
  if (n < FEWEST_QUERIES) return null
  const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / n
  const [A, B] = [mean(a), mean(b)]
  let [aa, ab, bb] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    aa += (a[i] - A) ** 2
    ab += (a[i] - A) * (b[i] - B)
    bb += (b[i] - B) ** 2
  }
  const scale = studentQuantile(level / 2, n - 1) ** 2 / (n * (n - 1))
  const [square, middle, rest] = [B ** 2 - scale * bb, A * B - scale * ab, A ** 2 - scale * aa]
  if (square <= 0) return null
  const reach = Math.sqrt(Math.max(0, middle ** 2 - square * rest))
  return { low: (middle - reach) / square, high: (middle + reach) / square }
}
