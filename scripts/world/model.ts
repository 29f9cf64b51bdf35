/** The invented world: entities, the facts that hold between them, and the passages that tell these facts. */

export type Kind = 'person' | 'ship' | 'expedition' | 'institute' | 'instrument' | 'place' | 'dispute'

export interface Entity {
  readonly kind: Kind
  readonly number: number
  /** As its own passage's title has it, without article. */
  readonly name: string
  /** As a sentence mentions it: `the Grey Heron`, `Oda Verrin`. */
  readonly mention: string
  /** A shorter form that leaves the full name out: a surname, `the Heron`. */
  readonly short: string
  readonly female: boolean
}

export type Relation =
  | 'bornIn'
  | 'trainedAt'
  | 'pupilOf'
  | 'bornYear'
  | 'trade'
  | 'keeps'
  | 'builtBy'
  | 'builtAt'
  | 'launched'
  | 'timber'
  | 'fate'
  | 'ledBy'
  | 'sailedIn'
  | 'paidBy'
  | 'boundFor'
  | 'setOut'
  | 'trouble'
  | 'crew'
  | 'foundedBy'
  | 'seatedIn'
  | 'founded'
  | 'emblem'
  | 'inventedBy'
  | 'keptAt'
  | 'material'
  | 'measures'
  | 'namedAfter'
  | 'product'
  | 'chartered'
  | 'landmark'
  | 'plaintiff'
  | 'defendant'
  | 'about'
  | 'settledBy'
  | 'verdict'
  | 'heard'

/** `object` is an entity, or a text where the value is no entity (a year, a material). */
export interface Fact {
  readonly subject: Entity
  readonly relation: Relation
  readonly object: Entity | string
}

export interface Passage {
  readonly title: string
  readonly text: string
  /** What it states, and nobody else does. */
  readonly facts: readonly Fact[]
  /** A name within the world by which questions refer to a passage without an entity. */
  readonly key?: string
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
  /** The facts that answer it, in the order of the hops. Empty where passages without facts are asked for. */
  readonly path: readonly Fact[]
  /** Indexes into the world's passages. Empty for `unanswerable`. */
  readonly gold: readonly number[]
}

export interface World {
  readonly entities: Readonly<Record<Kind, readonly Entity[]>>
  readonly facts: ReadonlyMap<Entity, ReadonlyMap<Relation, Fact>>
  readonly passages: readonly Passage[]
}

export const mentionOf = (object: Entity | string): string =>
  typeof object === 'string' ? object : object.mention
export const nameOf = (object: Entity | string): string => (typeof object === 'string' ? object : object.name)
