import { entityKey } from '../../text/entity-key.ts'
import { anchorOf } from '../../text/headings.ts'
import { ENGLISH_STOPWORDS } from '../../text/languages.ts'
import { sentences } from '../../text/sentences.ts'

/**
 * References to headings: names in quotation marks after "see", "see also" or "refer to"; links to anchors; and the
 * longest heading at the beginning of the words after "see", with those listed after it. "See" as an act of seeing is
 * none.
 */
export interface Reference {
  /** Key of the heading; absent if there is no such heading. */
  readonly key?: string
  readonly sentence: string
}

/** Maximum words of a name after "see"; shorter names are tried too. */
const LONGEST = 16

interface KnownHeadings {
  has(key: string): boolean
  /** The key of the heading with this anchor. */
  ofAnchor(anchor: string): string | undefined
  /** Words of the longest heading, at most `LONGEST`. */
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

/** Longest heading that a text begins with, and its end. A lower-case "if" or "how" is no heading. */
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
