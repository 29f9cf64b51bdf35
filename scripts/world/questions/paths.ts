import type { Block } from '../build.ts'
import { type Entity, type Fact, nameOf, type Passage, type Question, type Relation } from '../model.ts'
import type { Random } from '../random.ts'

/** How a question names the entity that a fact leads to: `{x}` is the fact's subject. */
const NOUN: Readonly<Partial<Record<Relation, string>>> = {
  bornIn: 'the birthplace of {x}',
  trainedAt: 'the school of {x}',
  pupilOf: 'the teacher of {x}',
  builtBy: 'the builder of {x}',
  builtAt: 'the town where {x} was built',
  ledBy: 'the leader of {x}',
  sailedIn: 'the ship of {x}',
  paidBy: 'the sponsor of {x}',
  foundedBy: 'the founder of {x}',
  inventedBy: 'the inventor of {x}',
  keptAt: 'the institute that keeps {x}',
  namedAfter: 'the namesake of {x}',
  settledBy: 'the arbiter of {x}',
}
const ASK: Readonly<Partial<Record<Relation, string>>> = {
  bornIn: 'In which town was {x} born?',
  trainedAt: 'Where was {x} trained?',
  pupilOf: 'Who taught {x}?',
  keeps: 'What did {x} keep?',
  builtBy: 'Who built {x}?',
  timber: 'Of what wood is {x}?',
  fate: 'How did {x} end?',
  ledBy: 'Who led {x}?',
  sailedIn: 'In which ship did {x} sail?',
  paidBy: 'Who paid for {x}?',
  foundedBy: 'Who founded {x}?',
  emblem: 'What is the emblem of {x}?',
  inventedBy: 'Who invented {x}?',
  keptAt: 'Where is {x} kept?',
  material: 'What is {x} made of?',
  namedAfter: 'After whom is {x} named?',
  product: 'What does {x} live by?',
  landmark: 'What do travellers see in {x}?',
  settledBy: 'Who settled {x}?',
  verdict: 'How did {x} end?',
}

/** A walk of `hops` facts, asked as one question that names only its beginning. */
export function walk(
  random: Random,
  block: Block,
  owner: ReadonlyMap<Fact, number>,
  hops: number,
): Question | null {
  const kinds = ['expedition', 'ship', 'instrument', 'institute', 'dispute', 'place', 'person'] as const
  let at: Entity = random.pick(block.entities[random.pick(kinds)])
  let phrase = at.mention
  const path: Fact[] = []
  const seen = new Set<Entity>([at])
  for (let hop = 1; hop <= hops; hop++) {
    const last = hop === hops
    const table = last ? ASK : NOUN
    const facts = [...(block.facts.get(at)?.values() ?? [])].filter(
      ({ relation, object }) =>
        table[relation] && (last || (typeof object !== 'string' && !seen.has(object))),
    )
    if (facts.length === 0) return null
    const fact = random.pick(facts)
    path.push(fact)
    phrase = (table[fact.relation] as string).replace('{x}', phrase)
    if (typeof fact.object !== 'string') {
      at = fact.object
      seen.add(at)
    }
  }
  const category = hops === 1 ? 'fact' : (`bridge${hops}` as 'bridge2' | 'bridge3' | 'bridge4')
  const gold = [...new Set(path.map((fact) => owner.get(fact) as number))]
  return { category, text: phrase, answers: [nameOf(path[path.length - 1].object)], path, gold }
}

export const ownersOf = (passages: readonly Passage[]): Map<Fact, number> => {
  const owner = new Map<Fact, number>()
  for (const [number, passage] of passages.entries())
    for (const fact of passage.facts) owner.set(fact, number)
  return owner
}
