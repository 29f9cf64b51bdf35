import { isDeepStrictEqual } from 'node:util'
import { INVISIBLE, withoutInvisible } from '../text/characters.ts'
import type { HeadingSection } from '../text/headings.ts'
import { didYouMean } from '../text/nearest.ts'

interface GoldPlace {
  /** Every heading from the outermost down to the section's own. */
  readonly headings?: readonly string[]
  /** Word for word; white space of any length and kind matches any other. */
  readonly quote?: string
}

/** One piece of gold as a question names it; with a file alone the whole document. */
export interface WrittenGold extends GoldPlace {
  /** A document, a file of several documents, or the key of one row of all tables. Without it the quote is searched everywhere. */
  readonly file?: string
  /** Page of a PDF, or slide, from 1. */
  readonly page?: number
  /** Pieces of one question with the same group are alternatives: one of them is enough. */
  readonly group?: string
}

export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Every place where the text holds the quote; none for a quote without words. */
export function quoteRanges(text: string, quote: string): TextRange[] {
  const words = withoutInvisible(quote).trim().split(/\s+/u).map(literal)
  if (words[0] === '') return []
  const { visible, place } = visibleOf(text)
  return [...visible.matchAll(new RegExp(words.join('\\s+'), 'gu'))].map(({ 0: match, index }) => ({
    start: place(index),
    end: place(index + match.length - 1) + 1,
  }))
}

function visibleOf(text: string): { visible: string; place: (index: number) => number } {
  const hidden = [...text.matchAll(INVISIBLE)]
  if (hidden.length === 0) return { visible: text, place: (index) => index }
  const places: number[] = []
  let from = 0
  for (const { index, 0: mark } of [...hidden, { index: text.length, 0: '' }]) {
    for (let at = from; at < index; at++) places.push(at)
    from = index + mark.length
  }
  return { visible: withoutInvisible(text), place: (index) => places[index] }
}

/**
 * Ranges of a place within a range of the text: each place of its quote below its headings, or the section below them without
 * deeper sections. A string is what is wrong. `sections` are needed for headings only.
 */
export function goldRanges(
  text: string,
  { headings, quote }: GoldPlace,
  place: TextRange,
  sections: readonly HeadingSection[],
): readonly TextRange[] | string {
  const path = headings && pathName(headings)
  const named = headings && sections.filter((section) => isDeepStrictEqual(section.path, headings))
  if (quote === undefined) {
    if (!named) return [place]
    if (named.length === 1) return [{ start: named[0].start, end: named[0].end }]
    if (named.length > 1)
      return `has ${named.length} sections "${path}"; add a quote from the one that is meant`
  }
  if (named?.length === 0) return `has no section "${path}"${otherPath(headings ?? [], sections)}`
  const matches = quoteRanges(text, quote ?? '').filter(
    ({ start, end }) => place.start <= start && end <= place.end,
  )
  const inside = matches.filter((range) => !named || named.some((section) => holds(section, range)))
  if (inside.length > 0) return inside
  if (matches.length === 0) return `does not hold the quote "${quote}"`
  const there = sections.find((section) => holds(section, matches[0]))
  return `holds the quote below "${pathName(there?.path ?? [])}", not below "${path}": "${quote}"`
}

function otherPath(headings: readonly string[], all: readonly HeadingSection[]): string {
  const ending = all.filter(({ path }) => isDeepStrictEqual(path.slice(-headings.length), headings))
  if (headings.length > 0 && ending.length === 1)
    return `; name every heading from the outermost down: ${JSON.stringify(ending[0].path)}`
  return didYouMean(pathName(headings), new Set(all.map(({ path }) => pathName(path))))
}

function holds(section: TextRange, { start }: TextRange): boolean {
  return section.start <= start && start < section.end
}

function pathName(path: readonly string[]): string {
  return path.join(' > ')
}

function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
