/**
 * Distribution functions, to about 1e-13: the regularised incomplete beta function by Lentz's continued fraction (DLMF
 * 8.17.22), log-gamma by Lanczos' approximation, the normal tail by series (DLMF 7.6.2) and continued fraction (7.9.2).
 */

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  const base = x + 6.5
  let sum = LANCZOS[0]
  for (let term = 1; term < 9; term++) sum += LANCZOS[term] / (x + term - 1)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum)
}

/** I_x(a, b) for 0 <= x <= 1, a and b > 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast only below the mean; above it, use the symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  const tiny = 1e-300
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let factor = 1
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d || tiny)
      c = 1 + term / c || tiny
      factor *= c * d
    }
    fraction *= factor
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return front * fraction
}

/** P(T > t) of Student's t with `df` degrees of freedom. */
export function studentTail(t: number, df: number): number {
  if (!Number.isFinite(t)) return t > 0 ? 0 : 1
  // The form of x that is not close to 1 keeps its digits.
  const half =
    t * t < df
      ? 0.5 - 0.5 * incompleteBeta((t * t) / (df + t * t), 0.5, df / 2)
      : 0.5 * incompleteBeta(df / (df + t * t), df / 2, 0.5)
  return t >= 0 ? half : 1 - half
}

/** The t that has P(T > t) = tail, 0 < tail < 1: bisection to the last bits. */
export function studentQuantile(tail: number, df: number): number {
  if (tail > 0.5) return -studentQuantile(1 - tail, df)
  let low = 0
  let high = 1
  while (studentTail(high, df) > tail) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2
    if (studentTail(middle, df) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(Z > z) of the standard normal distribution. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    let term = z
    let sum = z
    for (let n = 3; Math.abs(term) > 1e-17 * sum; n += 2) {
      term *= (z * z) / n
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let n = 100; n >= 1; n--) fraction = n / (z + fraction)
  return density / (z + fraction)
}
