import type { Document, JudgedQuery } from '../types.ts'

/**
 * UTF-8 that was read as Latin-1 or Windows-1252 and saved: `CafÃ©` for Café, `donâ€™t` for don’t, `20 Â°C`, `Ð¿` for п. Correct
 * texts have no such pairs: a capital Ã or Â is followed by a letter or a space.
 */
const PAIR =
  /Ã[\u0080-\u009f\u00a1-\u00bf\u20ac\u2122\u0192]|Â[\u00a1-\u00bf]|â[€\u0080]|(?:[ÐÑ][\u0080-\u00bf]){2}/

/** Notice about texts with a wrong encoding, whose words lexical search does not find. */
export function misdecodedTexts({
  documents,
  queries,
}: {
  readonly documents: readonly Document[]
  readonly queries: readonly JudgedQuery[]
}): string[] {
  const found = documents.filter(({ title, text }) => PAIR.test(text) || PAIR.test(title))
  const asked = queries.filter(({ text }) => PAIR.test(text))
  const [first] = [...found, ...asked]
  if (!first) return []
  const all = 'title' in first && !PAIR.test(first.text) ? first.title : first.text
  const at = PAIR.exec(all)?.index ?? 0
  const [start = ''] = /\S*$/.exec(all.slice(0, at)) ?? []
  const [word = ''] = /^\S{1,20}/.exec(all.slice(at - Math.min(start.length, 20))) ?? []
  return [
    `${found.length} documents and ${asked.length} queries have characters of a wrong encoding, as ${JSON.stringify(word)} in "${first.id}": they were UTF-8, read as Latin-1 and saved; questions in right characters find them less often`,
  ]
}
