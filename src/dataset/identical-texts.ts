import { sha256 } from '../store/hash.ts'
import { withoutInvisible } from '../text/fold.ts'
import { relevantSpans, spanId } from './collapse.ts'
import type { Dataset } from './types.ts'

type Content = Pick<Dataset, 'documents' | 'queries' | 'qrels' | 'spans' | 'groups' | 'judgedUnit'>

/**
 * Notices about documents with equal texts, and about queries with equal texts and other gold, with the ceilings that
 * they impose on recall@1. No retriever tells equal queries apart; equal documents tie, so chance orders them.
 */
export function identicalTexts(content: Content): string[] {
  const { documents, queries, judgedUnit } = content
  const notices: string[] = []
  const copies = equalBy(documents, ({ text }) => text).flatMap((group) =>
    equalBy(group, ({ title }) => title),
  )
  if (copies.length > 0) {
    const all = copies.reduce((sum, group) => sum + group.length, 0)
    notices.push(
      `${all} documents have the text of another one, in ${counted(copies.length, 'group')} (${shown(copies[0])})`,
    )
  }
  const judged = queries.filter(({ id, answerable }) => answerable && goldOf(id, content).size > 0)
  const asked = equalBy(judged, ({ text }) => text)
  const conflicting = asked.filter(
    (group) => new Set(group.map(({ id }) => canonicalGold(id, content))).size > 1,
  )
  if (conflicting.length > 0) {
    const all = conflicting.reduce((sum, group) => sum + group.length, 0)
    notices.push(
      `${all} queries have the words of another one and other gold, in ${counted(conflicting.length, 'group')} (${shown(conflicting[0])})`,
    )
  }
  if (conflicting.length + copies.length === 0) return notices
  const alone = judged.map((query) => [query])
  const grouped = new Set(conflicting.flat())
  const together = [...alone.filter(([query]) => !grouped.has(query)), ...conflicting]
  const ceiling = (
    groups: readonly (readonly { readonly id: string }[])[],
    copiesOf: ReadonlyMap<string, readonly string[]>,
  ) => groups.reduce((sum, group) => sum + bestFirst(group, copiesOf, content), 0) / judged.length
  const free = ceiling(alone, new Map())
  const queriesBound = ceiling(together, new Map())
  if (queriesBound < free - 1e-9)
    notices.push(
      `recall@1 cannot pass ${percent(queriesBound)} whatever a retriever does: equal queries get equal rankings`,
    )
  // Only where documents are judged is it known which copies of a gold document are gold too.
  const ids = judgedUnit === 'document' ? copies.map((group) => group.map(({ id }) => id)) : []
  const chance = ceiling(together, new Map(ids.flatMap((group) => group.map((id) => [id, group]))))
  if (chance < queriesBound - 1e-9)
    notices.push(
      `recall@1 is at most ${percent(chance)} on average over the orders of documents with equal texts`,
    )
  return notices
}

/** Characters of a SHA-256 in hex. */
const DIGEST = 64

/** The groups of two or more items with equal keys in order; white space, composition and characters that nobody sees aside. */
function equalBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const first = new Map<string, T>()
  const groups = new Map<string, T[]>()
  for (const item of perhapsEqual(items, keyOf)) {
    const plain = composed(keyOf(item)).trim()
    // Copies of all texts would double the memory of a large corpus.
    const key = plain.length > DIGEST ? sha256(plain) : plain
    const known = first.get(key)
    if (known === undefined) first.set(key, item)
    else {
      const group = groups.get(key) ?? [known]
      group.push(item)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** Units of a text's beginning that are compared first: texts with other beginnings are not read to the end. */
const BEGINNING = 64

/** All items with equal keys, and next to no others. */
function perhapsEqual<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const alike = shared(items, (item) => codeOf(keyOf(item), BEGINNING))
  return shared(alike, (item) => codeOf(keyOf(item)))
}

/** Items whose code another item has too. */
function shared<T>(items: readonly T[], codeOf: (item: T) => number): T[] {
  const codes = Int32Array.from(items, codeOf)
  const sorted = codes.slice().sort()
  const repeated = new Set(sorted.filter((code, at) => code === sorted[at + 1]))
  return repeated.size === 0 ? [] : items.filter((_, at) => repeated.has(codes[at]))
}

/**
 * A 32-bit number that is the same for texts with equal first `most` units (FNV-1a). Takes a tenth of the time of making the
 * text to compare.
 */
function codeOf(text: string, most = Number.POSITIVE_INFINITY, plain = false): number {
  let code = 0x811c9dc5
  let units = 0
  let space = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    // From here on characters may be composed, invisible, or white space of other scripts. Asked of the unit after the last too,
    // since it may be composed with it.
    if (!plain && (unit >= 0x300 || unit === SOFT_HYPHEN)) return codeOf(composed(text), most, true)
    if (units >= most) break
    if (unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0) space = units > 0
    else {
      if (space) code = Math.imul(code ^ 32, 0x01000193)
      code = Math.imul(code ^ unit, 0x01000193)
      units++
      space = false
    }
  }
  return code
}

const SOFT_HYPHEN = 0xad

function composed(text: string): string {
  return withoutInvisible(text).normalize('NFC').replace(/\s+/g, ' ')
}

/** The recall@1 that each relevant id would give a query at rank 1: its share of the gold or of the OR-groups. */
function goldOf(id: string, { qrels, spans, groups, judgedUnit }: Content): ReadonlyMap<string, number> {
  const relevant =
    judgedUnit === 'span'
      ? relevantSpans(spans.get(id)).map(spanId)
      : [...(qrels.get(id) ?? [])].flatMap(([judged, grade]) => (grade >= 1 ? [judged] : []))
  const parts = groups.get(id)?.length ?? relevant.length
  return new Map(relevant.map((judged) => [judged, 1 / parts]))
}

function canonicalGold(id: string, content: Content): string {
  return JSON.stringify([[...goldOf(id, content).keys()].sort(), content.groups.get(id) ?? null])
}

/** The greatest sum of recall@1 over queries that share a ranking, with one id, or a group of copies, at rank 1. */
function bestFirst(
  queries: readonly { readonly id: string }[],
  copiesOf: ReadonlyMap<string, readonly string[]>,
  content: Content,
): number {
  const sums = new Map<string, number>()
  for (const { id } of queries)
    for (const [judged, recall] of goldOf(id, content)) sums.set(judged, (sums.get(judged) ?? 0) + recall)
  const means = new Map<readonly string[], number>()
  for (const [id, sum] of sums) {
    const group = copiesOf.get(id)
    if (group) means.set(group, (means.get(group) ?? 0) + sum / group.length)
  }
  for (const id of sums.keys()) {
    const group = copiesOf.get(id)
    if (group) sums.set(id, means.get(group) as number)
  }
  return Math.max(0, ...sums.values())
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function shown(group: readonly { readonly id: string }[]): string {
  const ids = group.slice(0, 3).map(({ id }) => `"${id}"`)
  return `${ids.join(', ')}${group.length > 3 ? ', ...' : ''}`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
