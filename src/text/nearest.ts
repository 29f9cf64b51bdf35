import { distance } from 'fastest-levenshtein'

/**
 * The candidate with the smallest edit distance to a mistyped `name`, in any case, at most a third of its length; two swapped
 * neighbours are one edit. The first of equals.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let limit = Math.ceil(name.length / 3) + 1
  let best: string | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= limit) continue
    const far = edits(wanted, candidate.toLowerCase())
    if (far >= limit) continue
    limit = far
    best = candidate
  }
  return best
}

function edits(name: string, candidate: string): number {
  const far = distance(name, candidate)
  if (far !== 2 || name.length !== candidate.length) return far
  const at = [...name].findIndex((letter, place) => letter !== candidate[place])
  return name[at] === candidate[at + 1] && name[at + 1] === candidate[at] ? 1 : far
}

/** ` (did you mean "recall@5"?)`, or '' if nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  if (near === undefined) return ''
  const alike =
    look(near) === look(name)
      ? ` They look alike and are written as ${spelled(near)} and ${spelled(name)}`
      : ''
  return ` (did you mean "${near}"?${alike})`
}

/** A text as readers see it: one normal form, no invisible characters. */
const look = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()

const spelled = (text: string) =>
  JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}}`,
  )
