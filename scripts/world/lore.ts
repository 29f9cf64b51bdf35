import type { Passage, Question } from './model.ts'
import { INCIDENTS } from './prose/incidents.ts'
import { DAYBOOK, DIALECT } from './prose/kinship.ts'
import { TERMS } from './prose/terms.ts'
import type { Random } from './random.ts'
import type { Strangers } from './strangers.ts'
import { createTurns, pronouns } from './tell.ts'
import { word } from './wording.ts'

/**
 * The passages that belong to no entity: incidents with their questions in other words, the passages from which these
 * words' kinship can be learned, and the coast's own words with their definitions. Told once, in a world's first block.
 */
export interface Lore {
  readonly passages: readonly Passage[]
  readonly questions: readonly Question[]
}

/** Titles of the notes on dialect. */
const TITLES = [
  'How They Talk at {place}',
  'Two Words for One at {place}',
  'Notes on the Speech of {place}',
  'Said at {place}',
]
const ENTRIES = 2
const PAIRS = 5

export function tellLore(random: Random, strangers: Strangers): Lore {
  const questions: Question[] = []
  const incidents = INCIDENTS.map((incident): Passage => {
    const person = strangers.person(incident.woman)
    const place = strangers.place()
    const slots = { ...pronouns(person), person: person.name, place, year: strangers.year() }
    const passage = {
      title: incident.title,
      text: word(random, incident.text, slots),
      kind: 'incident',
      facts: [],
    }
    const answers = [slots[incident.answer]]
    questions.push({ category: 'paraphrase', text: incident.question, answers, path: [], gold: [passage] })
    return passage
  })
  const definitions = TERMS.map(({ title, meaning, question, answer }): Passage => {
    const passage = { title, text: meaning, kind: 'custom', facts: [] }
    questions.push({ category: 'definition', text: question, answers: [answer], path: [], gold: [passage] })
    return passage
  })
  const decoys = TERMS.flatMap(({ decoy }): Passage[] => {
    if (!decoy) return []
    const slots = { person: strangers.person().name, place: strangers.place(), year: strangers.year() }
    return [{ title: decoy.title, text: word(random, decoy.text, slots), kind: 'anecdote', facts: [] }]
  })
  return {
    passages: [
      ...incidents,
      ...daybooks(random, strangers),
      ...dialects(random, strangers),
      ...definitions,
      ...decoys,
    ],
    questions,
  }
}

/** Entries that touch on one incident stand in different daybooks. */
function daybooks(random: Random, strangers: Strangers): Passage[] {
  const entries = random.shuffle(DAYBOOK)
  const books = Math.ceil(entries.length / ENTRIES)
  const groups = spread(entries, books, ENTRIES, (a, b) =>
    incidentsOf(a).some((incident) => incidentsOf(b).includes(incident)),
  )
  return groups.map((group): Passage => {
    const place = strangers.place()
    const month = random.pick([
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'September',
      'October',
      'November',
    ])
    const days = random
      .shuffle(Array.from({ length: 9 }, (_, number) => number))
      .slice(0, group.length)
      .sort((a, b) => a - b)
    const text = group.map((entry, number) => `${days[number] * 3 + 2} ${month}. ${entry}`).join(' ')
    return { title: `From the Daybook of ${place}, ${strangers.year()}`, text, kind: 'daybook', facts: [] }
  })
}

/** Each pair of words stands in two notes, with pairs from other incidents. */
function dialects(random: Random, strangers: Strangers): Passage[] {
  const pairs = random.shuffle(
    INCIDENTS.flatMap(({ kin }, incident) =>
      kin.map(([chronicle, plain]) => ({ incident, chronicle, plain })),
    ),
  )
  const notes = Math.ceil(pairs.length / PAIRS)
  const again = [pairs, random.shuffle(pairs)]
  const groups = again.flatMap((round) => spread(round, notes, PAIRS, (a, b) => a.incident === b.incident))
  const turn = createTurns(random)
  const words = ['one', 'two', 'three', 'four', 'five']
  return groups.map((group): Passage => {
    // A note that came out short is filled with pairs of other notes.
    const full = [
      ...group,
      ...random.shuffle(pairs).filter(({ incident }) => !group.some((one) => one.incident === incident)),
    ]
    const slots: Record<string, string> = { person: strangers.person().name, place: strangers.place() }
    for (const [number, name] of words.entries()) {
      slots[number + 1] = `"${full[number].chronicle}"`
      slots[name] = `"${full[number].plain}"`
    }
    return {
      title: word(random, turn(TITLES), slots),
      text: word(random, turn(DIALECT), slots),
      kind: 'talk',
      facts: [],
    }
  })
}

const incidentsOf = (entry: string): number[] => {
  const said = new Set(entry.toLowerCase().match(/[\p{L}]+/gu))
  return INCIDENTS.flatMap(({ kin }, number) => (kin.some(([, plain]) => said.has(plain)) ? [number] : []))
}

/** Puts items into groups of at most `size`, each into the emptiest group where it clashes with nothing. */
function spread<T>(items: readonly T[], count: number, size: number, clash: (a: T, b: T) => boolean): T[][] {
  const groups: T[][] = Array.from({ length: count }, () => [])
  for (const item of items) {
    const open = groups.filter((group) => group.length < size && !group.some((other) => clash(item, other)))
    const emptiest = open.sort((a, b) => a.length - b.length)[0]
    if (emptiest) emptiest.push(item)
    else groups.push([item])
  }
  return groups
}
