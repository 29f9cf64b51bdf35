/**
 * Hoare's FIND (Communications of the ACM 4(7), 1961): reorders values so that the place-th smallest stands at its place,
 * none greater before it and none smaller behind: what sorting would put there, in linear time. In place; no NaN.
 */
export function select(values: Float64Array, index: number): number {
  let begin = 0
  let end = values.length - 1
  while (begin < end) {
    const pivot = values[(begin + end) >>> 1]
    let low = begin
    let high = end
    while (low <= high) {
      while (values[low] < pivot) low++
      while (values[high] > pivot) high--
      if (low > high) break
      const kept = values[low]
      values[low++] = values[high]
      values[high--] = kept
    }
    // Between the two are only values equal to the pivot.
    if (index <= high) end = high
    else if (index >= low) begin = low
    else break
  }
  return values[index]
}
