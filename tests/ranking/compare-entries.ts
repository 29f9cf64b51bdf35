/** Below 0 where entry A stands before entry B, above 0 where behind; 0 only for the same score and row. */
export function compareEntries(scoreA: number, rowA: number, scoreB: number, rowB: number): number {
  return scoreA > scoreB ? -1 : scoreA < scoreB ? 1 : rowB - rowA
}
