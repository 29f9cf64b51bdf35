import { distance } from 'fastest-levenshtein'

/**
 * The known name nearest to `name` by Levenshtein distance, letters' case apart; of equally near ones the first. Undefined
 * where none is near: more than a third of the longer name (and always 2 edits) would have to change.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase())
    const allowed = Math.max(2, Math.floor(Math.max(name.length, candidate.length) / 3))
    if (edits <= allowed && edits < least && edits < candidate.length) {
      best = candidate
      least = edits
    }
  }
  return best
}

/** ` (did you mean \`x\`?)`, to stand at the end of a message; empty where no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const best = nearest(name, known)
  return best === undefined ? '' : ` (did you mean \`${best}\`?)`
}
