/** Into so many classes of equal width scores are counted. */
const CLASSES = 512
/** Scratch. */
const counts = new Uint32Array(CLASSES)

/**
 * A bar that at least `depth` of the scores reach and few others: what comes into question is then seen without
 * comparing scores with one another, which a processor cannot foresee. Scores are counted by where they lie between the
 * least and the greatest; a higher score is never in a lower class, and the bar is where the class beneath the lowest
 * one that is needed begins. NaN where scores give none: too few, all equal, one infinite or NaN.
 */
export function barOf(scores: ArrayLike<number>, depth: number): number {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let sum = 0
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]
    sum += score
    if (score < least) least = score
    if (score > most) most = score
  }
  const perScore = (CLASSES - 1) / (most - least)
  if (depth > scores.length || !Number.isFinite(sum * perScore)) return Number.NaN
  counts.fill(0)
  for (let i = 0; i < scores.length; i++) counts[((scores[i] - least) * perScore) | 0]++
  let lowest = CLASSES - 1
  for (let reached = counts[lowest]; reached < depth; reached += counts[lowest]) lowest--
  return lowest === 0 ? least : least + (lowest - 1) / perScore
}
