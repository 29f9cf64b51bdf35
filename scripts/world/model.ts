/** The invented world: entities, the facts that hold between them, and the passages that tell these facts. */

export type Kind = 'person' | 'ship' | 'expedition' | 'institute' | 'instrument' | 'place' | 'dispute'

export interface Entity {
  readonly kind: Kind
  /** Unique in the world, and the title of its passage: `Oda Verane (pilot)` where another has the same name. */
  readonly name: string
  /** As sentences mention it in full: `the Grey Heron`, `Oda Verane`, `the pilot Oda Verane`. */
  readonly mention: string
  /** Other ways to mention it that fit nothing else in its block: `the pilot Verane`. May be empty. */
  readonly aliases: readonly string[]
  /** The surname of a person, by which its own passage goes on to call it. */
  readonly family: string
  readonly female: boolean
}

export type Relation =
  // person
  | 'bornIn'
  | 'bornYear'
  | 'trade'
  | 'trainedAt'
  | 'pupilOf'
  | 'keeps'
  | 'diedIn'
  | 'diedYear'
  | 'leftTo'
  // ship
  | 'builtBy'
  | 'builtAt'
  | 'launched'
  | 'timber'
  | 'fate'
  | 'master'
  | 'cargo'
  // expedition
  | 'ledBy'
  | 'sailedIn'
  | 'paidBy'
  | 'boundFor'
  | 'setOut'
  | 'trouble'
  | 'crew'
  // institute, instrument
  | 'foundedBy'
  | 'founded'
  | 'emblem'
  | 'inventedBy'
  | 'keptAt'
  | 'material'
  // place
  | 'mayor'
  | 'product'
  | 'chartered'
  | 'landmark'
  | 'region'
  // dispute
  | 'plaintiff'
  | 'defendant'
  | 'about'
  | 'ground'
  | 'settledBy'
  | 'verdict'
  | 'heard'

/** `object` is an entity, or a text where the value is no entity: a year, a material, the name of a theme. */
export interface Fact {
  readonly subject: Entity
  readonly relation: Relation
  readonly object: Entity | string
}

export interface Passage {
  readonly title: string
  readonly text: string
  /** What it is: an entity's kind, or the kind of writing. */
  readonly kind: string
  /** What it states, and no other passage does. */
  readonly facts: readonly Fact[]
}

export type Category =
  | 'fact'
  | 'paraphrase'
  | 'bridge2'
  | 'bridge3'
  | 'bridge4'
  | 'comparison'
  | 'relationship'
  | 'definition'
  | 'thematic'
  | 'unanswerable'

export interface Question {
  readonly category: Category
  readonly text: string
  readonly answers: readonly string[]
  /** The facts that answer it, in the order of the hops. Empty where no fact of the model is asked for. */
  readonly path: readonly Fact[]
  readonly gold: readonly Passage[]
}

export type Facts = ReadonlyMap<Entity, ReadonlyMap<Relation, Fact>>

/** A part of the world that is built at once: a small world has one, a large one many. */
export interface Block {
  readonly entities: Readonly<Record<Kind, readonly Entity[]>>
  readonly facts: Facts
}

export const isEntity = (object: Entity | string): object is Entity => typeof object !== 'string'
export const nameOf = (object: Entity | string): string => (isEntity(object) ? object.name : object)

/** A fact that must be there: its absence is a bug of the generator. */
export function factOf(facts: Facts, subject: Entity, relation: Relation): Fact {
  const fact = facts.get(subject)?.get(relation)
  if (!fact) throw new Error(`${subject.name} has no ${relation}`)
  return fact
}

/** The text of a fact whose object is no entity. */
export function textOf(facts: Facts, subject: Entity, relation: Relation): string {
  return nameOf(factOf(facts, subject, relation).object)
}
