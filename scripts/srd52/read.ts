import { goldRange } from '../../src/dataset/gold-places.ts'
import { sectionsOf } from '../../src/text/headings.ts'
import { type Quoted, readingOf, readQuestions } from './questions.ts'
import { rulebookTexts } from './texts.ts'

/**
 * Prints what the second reader reads: each question under the name of its reading alone, with the sections of its gold
 * and the quotes marked in them, in an order that has nothing to do with the file's. Alternatives stand apart by "or".
 */
const AROUND = 600

const texts = await rulebookTexts()

function shown(place: Quoted): string {
  const text = texts.get(place.file) ?? ''
  const range = goldRange(text, place)
  if (typeof range === 'string') throw new Error(range)
  const section = sectionsOf(text).find(({ end }) => end > range.start)
  const from = Math.max(section?.start ?? 0, range.start - AROUND)
  const to = Math.min(Math.max(section?.end ?? 0, range.end), range.end + AROUND)
  const marked = `${text.slice(from, range.start)}«${text.slice(range.start, range.end)}»${text.slice(range.end, to)}`
  return `[${place.file}: ${section?.path.join(' > ')}]\n${marked
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/-{4,}/g, '-')
    .trim()}`
}

const readings = readQuestions().map((question) => ({ question, name: readingOf(question) }))
readings.sort((a, b) => (a.name < b.name ? -1 : 1))
for (const { question, name } of readings) {
  console.log(`=== ${name}: ${question.text}`)
  const groups = new Map<string | number, Quoted[]>()
  for (const [index, place] of question.gold.entries())
    groups.set(place.group ?? index, [...(groups.get(place.group ?? index) ?? []), place])
  console.log([...groups.values()].map((places) => places.map(shown).join('\n--- or\n')).join('\n--- and\n'))
}
