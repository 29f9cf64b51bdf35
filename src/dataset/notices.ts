import { addTo } from '../maps.ts'
import { sha256 } from '../store/hash.ts'
import { withoutInvisible } from '../text/characters.ts'
import { originOfDrafted } from '../text/drafted-origin.ts'
import type { Document, JudgedQuery } from '../types.ts'
import { relevantOf } from './check-gold.ts'
import type { Policies } from './format.ts'
import { ofAny } from './sink.ts'
import type { Dataset, GoldSpan } from './types.ts'

type Content = Pick<Dataset, 'documents' | 'queries' | 'qrels' | 'spans' | 'groups' | 'judgedUnit'>

/**
 * Notices about documents with equal texts, and about queries with equal texts and other gold, with the ceiling that these impose
 * on recall@1.
 */
export function identicalTexts(content: Content): string[] {
  const { documents, queries } = content
  const copies = equalBy(documents, ({ text }) => text).flatMap((group) =>
    equalBy(group, ({ title }) => title),
  )
  const qrels = content.judgedUnit === 'span' ? new Map() : content.qrels
  const gold = new Map(queries.map(({ id }) => [id, relevantOf(id, { ...content, qrels })]))
  const goldOf = ({ id }: JudgedQuery) => gold.get(id) as readonly string[]
  const judged = queries.filter((query) => query.answerable && goldOf(query).length > 0)
  const other = (query: JudgedQuery) =>
    JSON.stringify([[...goldOf(query)].sort(), content.groups.get(query.id) ?? null])
  const conflicting = equalBy(judged, ({ text }) => text).filter(
    (group) => new Set(group.map(other)).size > 1,
  )
  /** Greatest sum of recall@1 over queries that share a ranking: each gold id gives its share of the gold or of the OR-groups. */
  const best = (group: readonly JudgedQuery[]) => {
    const sums = new Map<string, number>()
    for (const query of group)
      for (const id of goldOf(query))
        sums.set(id, (sums.get(id) ?? 0) + 1 / (content.groups.get(query.id)?.length ?? goldOf(query).length))
    return [...sums.values()].reduce((most, sum) => Math.max(most, sum))
  }
  const lost = conflicting
    .map((group) => group.reduce((sum, query) => sum + best([query]), 0) - best(group))
    .reduce((sum, part) => sum + part, 0)
  const bound = (judged.reduce((sum, query) => sum + best([query]), 0) - lost) / judged.length
  const inGroups = (groups: readonly (readonly { readonly id: string }[])[]) => {
    const [first = []] = groups
    const ids = first.slice(0, 3).map(({ id }) => `"${id}"`)
    return `in ${groups.length} group${groups.length === 1 ? '' : 's'} (${ids.join(', ')}${first.length > 3 ? ', ...' : ''})`
  }
  const [same, mixed] = [copies.flat().length, conflicting.flat().length]
  return ofAny(
    [same, `${same} documents have the text of another one, ${inGroups(copies)}`],
    [mixed, `${mixed} queries have the words of another one and other gold, ${inGroups(conflicting)}`],
    [
      lost > 1e-9 ? 1 : 0,
      `recall@1 cannot pass ${(100 * bound).toFixed(1)} % whatever a retriever does: equal queries get equal rankings`,
    ],
  )
}

/** Units of a text, and of its plain form, that are compared before whole texts. */
const BEGINNING = [200, 64] as const

/** Groups of two or more items whose keys differ at most in white space, composition and invisible characters. */
function equalBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const alike = grouped(items, (item) => plain(keyOf(item).slice(0, BEGINNING[0])).slice(0, BEGINNING[1]))
  // Copies of all texts would double the memory of a large corpus.
  return alike.flatMap((group) => grouped(group, (item) => sha256(plain(keyOf(item)))))
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return [...groups.values()].filter(({ length }) => length > 1)
}

