import { goldRange } from '../../src/dataset/gold-places.ts'
import { createAnalyzer, tokenize } from '../../src/text/tokenize.ts'
import type { Question, Quoted } from './questions.ts'
import { sectionsIn } from './texts.ts'

/** How much of a question stands in its gold already: the more, the less there is to understand. */
export interface Overlap {
  /** Share of the question's terms (stems, no stop words) in the sections of its gold, headings included. */
  readonly sections: number
  /** The same in the quotes alone. */
  readonly quotes: number
  /** The same in the sections of a trap's wrong passages; null where there are none. */
  readonly trap: number | null
  /** The most words in a row that the question shares with one section of its gold, stop words included. */
  readonly run: number
}

const analyze = createAnalyzer({ stemmer: 'language', stopwords: 'language' })

export function overlapOf({ text, gold, trap }: Question, texts: ReadonlyMap<string, string>): Overlap {
  const sections = gold.map((place) => sectionText(place, texts))
  return {
    sections: shareIn(text, sections.join('\n')),
    quotes: shareIn(text, gold.map(({ quote }) => quote).join('\n')),
    trap: trap ? shareIn(text, trap.map((place) => sectionText(place, texts)).join('\n')) : null,
    run: Math.max(...sections.map((section) => longestRun(tokenize(text), tokenize(section)))),
  }
}

/** The section that holds a place's quote, below the path of its headings. */
export function sectionText(place: Quoted, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(place.file) ?? ''
  const range = goldRange(text, place, sectionsIn(text))
  if (typeof range === 'string') throw new Error(`${place.file} ${range}`)
  const section = sectionsIn(text).find(({ end }) => end > range.start)
  return `${section?.path.join(' > ')}\n${text.slice(section?.start, section?.end)}`
}

function shareIn(question: string, passage: string): number {
  const asked = new Set(analyze(question))
  const held = new Set(analyze(passage))
  return asked.size === 0 ? 0 : [...asked].filter((term) => held.has(term)).length / asked.size
}

function longestRun(a: readonly string[], b: readonly string[]): number {
  let most = 0
  let before: number[] = []
  for (const word of a) {
    const row = b.map((other, at) => (word === other ? (before[at - 1] ?? 0) + 1 : 0))
    most = row.reduce((one, other) => Math.max(one, other), most)
    before = row
  }
  return most
}
