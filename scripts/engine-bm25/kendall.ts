/**
 * Kendall's tau-b of two lists of values (Kendall, 1945):
 *
 *     tau = (concordant - discordant) / sqrt((pairs - ties in a) (pairs - ties in b))
 *
 * from -1 to 1; NaN if all values of a list are equal.
 */
export function kendallTau(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [balance, inA, inB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++) {
      const [x, y] = [Math.sign(a[i] - a[j]), Math.sign(b[i] - b[j])]
      balance += x * y
      inA += x * x
      inB += y * y
    }
  return balance / Math.sqrt(inA * inB)
}