function plain(text: string): string {
  // Other texts have no invisible or composed characters.
  const visible = /[^\0-\u00ac\u00ae-\u02ff]/.test(text) ? withoutInvisible(text).normalize('NFC') : text
  return visible.replace(/\s+/g, ' ').trim()
}

const folded = (text: string) => plain(text).toLowerCase()

/** Notices about queries that are documents themselves, as in ArguAna and Quora. */
export function ownDocuments(
  documents: ReadonlyMap<string, Document>,
  { queries, qrels }: Content,
  policy: Policies['ownDocument'],
): string[] {
  if (policy === 'keep') return []
  const shared = queries.filter(({ id }) => documents.has(id))
  if (shared.length === 0)
    return policy === 'drop' ? ['`ownDocument: drop` changes nothing: no query id is a document id'] : []
  const equal = shared.filter(({ id, text }) => {
    const document = documents.get(id) as Document
    return [document.text, `${document.title} ${document.text}`].some(
      (spelling) => folded(spelling) === folded(text),
    )
  }).length
  const words = `${shared.length} of ${queries.length} query ids are document ids, ${equal} of them with the same text`
  if (policy === undefined)
    return [
      equal > 0
        ? `${words}: such a query finds itself first; \`ownDocument: drop\` of the dataset leaves its own document out, as BEIR does, \`keep\` keeps it`
        : `${words}: if the document is the query itself, set \`ownDocument: drop\` of the dataset, else \`keep\``,
    ]
  const gold = shared.filter(({ id }) => (qrels.get(id)?.get(id) ?? 0) >= 1).length
  return [
    `${words}: \`ownDocument: drop\` leaves the document with a query's own id out of its rankings`,
    ...ofAny([
      gold,
      `${gold} queries have their own document as gold, which \`drop\` keeps from being found`,
    ]),
  ]
}

/** Notice about queries whose text is that of a document under another id, which is no gold of theirs. */
export function foreignTwins({ documents, queries, qrels, spans, judgedUnit }: Content): string[] {
  // Documents of judged chunks are not known before they are cut.
  if (judgedUnit === 'chunk') return []
  const byText = new Map<string, JudgedQuery[]>()
  for (const query of queries) addTo(byText, folded(query.text), query)
  const longest = 2 * [...byText.keys()].reduce((most, { length }) => Math.max(most, length), 0)
  const isGold = (query: string, document: string) =>
    (qrels.get(query)?.get(document) ?? 0) >= 1 ||
    (spans.get(query) ?? []).some(({ documentId, grade = 1 }) => documentId === document && grade >= 1)
  const twins = new Map<string, string>()
  for (const { id, title, text } of documents) {
    if (text.length > longest) continue
    for (const query of [folded(text), folded(`${title} ${text}`)].flatMap(
      (spelling) => byText.get(spelling) ?? [],
    ))
      if (query.id !== id && !isGold(query.id, id)) twins.set(query.id, id)
  }
  const [first] = twins
  if (!first) return []
  return [
    `${twins.size} queries have the text of a document that is no gold of theirs ("${first[0]}" that of "${first[1]}"), which they find first: if it is the query itself, give both one id and set \`ownDocument: drop\` of the dataset`,
  ]
}

/** Most spans that are checked: the time for one grows with the length of its document. */
const MOST = 10_000
const WORD = /[\p{L}\p{M}\p{N}_]/u

const UNITS: readonly (readonly [string, (character: string) => number])[] = [
  ['characters, as in Python', () => 1],
  ['bytes of UTF-8', Buffer.byteLength],
]

/** UTF-16 offset that an offset in another unit means; undefined between two characters. */
function meant(text: string, offset: number, sizeOf: (character: string) => number): number | undefined {
  let [length, size] = [0, 0]
  for (const character of text) {
    if (size >= offset) break
    size += sizeOf(character)
    length += character.length
  }
  return size === offset ? length : undefined
}

