/** The first rows whose tokens fit into `budget`, up to the first that does not, and their tokens. */
export function withinBudget(
  rows: readonly number[],
  tokensOf: (row: number) => number,
  budget: number,
): { readonly rows: readonly number[]; readonly tokens: number } {
  let tokens = 0
  for (let i = 0; i < rows.length; i++) {
    const more = tokensOf(rows[i])
    if (tokens + more > budget) return { rows: rows.slice(0, i), tokens }
    tokens += more
  }
  return { rows, tokens }
}
