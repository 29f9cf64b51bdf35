import { momentsOf } from './summarize.ts'

/** Cohen's d of paired differences: mean / standard deviation (n - 1); 0 where they do not vary. */
export function effectSize(differences: ArrayLike<number>): number {
  const { mean, sd } = momentsOf(differences)
  return sd === 0 ? 0 : mean / sd
}
