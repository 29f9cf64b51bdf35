/**
 * Successive over-relaxation of z = damping P z + c (block.ts says how a node is swept):
 *
 *     omega = 2 / (1 + sqrt(1 - damping^2))
 *     max |error(z)| <= m (1 - 1/omega + damping) / (1 - damping)
 *
 * where m is the last sweep's largest change: a node is off its equation by (1/omega - 1) of its own change and by what
 * nodes behind it changed later, whatever led to z. The change shrinks by about omega - 1 a sweep.
 * (Young, 1950; Varga, Matrix Iterative Analysis, chapters 3 and 4.)
 */
export interface Relaxation {
  readonly omega: number
  /** What a sweep with the largest change `change` leaves at most of the error of any z. */
  bound(change: number): number
  /** About how many sweeps make an error of 1 as small as `size`. */
  sweepsTo(size: number): number
  /** Where an error has stalled that rounding keeps from shrinking: twice what plain power iteration would need. */
  readonly lastSweep: number
}

/** Ties never settle; where the error is this small beside the largest z, they are left to stand. */
export const FLOOR = 1e-15

export function relaxation(damping: number): Relaxation {
  const omega = 2 / (1 + Math.sqrt(1 - damping * damping))
  return {
    omega,
    bound: (change) => (change * (1 - 1 / omega + damping)) / (1 - damping),
    sweepsTo: (size) => (damping === 0 ? 1 : Math.ceil(Math.log(size) / Math.log(omega - 1))),
    lastSweep: damping === 0 ? 2 : Math.ceil((2 * Math.log(FLOOR)) / Math.log(damping)),
  }
}
