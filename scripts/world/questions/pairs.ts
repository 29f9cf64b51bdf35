import {
  type Entity,
  type Fact,
  factOf,
  isEntity,
  type Kind,
  type Question,
  type Relation,
} from '../model.ts'
import type { Random } from '../random.ts'
import type { Ground } from './ground.ts'
import { answersOf } from './paths.ts'
import { ASK } from './wordings.ts'

interface Comparison {
  readonly kind: Kind
  readonly relation: Relation
  readonly text: string
  /** Where the thing compared is not the thing named, how to get from one to the other. */
  readonly via?: Relation
}

const COMPARISONS: readonly Comparison[] = [
  { kind: 'ship', relation: 'launched', text: 'Which was launched first, {a} or {b}?' },
  { kind: 'person', relation: 'bornYear', text: 'Who was born earlier, {a} or {b}?' },
  { kind: 'institute', relation: 'founded', text: 'Which is the older foundation, {a} or {b}?' },
  { kind: 'place', relation: 'chartered', text: 'Which received its charter earlier, {a} or {b}?' },
  { kind: 'expedition', relation: 'setOut', text: 'Which sailed earlier, {a} or {b}?' },
  {
    kind: 'expedition',
    relation: 'bornYear',
    via: 'ledBy',
    text: 'Of {a} and {b}, which had the leader who was born earlier?',
  },
  {
    kind: 'instrument',
    relation: 'bornYear',
    via: 'inventedBy',
    text: 'Of {a} and {b}, which was invented by the person born earlier?',
  },
  {
    kind: 'expedition',
    relation: 'launched',
    via: 'sailedIn',
    text: 'Which of the two used the older ship, {a} or {b}?',
  },
  {
    kind: 'instrument',
    relation: 'founded',
    via: 'keptAt',
    text: 'Which is kept at the older institute, {a} or {b}?',
  },
]

/** Two of a kind are compared by a year, their own or that of somebody behind them. */
export function compare(random: Random, ground: Ground, number: number): Question | null {
  const { kind, relation, via, text } = COMPARISONS[number % COMPARISONS.length]
  const { facts, entities } = ground.block
  const sides = random
    .shuffle(entities[kind])
    .slice(0, 2)
    .map((named): { named: Entity; path: Fact[] } | null => {
      if (!via) return { named, path: [factOf(facts, named, relation)] }
      const first = factOf(facts, named, via)
      if (!isEntity(first.object) || !facts.has(first.object)) return null
      return { named, path: [first, factOf(facts, first.object, relation)] }
    })
  const [a, b] = sides
  if (!a || !b) return null
  const [yearA, yearB] = [a, b].map(({ path }) => Number(path[path.length - 1].object))
  const path = [...a.path, ...b.path]
  const gold = [...new Set(path.map((fact) => ground.passage(fact)))]
  if (Math.abs(yearA - yearB) < 2 || !path.every(ground.alone) || gold.length !== path.length) return null
  return {
    category: 'comparison',
    text: text.replace('{a}', a.named.mention).replace('{b}', b.named.mention),
    answers: answersOf((yearA < yearB ? a : b).named),
    path,
    gold,
  }
}

const LINKS = [
  'What connects {a} with {b}?',
  'How is {a} linked to {b}?',
  'Through whom or what is there a relationship between {a} and {b}?',
  'What do {a} and {b} have to do with each other?',
]

/** Two that are not named together are linked by one thing only; the question names them, the answer is the thing. */
export function relate(random: Random, ground: Ground): Question | null {
  const { facts, entities } = ground.block
  const kinds = Object.keys(entities) as Kind[]
  const a = random.pick(entities[random.pick(kinds)])
  const step = (from: Entity) =>
    random.pick(
      [...(facts.get(from)?.values() ?? [])].filter(({ object }) => isEntity(object) && facts.has(object)),
    )
  const first = step(a)
  if (!first || !isEntity(first.object)) return null
  const middle = first.object
  const second = step(middle)
  if (!second || !isEntity(second.object)) return null
  const b = second.object
  const path = [first, second]
  const near = ground.neighbours(a)
  const shared = [...ground.neighbours(b)].filter((other) => near.has(other))
  if (a === b || near.has(b) || shared.length !== 1 || !path.every(ground.alone)) return null
  if (!path.every(({ relation }) => ASK[relation])) return null
  const text = random.pick(LINKS).replace('{a}', a.mention).replace('{b}', b.mention)
  return { category: 'relationship', text, answers: answersOf(middle), path, gold: path.map(ground.passage) }
}
