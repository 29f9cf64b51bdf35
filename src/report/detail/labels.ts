import type { Results } from '../../results/read.ts'

/** The gold labels of all queries, one a (query, judged id), sorted by query; columns of equal length. */
export interface Labels {
  readonly query: Int32Array
  /** Place in `judged`. */
  readonly judgedCode: Int32Array
  readonly judged: readonly string[]
  readonly grade: Int32Array
  /** Of each row of `gold`: its label. */
  readonly ofRow: Int32Array
}

export function labelsOf({ gold }: Results): Labels {
  const width = gold.judged.words.length
  const seen = new Map<number, number>()
  const first: number[] = []
  const found = new Int32Array(gold.rows)
  for (let row = 0; row < gold.rows; row++) {
    const key = gold.query[row] * width + gold.judged.codes[row]
    let label = seen.get(key)
    if (label === undefined) {
      label = first.push(row) - 1
      seen.set(key, label)
    }
    found[row] = label
  }
  const order = first
    .map((_, label) => label)
    .sort((a, b) => gold.query[first[a]] - gold.query[first[b]] || a - b)
  const placeOf = new Int32Array(order.length)
  order.forEach((label, place) => {
    placeOf[label] = place
  })
  const column = (values: Int32Array) => Int32Array.from(order, (label) => values[first[label]])
  return {
    query: column(gold.query),
    judgedCode: column(gold.judged.codes),
    judged: gold.judged.words,
    grade: column(gold.grade),
    ofRow: found.map((label) => placeOf[label]),
  }
}
