import { type Block, type Entity, type Fact, isEntity, type Passage } from '../model.ts'

/** What questions stand on: which passage states a fact, and who is named beside whom. */
export interface Ground {
  readonly block: Block
  /** The passage that states a fact. */
  passage(fact: Fact): Passage
  /** Whether no other passage names both ends of the fact, so that no other could be taken for a statement of it. */
  alone(fact: Fact): boolean
  /** Those named in the passage of an entity or naming it in theirs. */
  neighbours(entity: Entity): ReadonlySet<Entity>
}

type Thing = Entity | string

export function createGround(block: Block, passages: readonly Passage[]): Ground {
  const owner = new Map<Fact, Passage>()
  const together = new Map<Entity, Map<Thing, Set<Passage>>>()
  const near = new Map<Entity, Set<Entity>>()
  for (const passage of passages) {
    const named = new Set<Thing>()
    for (const fact of passage.facts) {
      owner.set(fact, passage)
      named.add(fact.subject).add(fact.object)
    }
    for (const one of named) {
      if (!isEntity(one)) continue
      const row = together.get(one) ?? new Map<Thing, Set<Passage>>()
      together.set(one, row)
      for (const other of named) {
        if (other !== one) row.set(other, (row.get(other) ?? new Set<Passage>()).add(passage))
      }
    }
    for (const { subject, object } of passage.facts) {
      if (!isEntity(object)) continue
      near.set(subject, (near.get(subject) ?? new Set<Entity>()).add(object))
      near.set(object, (near.get(object) ?? new Set<Entity>()).add(subject))
    }
  }
  return {
    block,
    passage(fact) {
      const passage = owner.get(fact)
      if (!passage) throw new Error(`nobody tells ${fact.relation} of ${fact.subject.name}`)
      return passage
    },
    alone: ({ subject, object }) => together.get(subject)?.get(object)?.size === 1,
    neighbours: (entity) => near.get(entity) ?? new Set(),
  }
}
