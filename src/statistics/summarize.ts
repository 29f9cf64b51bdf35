/** Mean, standard deviation (n - 1) and number of values. Of none the mean is 0, of one the deviation. */
interface Moments {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** Two passes: exact for equal values, stable otherwise. */
export function momentsOf(values: ArrayLike<number>): Moments {
  const n = values.length
  if (n === 0) return { n, mean: 0, sd: 0 }
  let sum = 0
  let equal = true
  for (let index = 0; index < n; index++) {
    sum += values[index]
    equal &&= values[index] === values[0]
  }
  // The mean of 37 times 0.1 is not 0.1, and they would seem to vary.
  const mean = equal ? values[0] : sum / n
  let squares = 0
  for (let index = 0; index < n; index++) squares += (values[index] - mean) ** 2
  return { n, mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 }
}

export function pairedDifferences(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: a.length }, (_, index) => a[index] - b[index])
}

export function countSigns(differences: ArrayLike<number>): { wins: number; ties: number; losses: number } {
  let wins = 0
  let losses = 0
  for (let index = 0; index < differences.length; index++) {
    if (differences[index] > 0) wins++
    else if (differences[index] < 0) losses++
  }
  return { wins, ties: differences.length - wins - losses, losses }
}
