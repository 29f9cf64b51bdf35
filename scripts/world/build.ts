import { type Cast, COUNTS, TWICE } from './cast.ts'
import { createDrawer } from './draw.ts'
import type { Block, Entity, Fact, Kind, Relation } from './model.ts'
import { GROUNDS } from './prose/dispute.ts'
import { TROUBLES } from './prose/expedition.ts'
import { FATES } from './prose/ship.ts'
import type { Random } from './random.ts'
import { CARGOES, emblem, PRODUCTS, pet, REGIONS, sight, stuff, TIMBERS, VERDICTS } from './values.ts'

/** How many people have a passage about their last years, and ships one about their log. */
const LAST_YEARS = 26
const LOGS = 16
/** Ships whose end belongs to a theme; the others end in some ordinary way. */
const REMARKABLE_ENDS = 25

/** The passages of a block that tell of entities. */
export const BLOCK_PASSAGES = Object.values(COUNTS).reduce((sum, count) => sum + count, 0) + LAST_YEARS + LOGS

/**
 * States the facts of a block, in an order in which the years can agree: nobody leads before being grown up, learns at
 * a school that is not yet founded, or sails in a ship that is not yet built. Who came too early for any school or
 * teacher has none. `hubs` is an earlier block; some facts point to its places and institutes, so that a large world
 * hangs together.
 */
export function buildBlock(random: Random, cast: Cast, hubs: Block | null): Block {
  const facts = new Map<Entity, Map<Relation, Fact>>()
  const state = (subject: Entity, relation: Relation, object: Entity | string | undefined) => {
    if (object === undefined) return
    const known = facts.get(subject) ?? new Map<Relation, Fact>()
    facts.set(subject, known.set(relation, { subject, relation, object }))
  }
  const year = (entity: Entity, relation: Relation) =>
    Number((facts.get(entity) ?? hubs?.facts.get(entity))?.get(relation)?.object)
  const born = (entity: Entity) => year(entity, 'bornYear')
  const grown = (when: number) => (it: Entity) => born(it) <= when - 24 && born(it) >= when - 62
  const { place, institute, person, ship, instrument, expedition, dispute } = cast.entities
  const draw = createDrawer(random, cast)
  const far = (
    relation: Relation,
    kind: 'place' | 'institute',
    fits: (it: Entity) => boolean = () => true,
  ) => {
    const there = hubs && random.chance(0.15) ? random.pick(hubs.entities[kind]) : null
    return there && fits(there) ? there : draw(relation, kind, fits)
  }
  // In one block of hundreds nobody is of the age wanted; then age gives way.
  const some = (relation: Relation, kind: Kind, fits?: (it: Entity) => boolean) =>
    draw(relation, kind, fits) ?? (draw(relation, kind) as Entity)
  const later = (first: number, from: number, range: number) => first + from + random.int(range)

  for (const it of person) {
    state(it, 'bornYear', String(1655 + random.int(145)))
    state(it, 'bornIn', far('bornIn', 'place'))
    state(it, 'trade', cast.trades.get(it))
    state(it, 'keeps', pet(random))
  }
  for (const it of institute) {
    const founder = some('foundedBy', 'person', (one) => born(one) < 1740)
    state(it, 'foundedBy', founder)
    state(it, 'founded', String(later(born(founder), 26, 30)))
    state(it, 'emblem', emblem(random))
  }
  for (const it of person) {
    const [first, last] = [born(it) - 48, born(it) - 12]
    state(
      it,
      'trainedAt',
      far('trainedAt', 'institute', (one) => year(one, 'founded') < born(it) + 18),
    )
    state(
      it,
      'pupilOf',
      draw('pupilOf', 'person', (one) => born(one) >= first && born(one) <= last),
    )
  }
  for (const it of random.shuffle(person).slice(0, LAST_YEARS)) {
    const died = later(born(it), 63, 26)
    state(it, 'diedIn', far('diedIn', 'place'))
    state(it, 'diedYear', String(died))
    state(
      it,
      'leftTo',
      some('leftTo', 'institute', (one) => year(one, 'founded') < died),
    )
  }
  const ends = Object.keys(FATES).filter((theme) => theme !== 'ordinary')
  for (const [number, it] of ship.entries()) {
    const builder = some('builtBy', 'person')
    state(it, 'builtBy', builder)
    state(it, 'builtAt', far('builtAt', 'place'))
    state(it, 'launched', String(later(born(builder), 25, 25)))
    state(it, 'timber', random.pick(TIMBERS))
    state(it, 'fate', number < REMARKABLE_ENDS ? ends[number % ends.length] : 'ordinary')
  }
  for (const it of random.shuffle(ship).slice(0, LOGS)) {
    state(it, 'master', some('master', 'person', grown(year(it, 'launched') + 4)))
    state(it, 'cargo', random.pick(CARGOES))
  }
  for (const it of instrument) {
    state(it, 'inventedBy', some('inventedBy', 'person'))
    state(it, 'keptAt', far('keptAt', 'institute'))
    state(it, 'material', stuff(random))
  }
  for (const it of place) {
    const mayor = some('mayor', 'person')
    state(it, 'mayor', mayor)
    state(it, 'product', random.pick(PRODUCTS))
    state(it, 'chartered', String(later(born(mayor), 30, 28)))
    state(it, 'landmark', sight(random))
    state(it, 'region', random.pick(REGIONS))
  }
  const themes = Object.keys(TROUBLES)
  for (const [number, it] of expedition.entries()) {
    const again = number < 2 * TWICE && number % 2 === 1 ? facts.get(expedition[number - 1]) : undefined
    const sail = again ? later(Number(again.get('setOut')?.object), 2, 9) : later(1725, 0, 110)
    state(it, 'ledBy', some('ledBy', 'person', grown(sail)))
    state(
      it,
      'sailedIn',
      some('sailedIn', 'ship', (one) => year(one, 'launched') <= sail && year(one, 'launched') > sail - 60),
    )
    state(
      it,
      'paidBy',
      again?.get('paidBy')?.object ?? far('paidBy', 'institute', (one) => year(one, 'founded') < sail),
    )
    state(it, 'boundFor', again?.get('boundFor')?.object ?? random.pick(REGIONS))
    state(it, 'setOut', String(sail))
    state(it, 'trouble', themes[number % themes.length])
    state(it, 'crew', String(18 + random.int(160)))
  }
  const grounds = Object.keys(GROUNDS)
  for (const [number, it] of dispute.entries()) {
    const heard = later(1735, 0, 105)
    const sides = new Set<Entity>()
    while (sides.size < 3)
      sides.add(some('settledBy', 'person', (one) => grown(heard)(one) && !sides.has(one)))
    const [plaintiff, defendant, judge] = sides
    const kind = (['instrument', 'expedition', 'ship'] as const)[number % 3]
    const known = {
      instrument: () => true,
      expedition: (one: Entity) => year(one, 'setOut') < heard,
      ship: (one: Entity) => year(one, 'launched') < heard,
    }
    state(it, 'plaintiff', plaintiff)
    state(it, 'defendant', defendant)
    state(it, 'about', some('about', kind, known[kind]))
    state(it, 'ground', grounds[number % grounds.length])
    state(it, 'settledBy', judge)
    state(it, 'heard', String(heard))
    state(it, 'verdict', random.pick(VERDICTS))
  }
  return { entities: cast.entities, facts }
}
