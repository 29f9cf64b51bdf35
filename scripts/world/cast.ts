import type { Entity, Kind } from './model.ts'
import {
  allot,
  bodyName,
  deviceName,
  givenName,
  landfallName,
  learnedName,
  placeName,
  quarrelName,
  shipName,
  surname,
} from './names.ts'
import type { Random } from './random.ts'
import { TRADES } from './values.ts'

/** Who and what there is in a block, with names. Homonyms are wanted: they are what tells a reader from a matcher. */
export const COUNTS: Readonly<Record<Kind, number>> = {
  place: 60,
  institute: 36,
  person: 116,
  ship: 48,
  instrument: 42,
  expedition: 60,
  dispute: 36,
}
const NAMESAKES = 5
const COUSINS = 8
const SHIPS_CALLED_AS_PLACES = 5
/** Expeditions that went twice: `First ...` and `Second ...`, told in the same words. */
export const TWICE = 12

export interface Names {
  readonly surname: () => string
  readonly place: () => string
  readonly ship: () => string
  readonly learned: () => string
  readonly landfall: () => string
  readonly quarrel: () => string
}

export const createNames = (): Names => ({
  surname: allot(surname),
  place: allot(placeName),
  ship: allot(shipName),
  learned: allot(learnedName),
  landfall: allot(landfallName),
  quarrel: allot(quarrelName),
})

export interface Cast {
  readonly entities: Readonly<Record<Kind, readonly Entity[]>>
  readonly trades: ReadonlyMap<Entity, string>
}

export function createCast(random: Random, names: Names): Cast {
  const places = times(COUNTS.place, () => entity('place', names.place()))
  const institutes = times(COUNTS.institute, () => {
    const learned = names.learned()
    return entity('institute', `${learned} ${bodyName(random.int(12))}`, { aliases: [`the ${learned}`] })
  })
  const { people, trades } = createPeople(random, names)
  const ships = times(COUNTS.ship, (number) => {
    if (number >= SHIPS_CALLED_AS_PLACES) return entity('ship', names.ship())
    const name = places[places.length - 1 - number].name
    return entity('ship', `${name} (ship)`, { mention: `the ship ${name}` })
  })
  const taken = new Set<string>()
  const instruments = times(COUNTS.instrument, (number) => {
    for (;;) {
      // A third bear a name that nobody has; the others the name of somebody, who need not be the inventor.
      const maker = number % 3 === 0 ? names.surname() : people[random.int(COUNTS.person)].family
      const name = `${maker} ${deviceName(random.int(12))}`
      if (taken.has(name)) continue
      taken.add(name)
      return entity('instrument', name)
    }
  })
  const words = ['Survey', 'Voyage', 'Expedition', 'Crossing', 'Reconnaissance']
  const goals = times(COUNTS.expedition - TWICE, names.landfall)
  const expeditions = times(COUNTS.expedition, (number) => {
    if (number >= 2 * TWICE) return entity('expedition', `${goals[number - TWICE]} ${random.pick(words)}`)
    const goal = Math.floor(number / 2)
    return entity(
      'expedition',
      `${number % 2 ? 'Second' : 'First'} ${goals[goal]} ${words[goal % words.length]}`,
    )
  })
  const matters = ['Affair', 'Dispute', 'Quarrel', 'Question', 'Case', 'Controversy']
  const disputes = times(COUNTS.dispute, () =>
    entity('dispute', `${names.quarrel()} ${random.pick(matters)}`),
  )
  const entities = {
    place: places,
    institute: institutes,
    person: people,
    ship: ships,
    instrument: instruments,
    expedition: expeditions,
    dispute: disputes,
  }
  return { entities, trades }
}

/** The last people of a block are namesakes of the first, of another trade; those before them share a surname. */
function createPeople(random: Random, names: Names) {
  const trades = new Map<Entity, string>()
  const people: Entity[] = []
  const add = (
    given: string,
    family: string,
    female: boolean,
    trade: string,
    shared: 'nothing' | 'family' | 'name',
  ) => {
    const full = `${given} ${family}`
    const more = {
      nothing: { aliases: [`the ${trade} ${family}`, `${given[0]}. ${family}`] },
      family: { aliases: [`the ${trade} ${family}`] },
      name: { mention: `the ${trade} ${full}`, name: `${full} (${trade})` },
    }[shared]
    const person = entity('person', full, { family, female, ...more })
    trades.set(person, trade)
    people.push(person)
  }
  const single = COUNTS.person - NAMESAKES - COUSINS
  const first = times(single, (number) => {
    const female = random.chance(0.5)
    return {
      given: givenName(female, random.int(28)),
      family: names.surname(),
      female,
      trade: TRADES[(number * 5 + random.int(3)) % 16],
    }
  })
  const other = (trade: string) =>
    TRADES[(TRADES.indexOf(trade as (typeof TRADES)[number]) + 1 + random.int(14)) % 16]
  for (const [number, { given, family, female, trade }] of first.entries()) {
    add(
      given,
      family,
      female,
      trade,
      number < NAMESAKES ? 'name' : number < NAMESAKES + COUSINS ? 'family' : 'nothing',
    )
  }
  for (const { family, trade, given } of first.slice(NAMESAKES, NAMESAKES + COUSINS)) {
    const female = random.chance(0.5)
    const names = times(28, (number) => givenName(female, number)).filter((name) => name[0] !== given[0])
    add(random.pick(names), family, female, other(trade), 'family')
  }
  for (const { given, family, female, trade } of first.slice(0, NAMESAKES))
    add(given, family, female, other(trade), 'name')
  return { people, trades }
}

type More = Partial<Pick<Entity, 'name' | 'mention' | 'aliases' | 'family' | 'female'>>

function entity(kind: Kind, name: string, more: More = {}): Entity {
  const mention = kind === 'person' || kind === 'place' ? name : `the ${name}`
  return { kind, name, mention, aliases: [], family: '', female: true, ...more }
}

const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number))