/** Notice about spans that cut words, and would not if their offsets counted other units than UTF-16's. */
export function spanUnits(
  spans: ReadonlyMap<string, readonly GoldSpan[]>,
  documents: ReadonlyMap<string, Pick<Document, 'text'>>,
): string[] {
  const all = [...spans].flatMap(([query, list]) => list.map((span) => ({ query, ...span }))).slice(0, MOST)
  for (const [unit, sizeOf] of UNITS) {
    const moved = all.flatMap(({ query, documentId, start, end }) => {
      const text = documents.get(documentId)?.text ?? ''
      // Plain ASCII has one reading.
      if (!/[^\0-\x7f]/.test(text.slice(0, end))) return []
      const [from, to] = [meant(text, start, sizeOf), meant(text, end, sizeOf)]
      if (from === undefined || to === undefined || (from === start && to === end)) return []
      const words = `"${text.slice(start, end).slice(0, 40)}" of query "${query}" for "${text.slice(from, to).slice(0, 40)}"`
      return [{ words, isTorn: isTorn(text, start, end) && !isTorn(text, from, to) }]
    })
    const torn = moved.filter(({ isTorn }) => isTorn)
    if (2 * torn.length > moved.length)
      return [
        `${torn.length} gold spans begin or end within a word, and would not if their offsets counted ${unit} (${torn[0].words}); offsets count UTF-16 units, as in JavaScript`,
      ]
  }
  return []
}

const isTorn = (text: string, ...offsets: readonly number[]) =>
  offsets.some((offset) => WORD.test(text.charAt(offset - 1)) && WORD.test(text.charAt(offset)))

/**
 * UTF-8 that was read as Latin-1 or Windows-1252 and saved: `CafÃ©` for Café, `donâ€™t` for don’t, `20 Â°C`, `Ð¿` for п. Correct
 * texts have no such pairs.
 */
const PAIR =
  /Ã[\u0080-\u009f\u00a1-\u00bf\u20ac\u2122\u0192]|Â[\u00a1-\u00bf]|â[€\u0080]|(?:[ÐÑ][\u0080-\u00bf]){2}/

export function misdecodedTexts({
  documents,
  queries,
}: {
  readonly documents: readonly Document[]
  readonly queries: readonly JudgedQuery[]
}): string[] {
  const pairDocuments = documents.filter(({ title, text }) => PAIR.test(text) || PAIR.test(title))
  const pairQueries = queries.filter(({ text }) => PAIR.test(text))
  const [first] = [...pairDocuments, ...pairQueries]
  if (!first) return []
  const all = 'title' in first && !PAIR.test(first.text) ? first.title : first.text
  const at = PAIR.exec(all)?.index ?? 0
  const [start = ''] = /\S*$/.exec(all.slice(0, at)) ?? []
  const [word = ''] = /^\S{1,20}/.exec(all.slice(at - Math.min(start.length, 20))) ?? []
  return [
    `${pairDocuments.length} documents and ${pairQueries.length} queries have characters of a wrong encoding, as ${JSON.stringify(word)} in "${first.id}": they were UTF-8, read as Latin-1 and saved; questions in right characters find them less often`,
  ]
}

/** Queries that were drafted from the corpus (`metadata.synthetic`), and those among them that people reviewed. */
export interface Drafted {
  readonly synthetic: number
  readonly reviewed: number
}

export function countDrafted(queries: readonly JudgedQuery[]): Drafted {
  const drafted = queries.filter(
    ({ metadata: { synthetic } }) => synthetic !== undefined && synthetic !== false,
  )
  return {
    synthetic: drafted.length,
    reviewed: drafted.filter(({ metadata: { reviewed } }) => reviewed !== undefined).length,
  }
}

export function syntheticNotices(queries: readonly JudgedQuery[]): string[] {
  const { synthetic, reviewed } = countDrafted(queries)
  return synthetic === 0
    ? []
    : [`${synthetic} of ${queries.length} questions are synthetic: ${originOfDrafted(synthetic, reviewed)}`]
}
