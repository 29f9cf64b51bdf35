import { z } from 'zod'
import { entityKey } from '../../../text/entity-key.ts'
import { anchorOf, headingsOf, sectionPath } from '../../../text/headings.ts'
import { inReadingOrder } from '../../../text/ids.ts'
import { ENGLISH_STOPWORDS } from '../../../text/languages.ts'
import { plainHeading } from '../../../text/plain-heading.ts'
import { sentences } from '../../../text/sentences.ts'
import type { Chunk, Document } from '../../../types.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

/**
 * Relates the chunks of structured documents; each is one entity, named by its path of headings
 * (docs/corpus.md#graphs). A reference leads to the chunk whose path has most in common with its own.
 */
export default defineExtractor({
  name: 'structure',
  version: 5,
  summary: 'sections: contains, next, and references: "see X" or a link to an anchor',
  params: z.strictObject({}),
  make: () => ({
    relations: ['contains', 'next', 'references'],
    extract({ chunks, documents }) {
      const order = inReadingOrder(chunks)
      const paths = pathsOf(chunks, documents)
      const names = uniqueNames(order, paths, chunks)
      const links: Link[] = []
      const relate = (from: number, relation: string, to: number, chunk: number, description?: string) => {
        const ends = { source: names[from], target: names[to] }
        links.push({ ...ends, predicate: relation, relation, chunk, weight: 1, description })
      }
      const parents = parentsOf(order, paths, chunks)
      order.forEach((chunk, i) => {
        const before = order[i - 1]
        if (parents[chunk] >= 0) relate(parents[chunk], 'contains', chunk, chunk)
        if (before !== undefined && chunks[before].documentId === chunks[chunk].documentId)
          relate(before, 'next', chunk, chunk)
      })
      const notices = { unresolvedReferences: 0, ambiguousReferences: 0 }
      const holders = holdersOf(order, paths, chunks)
      const headings = knownHeadings(new Map([...holders].map(([key, { name }]) => [key, name])))
      for (const chunk of order)
        for (const { key, sentence } of referencesOf(chunks[chunk].text, headings)) {
          const section = key === undefined ? undefined : holders.get(key)
          const targets = section ? nearest(chunk, section.chunks, paths, chunks) : []
          if (targets.length === 0) notices.unresolvedReferences++
          else if (targets.length > 1) notices.ambiguousReferences++
          else if (targets[0] !== chunk) relate(chunk, 'references', targets[0], chunk, sentence)
        }
      // A chunk without a heading is an entity only if it is related to another.
      const related = new Set(links.flatMap(({ source, target }) => [source, target]))
      const mentions = chunks.flatMap(({ text }, chunk): Mention[] => {
        const name = names[chunk]
        if (paths[chunk].length === 0 && !related.has(name)) return []
        return [{ name, chunk, count: 1, type: 'heading', text: opening(text) }]
      })
      return { mentions, links, names: 'exact', describe: { separator: ' ', tokens: 100 }, notices }
    },
  }),
})

type Paths = readonly (readonly string[])[]

/** Headings down to each chunk, the document's title first. */
function pathsOf(chunks: readonly Chunk[], documents: readonly Document[]): Paths {
  const titles = new Map(documents.map(({ id, title }) => [id, title]))
  return chunks.map((chunk) => {
    const path = sectionPath(chunk)
    const title = titles.get(chunk.documentId) ?? ''
    const isNamed = entityKey(title) === '' || entityKey(path[0] ?? '') === entityKey(title)
    return isNamed ? path : [title, ...path]
  })
}

const SEPARATOR = ' > '

/** One name for each chunk: its path, else its id, with a number if an earlier chunk has the name. */
function uniqueNames(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): string[] {
  const names: string[] = []
  const usedPaths = new Set<string>()
  const next = new Map<string, number>()
  for (const chunk of order) {
    const path = paths[chunk].join(SEPARATOR).trim() || chunks[chunk].id
    let name = path
    for (let number = next.get(path) ?? 2; usedPaths.has(name); number++) {
      name = `${path} (${number})`
      next.set(path, number + 1)
    }
    usedPaths.add(name)
    names[chunk] = name
  }
  return names
}

