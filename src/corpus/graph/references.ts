import { entityKey } from '../../text/entity-key.ts'
import { anchorOf } from '../../text/headings.ts'
import { sentences } from '../../text/sentences.ts'
import { ENGLISH_STOPWORDS } from '../../text/stopwords.ts'

/**
 * References to headings, in a sentence:
 *
 *   see "Movement"               every name in quotation marks after "see", "see also" or "refer to"
 *   [how to move](#movement)     a link to a heading's anchor, wherever it stands
 *   see Hit Points for more      the longest heading that the words after "see" begin with, and those listed after it
 *
 * Sources: ours. "See" before a name without quotation marks is no reference where somebody sees ("a creature that you
 * can see").
 */
export interface Reference {
  /** The heading's key; absent where the reference leads nowhere. */
  readonly key?: string
  readonly sentence: string
}

/** Words of a name after "see": each "see" tries all shorter names, too. */
const LONGEST = 16

interface KnownHeadings {
  has(key: string): boolean
  /** The key of the heading with this anchor. */
  ofAnchor(anchor: string): string | undefined
  /** Of the longest heading, of which no more than `LONGEST` are searched. */
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
      // A second heading of one name has `-1` behind its anchor.
      return (
        anchors.get(anchor.toLowerCase()) ??
        [key, key.replace(/ \d+$/u, '')].find((candidate) => names.has(candidate))
      )
    },
    words,
  }
}

/** The references of a text in the order of its sentences. */
export function referencesOf(text: string, known: KnownHeadings): Reference[] {
  const found: Reference[] = []
  for (const { start, end } of sentences(text)) {
    const sentence = text.slice(start, end)
    const add = (key: string | undefined) => found.push({ key, sentence })
    // What is taken as a link or a quotation is no word after "see" any more.
    const unlinked = sentence.replace(LINK, (whole, label: string, target: string) => {
      if (!target.startsWith('#')) return /^[a-z][a-z+.-]*:/iu.test(target) ? TAKEN : label
      if (target.length > 1) add(known.ofAnchor(decoded(target.slice(1))))
      return whole.startsWith('!') ? '' : TAKEN
    })
    const see = unlinked.search(SEES)
    if (see < 0) continue
    for (const [, name] of unlinked.slice(see).matchAll(QUOTED)) {
      const key = entityKey(name)
      add(known.has(key) ? key : undefined)
    }
    for (const { index, 0: verb, 1: also } of unlinked.matchAll(SEES)) {
      const end = index + verb.length
      const before = unlinked.slice(Math.max(0, index - NEAR), index)
      if (also === undefined && /^see/iu.test(verb) && SEEING.test(before)) continue
      // A heading may itself begin with the word, as the name of a spell that lets one see.
      if (longest(unlinked.slice(index, end + NEAR), known)) continue
      const [after] = unlinked.slice(end, end + NEAR).split(STOP, 1)
      for (const key of namedIn(after, known)) add(key)
    }
  }
  return found
}

const TAKEN = '|'
const LINK = /!?\[([^[\]\n]*)\]\(<?([^()\s<>]+)>?(?:\s+"[^"\n]*")?\)/gu
const SEES = /(?<=^|[\s([*_—–])(?:see|refer to)( also)?(?![\p{L}\p{M}\p{N}_])/giu
/** So many characters around "see" are searched: a long text takes no longer for each. */
const NEAR = 300
const QUOTED = /["“]([^"“”\n]{2,80})["”]/gu
const STOP = /[|"“”]/u
/** Who sees, or what comes before the verb: there "see" is no reference. */
const SEEING =
  /(?<![\p{L}\p{N}])(?:can|cannot|can't|could|couldn't|may|might|must|will|would|not|don't|to|i|you|we|they|he|she|it|who|that|ever|never)[\s*_([—–]*$/iu
const BEGIN = /^[\s*_:`]*(?=[\p{L}\p{N}])/u
const LEAD = /^(?:the\s+)?(?:(?:section|chapter)s?\s+(?:(?:on|about|for|called|titled)\s+)?)?(?:the\s+)?/iu
const ALSO = /^[*_`]*(?:,?\s+(?:and|or)\s+|[,;]\s*)(?:the\s+)?[*_`]*(?=\p{Lu})/u
const WORD = /[\p{L}\p{N}]+/gu
const STOPWORDS: ReadonlySet<string> = new Set(ENGLISH_STOPWORDS)

/** The headings that a text begins with; one undefined where it begins with a capitalised word that is none. */
function namedIn(after: string, known: KnownHeadings): (string | undefined)[] {
  const begin = BEGIN.exec(after)
  if (!begin) return []
  const whole = after.slice(begin[0].length)
  const led = whole.replace(LEAD, '').replace(/^[*_`]+/u, '')
  const [text, first] = [whole, led]
    .map((text) => [text, longest(text, known)] as const)
    .find(([, match]) => match) ?? [led, undefined]
  if (!first) return /^\p{Lu}/u.test(led) ? [undefined] : []
  const found = [first.key]
  let rest = text.slice(first.end)
  for (let also = ALSO.exec(rest); also; also = ALSO.exec(rest)) {
    rest = rest.slice(also[0].length)
    const next = longest(rest, known)
    if (!next) break
    found.push(next.key)
    rest = rest.slice(next.end)
  }
  return found
}

/** The longest heading that a text begins with, and where it ends. A lower-case "if" or "how" is no heading's name. */
function longest(text: string, known: KnownHeadings): { key: string; end: number } | undefined {
  const words: { key: string; end: number }[] = []
  for (const match of text.matchAll(WORD)) {
    if (words.length === known.words) break
    words.push({ key: match[0].toLowerCase(), end: match.index + match[0].length })
  }
  for (; words.length > 0; words.pop()) {
    const key = words.map(({ key }) => key).join(' ')
    if (known.has(key) && (/^\p{Lu}/u.test(text) || words.some(({ key }) => !STOPWORDS.has(key))))
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
