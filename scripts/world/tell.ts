import { TWICE } from './cast.ts'
import {
  type Block,
  type Entity,
  type Fact,
  isEntity,
  type Kind,
  type Passage,
  type Relation,
  textOf,
} from './model.ts'
import { COLOUR } from './prose/colour.ts'
import { DISPUTE, GROUNDS } from './prose/dispute.ts'
import { EXPEDITION, TROUBLES } from './prose/expedition.ts'
import { INSTITUTE } from './prose/institute.ts'
import { INSTRUMENT } from './prose/instrument.ts'
import { LAST_YEARS, PERSON } from './prose/person.ts'
import { PLACE } from './prose/place.ts'
import { FATES, LOG, SHIP } from './prose/ship.ts'
import { TERMS } from './prose/terms.ts'
import type { Random } from './random.ts'
import { word } from './wording.ts'

const SHAPES: Readonly<Record<Kind, readonly string[]>> = {
  person: PERSON,
  ship: SHIP,
  expedition: EXPEDITION,
  institute: INSTITUTE,
  instrument: INSTRUMENT,
  place: PLACE,
  dispute: DISPUTE,
}
/** What the second passage of a person or a ship tells; the first leaves it out. */
const LATER: readonly Relation[] = ['diedIn', 'diedYear', 'leftTo', 'master', 'cargo']
/** Relations whose object is a theme, told in words that do not name it. */
const TOLD: readonly (readonly [Relation, Readonly<Record<string, readonly string[]>>])[] = [
  ['fate', FATES],
  ['trouble', TROUBLES],
  ['ground', GROUNDS],
]

/** What stands for those who came before anyone who could have taught them. */
const UNKNOWN = { trainedAt: 'a school that has since burned down', pupilOf: 'a teacher whose name is lost' }

/** Takes the next of a list for ever, beginning again when it ends: nothing is told twice before everything once. */
type Turn = (list: readonly string[]) => string

/** The passages of all entities of a block, each fact stated in exactly one. */
export function tellBlock(random: Random, block: Block): Passage[] {
  const turn = createTurns(random)
  const colour = colourist(random, turn)
  const passages: Passage[] = []
  for (const [kind, entities] of Object.entries(block.entities) as [Kind, readonly Entity[]][]) {
    for (const [number, entity] of entities.entries()) {
      const facts = [...(block.facts.get(entity)?.values() ?? [])]
      const slots = slotsOf(random, block, entity, facts, turn)
      // The second of two expeditions is told in the words of the first: near-duplicates with other facts.
      const paired = kind === 'expedition' && number < 2 * TWICE
      const manner = random.fork(`${kind} ${paired ? number >> 1 : number}`)
      const shape = paired ? EXPEDITION[(number >> 1) % EXPEDITION.length] : turn(SHAPES[kind])
      slots.colour = random.chance(0.85) ? word(random, colour(kind), slots) : ''
      passages.push({
        title: entity.name,
        text: word(manner, shape, slots),
        kind,
        facts: facts.filter(({ relation }) => !LATER.includes(relation)),
      })
      const later = facts.filter(({ relation }) => LATER.includes(relation))
      if (later.length === 0) continue
      const title = kind === 'ship' ? `Log of ${entity.mention}` : `The Last Years of ${entity.mention}`
      const text = word(random, turn(kind === 'ship' ? LOG : LAST_YEARS), slots)
      passages.push({ title, text, kind: kind === 'ship' ? 'log' : 'life', facts: later })
    }
  }
  return passages
}

function slotsOf(random: Random, block: Block, entity: Entity, facts: readonly Fact[], turn: Turn) {
  const slots: Record<string, string> = {
    ...UNKNOWN,
    name: plain(entity),
    mention: entity.mention,
    family: entity.family,
  }
  for (const { relation, object } of facts)
    slots[relation] = isEntity(object) ? mention(random, object) : object
  const leader = block.facts.get(entity)?.get('ledBy')?.object
  Object.assign(slots, pronouns(leader && isEntity(leader) ? leader : entity))
  if (entity.kind === 'person') slots.aTrade = article(textOf(block.facts, entity, 'trade'))
  for (const [relation, tellings] of TOLD) {
    if (slots[relation]) slots[`${relation}Told`] = word(random, turn(tellings[slots[relation]]), slots)
  }
  return slots
}

/** Mostly in full; now and then by a form that a reader understands and a matcher of titles does not. */
const mention = (random: Random, entity: Entity): string =>
  entity.aliases.length > 0 && random.chance(0.2) ? random.pick(entity.aliases) : entity.mention

const plain = (entity: Entity): string => entity.name.replace(/ \([^)]*\)$/, '')

export function pronouns({ female }: { female: boolean }): Record<string, string> {
  return female
    ? { she: 'she', She: 'she', her: 'her', Her: 'her', his: 'her', him: 'her', himself: 'herself' }
    : { she: 'he', She: 'he', her: 'his', Her: 'his', his: 'his', him: 'him', himself: 'himself' }
}

export const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export function createTurns(random: Random): Turn {
  const packs = new Map<readonly string[], string[]>()
  return (list) => {
    const pack = packs.get(list)?.length ? (packs.get(list) as string[]) : random.shuffle(list)
    packs.set(list, pack)
    return pack.pop() as string
  }
}

/** Sentences in passing, a third of which use one of the coast's words without explaining it. */
function colourist(random: Random, turn: Turn): (kind: Kind) => string {
  const uses = TERMS.flatMap((term) => term.uses)
  const personal = uses.filter((use) => /\{[SHsh]he\}|\{[Hh](er|im|is)\}/.test(use))
  const ships = uses.filter((use) => !personal.includes(use) && /\b[Hh]er\b|\bShe\b/.test(use))
  const things = uses.filter((use) => !personal.includes(use) && !ships.includes(use) && /^It\b/.test(use))
  const others = uses.filter((use) => ![...personal, ...ships, ...things].includes(use))
  const fitting: Readonly<Record<Kind, readonly string[]>> = {
    person: personal,
    ship: [...ships, ...others],
    expedition: others,
    institute: [...things, ...others],
    instrument: others,
    place: [...others],
    dispute: others,
  }
  return (kind) => turn(random.chance(0.35) ? fitting[kind] : COLOUR[kind])
}