/** Chunk that contains each chunk, or -1: the first one of its section, else of the nearest section above. */
function parentsOf(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): Int32Array {
  const parents = new Int32Array(chunks.length).fill(-1)
  const first = new Map<string, number>()
  for (const chunk of order) {
    const path = paths[chunk]
    const keyOf = (depth: number) => JSON.stringify([chunks[chunk].documentId, ...path.slice(0, depth)])
    for (let depth = path.length; depth > 0 && parents[chunk] < 0; depth--)
      parents[chunk] = first.get(keyOf(depth)) ?? -1
    if (!first.has(keyOf(path.length))) first.set(keyOf(path.length), chunk)
  }
  return parents
}

interface Holders {
  readonly name: string
  readonly chunks: Set<number>
}

/** Headings by key, with the chunks that contain them or begin their section. */
function holdersOf(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): Map<string, Holders> {
  const holders = new Map<string, Holders>()
  const hold = (name: string, chunk: number) => {
    const key = entityKey(name)
    if (key === '') return
    const holder = holders.get(key)
    if (holder) holder.chunks.add(chunk)
    else holders.set(key, { name, chunks: new Set([chunk]) })
  }
  const begun = new Set<string>()
  for (const chunk of order) {
    const path = paths[chunk]
    path.forEach((name, depth) => {
      const section = JSON.stringify([chunks[chunk].documentId, ...path.slice(0, depth + 1)])
      if (!begun.has(section)) hold(name, chunk)
      begun.add(section)
    })
    for (const { name } of headingsOf(chunks[chunk].text)) hold(plainHeading(name), chunk)
  }
  return holders
}

/** Holders in the chunk's own document whose paths share most headings with its own; all if none is in its document. */
function nearest(
  chunk: number,
  holders: Iterable<number>,
  paths: Paths,
  chunks: readonly Chunk[],
): readonly number[] {
  const shared = (other: number) => {
    if (chunks[other].documentId !== chunks[chunk].documentId) return -1
    const apart = paths[chunk].findIndex((name, depth) => paths[other][depth] !== name)
    return apart < 0 ? paths[chunk].length : apart
  }
  const all = [...holders].map((holder) => ({ holder, shared: shared(holder) }))
  const most = all.reduce((most, { shared }) => Math.max(most, shared), -1)
  return all.filter(({ shared }) => shared === most).map(({ holder }) => holder)
}

