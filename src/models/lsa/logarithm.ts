/**
 * Natural logarithm with the same bits on every machine. With x = m * 2^e, m between sqrt(1/2) and sqrt(2), s = (m - 1)
 * / (m + 1): ln x = e * ln 2 + 2 * (s + s^3/3 + s^5/5 + ...); |s| < 0.1716, so 11 terms suffice.
 */
export function naturalLog(x: number): number {
  let exponent = 0
  let m = x
  for (; m > Math.SQRT2; m /= 2) exponent++
  for (; m < Math.SQRT1_2; m *= 2) exponent--
  const s = (m - 1) / (m + 1)
  let sum = 0
  for (let k = 23; k > 0; k -= 2) sum = sum * s * s + 1 / k
  return exponent * Math.LN2 + 2 * s * sum
}
