import type { Entity, Fact, Kind, Relation } from './model.ts'
import { allot, bodyName, deviceName, givenName, placeName, shipName, surname } from './names.ts'
import type { Random } from './random.ts'

/** How many entities of each kind a block of the world has; each gets a passage. */
export const COUNTS: Readonly<Record<Kind, number>> = {
  place: 60,
  institute: 36,
  person: 122,
  ship: 50,
  instrument: 44,
  expedition: 60,
  dispute: 36,
}

export interface Names {
  readonly surname: () => string
  readonly place: () => string
  readonly ship: () => string
}

export const createNames = (): Names => ({
  surname: allot(surname),
  place: allot(placeName),
  ship: allot(shipName),
})

export interface Block {
  readonly entities: Readonly<Record<Kind, readonly Entity[]>>
  readonly facts: ReadonlyMap<Entity, ReadonlyMap<Relation, Fact>>
}

const TRADES = [
  'surveyor',
  'pilot',
  'shipwright',
  'glassblower',
  'chart engraver',
  'botanist',
  'clockmaker',
  'ship surgeon',
  'astronomer',
  'hydrographer',
  'schoolmaster',
  'bellfounder',
]
const HABITS = [
  'a tame jackdaw',
  'a box of river pebbles',
  'two blind greyhounds',
  'a garden of medlars',
  'a wall of broken compasses',
  'a hive of black bees',
  'a ledger of dreams',
  'a one-legged gull',
  'forty clay pipes',
  'a goat named Admiral',
  'a collection of door keys',
  'a barrel organ',
]
const TIMBERS = ['larch', 'oak', 'black pine', 'elm', 'teak', 'cedar', 'walnut', 'ash']
const FATES = [
  'broken up for firewood',
  'sold to a salt merchant',
  'burned at her moorings',
  'run onto a sandbar and left there',
  'turned into a chapel',
  'lost with all hands',
  'made a prison hulk',
  'laid up in a dry dock',
]
const TROUBLES = ['ice', 'mutiny', 'scurvy', 'fire', 'fraud', 'fog']
const EMBLEMS = [
  'a crowned otter',
  'three nails',
  'a folded map',
  'an open hand',
  'a burning reed',
  'a snail on a wheel',
  'a blue ladder',
  'two crossed oars',
]
const MATERIALS = ['brass', 'horn', 'whalebone', 'smoked glass', 'silver wire', 'pearwood', 'lead', 'jet']
const PRODUCTS = [
  'salt',
  'rope',
  'smoked eel',
  'blue slate',
  'beeswax',
  'lamp oil',
  'pears',
  'felt hats',
  'cork',
  'ink',
  'bell metal',
  'honey',
]
const LANDMARKS = [
  'a leaning lighthouse',
  'a bridge without railings',
  'a stair of nine hundred steps',
  'a church built of driftwood',
  'a petrified forest',
  'a covered fish market',
  'a well that rises with the tide',
  'a wall of whale jaws',
]
const VERDICTS = [
  'both parties were fined',
  'the papers were sealed for fifty years',
  'the claim was thrown out',
  'an apology was read aloud in the market',
  'the profits were split into thirds',
  'the medal was melted down',
]

/** One block of the world: entities and the facts between them. Deterministic in `random` and the names still unused. */
export function buildBlock(random: Random, names: Names): Block {
  const facts = new Map<Entity, Map<Relation, Fact>>()
  const state = (subject: Entity, relation: Relation, object: Entity | string) => {
    const known = facts.get(subject) ?? new Map<Relation, Fact>()
    facts.set(subject, known.set(relation, { subject, relation, object }))
  }
  const year = (from: number, to: number) => String(from + random.int(to - from))
  const make = (kind: Kind, spell: (number: number, female: boolean) => { name: string; short: string }) =>
    Array.from({ length: COUNTS[kind] }, (_, number): Entity => {
      const female = random.chance(0.5)
      const { name, short } = spell(number, female)
      const bare = kind === 'person' || kind === 'place'
      return { kind, number, name, short, female, mention: bare ? name : `the ${name}` }
    })

  const place = make('place', () => named(names.place()))
  const institute = make('institute', (number) => {
    const seat = place[number % place.length].name
    return { name: `${seat} ${bodyName(random.int(12))}`, short: `the institute at ${seat}` }
  })
  const person = make('person', (_, female) => {
    const family = names.surname()
    return { name: `${givenName(female, random.int(28))} ${family}`, short: family }
  })
  const ship = make('ship', () => named(names.ship()))
  const instrument = make('instrument', () => named(`${names.surname()} ${deviceName(random.int(12))}`))
  const expedition = make('expedition', (number) =>
    named(
      `${place[(number * 7 + 3) % place.length].name} ${random.pick(['Survey', 'Voyage', 'Expedition', 'Crossing'])}`,
    ),
  )
  const dispute = make('dispute', (number) =>
    named(
      `${instrument[number].name.split(' ')[0]} ${random.pick(['Affair', 'Dispute', 'Quarrel', 'Question'])}`,
    ),
  )

  for (const [number, it] of person.entries()) {
    state(it, 'bornIn', random.pick(place))
    state(it, 'bornYear', year(1690, 1820))
    state(it, 'trade', random.pick(TRADES))
    state(it, 'trainedAt', random.pick(institute))
    state(it, 'pupilOf', person[(number + 1 + random.int(COUNTS.person - 1)) % COUNTS.person])
    state(it, 'keeps', random.pick(HABITS))
  }
  for (const it of ship) {
    state(it, 'builtBy', random.pick(person))
    state(it, 'builtAt', random.pick(place))
    state(it, 'launched', year(1720, 1850))
    state(it, 'timber', random.pick(TIMBERS))
    state(it, 'fate', random.pick(FATES))
  }
  for (const it of institute) {
    state(it, 'foundedBy', random.pick(person))
    state(it, 'founded', year(1700, 1840))
    state(it, 'emblem', random.pick(EMBLEMS))
  }
  for (const it of instrument) {
    state(it, 'inventedBy', random.pick(person))
    state(it, 'keptAt', random.pick(institute))
    state(it, 'material', random.pick(MATERIALS))
  }
  for (const it of place) {
    state(it, 'namedAfter', random.pick(person))
    state(it, 'product', random.pick(PRODUCTS))
    state(it, 'chartered', year(1600, 1780))
    state(it, 'landmark', random.pick(LANDMARKS))
  }
  for (const it of expedition) {
    state(it, 'ledBy', random.pick(person))
    state(it, 'sailedIn', random.pick(ship))
    state(it, 'paidBy', random.pick(institute))
    state(it, 'setOut', year(1730, 1860))
    state(it, 'trouble', random.pick(TROUBLES))
  }
  for (const it of dispute) {
    const [plaintiff, defendant, judge] = random.shuffle(person)
    state(it, 'plaintiff', plaintiff)
    state(it, 'defendant', defendant)
    state(it, 'settledBy', judge)
    state(it, 'heard', year(1740, 1860))
    state(it, 'verdict', random.pick(VERDICTS))
  }
  return { entities: { place, institute, person, ship, instrument, expedition, dispute }, facts }
}

const named = (name: string) => ({ name, short: name })