function opening(text: string): string | undefined {
  const body = text.replace(/^#{1,6}[^\n]*\n+/u, '')
  const first = sentences(body.slice(0, 2000))[0]
  return first && body.slice(first.start, first.end)
}

/**
 * References to headings: names in quotation marks after "see", "see also" or "refer to"; links to anchors; and the
 * longest heading at the beginning of the words after "see", with those listed after it.
 */
interface Reference {
  readonly key?: string
  readonly sentence: string
}

/** Maximum words of a name after "see". */
const LONGEST = 16

interface KnownHeadings {
  has(key: string): boolean
  ofAnchor(anchor: string): string | undefined
  readonly words: number
}

/** Looks headings up by their keys (`entityKey`) and by the anchors that Markdown renderers give them. */
export function knownHeadings(names: ReadonlyMap<string, string>): KnownHeadings {
  const anchors = new Map<string, string>()
  let words = 0
  for (const [key, name] of names) {
    const anchor = anchorOf(name)
    if (!anchors.has(anchor)) anchors.set(anchor, key)
    words = Math.min(LONGEST, Math.max(words, key.split(' ').length))
  }
  return {
    has: (key) => names.has(key),
    ofAnchor(anchor) {
      const key = entityKey(anchor)
      // The anchor of a second heading of the same name ends with `-1`.
      return (
        anchors.get(anchor.toLowerCase()) ??
        [key, key.replace(/ \d+$/u, '')].find((candidate) => names.has(candidate))
      )
    },
    words,
  }
}

export function referencesOf(text: string, headings: KnownHeadings): Reference[] {
  const references: Reference[] = []
  for (const { start, end } of sentences(text)) {
    const sentence = text.slice(start, end)
    const add = (key: string | undefined) => references.push({ key, sentence })
    // Links and quotations are removed, so that they are not read as words after "see".
    const unlinked = sentence.replace(LINK, (whole, label: string, target: string) => {
      if (!target.startsWith('#')) return /^[a-z][a-z+.-]*:/iu.test(target) ? TAKEN : label
      if (target.length > 1) add(headings.ofAnchor(decoded(target.slice(1))))
      return whole.startsWith('!') ? '' : TAKEN
    })
    const see = unlinked.search(SEES)
    if (see < 0) continue
    for (const [, name] of unlinked.slice(see).matchAll(QUOTED)) {
      const key = entityKey(name)
      add(headings.has(key) ? key : undefined)
    }
    for (const { index, 0: verb, 1: also } of unlinked.matchAll(SEES)) {
      const end = index + verb.length
      const before = unlinked.slice(Math.max(0, index - NEAR), index)
      if (also === undefined && /^see/iu.test(verb) && SEEING.test(before)) continue
      // A heading may itself begin with the word, such as the name of a spell.
      if (longest(unlinked.slice(index, end + NEAR), headings)) continue
      const [after] = unlinked.slice(end, end + NEAR).split(STOP, 1)
      for (const key of namedIn(after, headings)) add(key)
    }
  }
  return references
}

const TAKEN = '|'
const LINK = /!?\[([^[\]\n]*)\]\(<?([^()\s<>]+)>?(?:\s+"[^"\n]*")?\)/gu
const SEES = /(?<=^|[\s([*_—–])(?:see|refer to)( also)?(?![\p{L}\p{M}\p{N}_])/giu
/** Characters around "see" that are searched, so that a long text costs no more per reference. */
const NEAR = 300
const QUOTED = /["“]([^"“”\n]{2,80})["”]/gu
const STOP = /[|"“”]/u
/** Subjects and auxiliaries before "see" that make it an act of seeing. */
const SEEING =
  /(?<![\p{L}\p{N}])(?:can|cannot|can't|could|couldn't|may|might|must|will|would|not|don't|to|i|you|we|they|he|she|it|who|that|ever|never)[\s*_([—–]*$/iu
const BEGIN = /^[\s*_:`]*(?=[\p{L}\p{N}])/u
const LEAD = /^(?:the\s+)?(?:(?:section|chapter)s?\s+(?:(?:on|about|for|called|titled)\s+)?)?(?:the\s+)?/iu
const ALSO = /^[*_`]*(?:,?\s+(?:and|or)\s+|[,;]\s*)(?:the\s+)?[*_`]*(?=\p{Lu})/u
const WORD = /[\p{L}\p{N}]+/gu
const STOPWORDS: ReadonlySet<string> = new Set(ENGLISH_STOPWORDS)

function namedIn(after: string, headings: KnownHeadings): (string | undefined)[] {
  const begin = BEGIN.exec(after)
  if (!begin) return []
  const whole = after.slice(begin[0].length)
  const led = whole.replace(LEAD, '').replace(/^[*_`]+/u, '')
  const [text, first] = [whole, led]
    .map((text) => [text, longest(text, headings)] as const)
    .find(([, match]) => match) ?? [led, undefined]
  if (!first) return /^\p{Lu}/u.test(led) ? [undefined] : []
  const keys = [first.key]
  let rest = text.slice(first.end)
  for (let also = ALSO.exec(rest); also; also = ALSO.exec(rest)) {
    rest = rest.slice(also[0].length)
    const next = longest(rest, headings)
    if (!next) break
    keys.push(next.key)
    rest = rest.slice(next.end)
  }
  return keys
}

/** Longest heading that a text begins with. A lower-case "if" or "how" is no heading. */
function longest(text: string, headings: KnownHeadings): { key: string; end: number } | undefined {
  const words: { key: string; end: number }[] = []
  for (const match of text.matchAll(WORD)) {
    if (words.length === headings.words) break
    words.push({ key: match[0].toLowerCase(), end: match.index + match[0].length })
  }
  for (; words.length > 0; words.pop()) {
    const key = words.map(({ key }) => key).join(' ')
    if (headings.has(key) && (/^\p{Lu}/u.test(text) || words.some(({ key }) => !STOPWORDS.has(key))))
      return { key, end: words[words.length - 1].end }
  }
  return undefined
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor)
  } catch {
    return anchor
  }
}
