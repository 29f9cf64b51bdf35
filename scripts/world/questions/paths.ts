import {
  type Category,
  type Entity,
  type Fact,
  isEntity,
  type Kind,
  nameOf,
  type Question,
} from '../model.ts'
import type { Random } from '../random.ts'
import { word } from '../wording.ts'
import type { Ground } from './ground.ts'
import { ASK, ASK_BACK, NOUN } from './wordings.ts'

const STARTS: readonly Kind[] = [
  'expedition',
  'expedition',
  'ship',
  'instrument',
  'institute',
  'dispute',
  'dispute',
  'place',
  'person',
]

/**
 * A question whose answer is `hops` facts away from the one entity that it names: each fact's object is the next one's
 * subject. Null where the walk led nowhere.
 */
export function walk(random: Random, ground: Ground, hops: 1 | 2 | 3 | 4): Question | null {
  const { block } = ground
  let at = random.pick(block.entities[random.pick(STARTS)])
  let phrase = at.mention
  const path: Fact[] = []
  const seen = new Set<Entity>([at])
  for (let hop = 1; hop <= hops; hop++) {
    const last = hop === hops
    const fits = ({ relation, object }: Fact) =>
      last
        ? ASK[relation]
        : NOUN[relation] && isEntity(object) && !seen.has(object) && block.facts.has(object)
    const facts = [...(block.facts.get(at)?.values() ?? [])].filter(
      (fact) => fits(fact) && ground.alone(fact),
    )
    if (facts.length === 0) return null
    const fact = random.pick(facts)
    if (isEntity(fact.object) && seen.has(fact.object)) return null
    path.push(fact)
    if (last) return asked(random, ground, path, phrase)
    phrase = lower(word(random, NOUN[fact.relation] as string, { x: phrase }))
    at = fact.object as Entity
    seen.add(at)
  }
  return null
}

function asked(random: Random, ground: Ground, path: readonly Fact[], phrase: string): Question {
  const last = path[path.length - 1]
  const category: Category = path.length === 1 ? 'fact' : (`bridge${path.length}` as Category)
  const template = ASK[last.relation] as string
  // A long chain is easier on the reader when its first part is said before the question.
  const apart = path.length > 2 && random.chance(0.4)
  const text = apart
    ? `Think of ${phrase}. ${word(random, template, { x: referent(last.subject) })}`
    : word(random, template, { x: phrase })
  const gold = [...new Set(path.map((fact) => ground.passage(fact)))]
  return { category, text, answers: answersOf(last.object), path, gold }
}

/**
 * A question from a fact's object back to its subject: `Which ship did Oda Verrin build?` Many passages name the
 * object; one states the fact. Null where nothing, or more than one thing, would answer.
 */
export function back(random: Random, ground: Ground): Question | null {
  const kinds = Object.keys(ground.block.entities) as Kind[]
  const subject = random.pick(ground.block.entities[random.pick(kinds)])
  const facts = [...(ground.block.facts.get(subject)?.values() ?? [])]
  const fact = random.pick(facts.filter(({ relation }) => ASK_BACK[relation]))
  if (!fact || !isEntity(fact.object) || !ground.alone(fact)) return null
  const { relation, object } = fact
  const rivals = ground.block.entities[subject.kind].filter(
    (other) => ground.block.facts.get(other)?.get(relation)?.object === object,
  )
  if (rivals.length !== 1) return null
  const text = word(random, ASK_BACK[relation] as string, { x: object.mention })
  return { category: 'fact', text, answers: answersOf(subject), path: [fact], gold: [ground.passage(fact)] }
}

/** A name with a parenthesis is also right without it. */
export function answersOf(object: Entity | string): string[] {
  const name = nameOf(object)
  const bare = name.replace(/ \([^)]*\)$/, '')
  return bare === name ? [name] : [bare, name]
}

const referent = ({ kind }: Entity): string =>
  kind === 'person' ? 'that person' : kind === 'place' ? 'that town' : `that ${kind}`

export const lower = (text: string): string => text[0].toLowerCase() + text.slice(1)
