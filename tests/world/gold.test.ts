import { describe, expect, test } from 'vitest'
import {
  type Entity,
  type Fact,
  isEntity,
  nameOf,
  type Question,
  type Relation,
} from '../../scripts/world/model.ts'
import { createNamesIn } from './names-in.ts'
import { asked, WORLD } from './quickstart.ts'

const { block, passages } = WORLD
const entities = Object.values(block.entities).flat()
const namesIn = createNamesIn(entities)
const tellers = new Map<Fact, string[]>()
for (const { title, facts } of passages) {
  for (const fact of facts) tellers.set(fact, [...(tellers.get(fact) ?? []), title])
}
const year = (entity: Entity, relation: Relation) => Number(block.facts.get(entity)?.get(relation)?.object)

describe('every question', () => {
  test('asks for facts of the world, whose tellers are its gold', () => {
    for (const { path, gold, text } of WORLD.questions) {
      for (const fact of path) expect(block.facts.get(fact.subject)?.get(fact.relation), text).toBe(fact)
      if (path.length > 0) {
        const told = new Set(path.flatMap((fact) => tellers.get(fact) ?? []))
        expect(new Set(gold.map(({ title }) => title)), text).toEqual(told)
      }
    }
  })

  test('of the facts, each is told in exactly one passage', () => {
    const stated = [...block.facts.values()].flatMap((facts) => [...facts.values()])
    for (const fact of stated)
      expect(tellers.get(fact), `${fact.subject.name} ${fact.relation}`).toHaveLength(1)
  })
})

describe('a bridge', () => {
  const bridges = asked('bridge2', 'bridge3', 'bridge4')

  test('is a path: each fact begins where the one before it ends, and the last gives the answer', () => {
    for (const { category, path, answers, gold } of bridges) {
      expect(path).toHaveLength(Number(category.slice(-1)))
      expect(gold).toHaveLength(path.length)
      for (let hop = 1; hop < path.length; hop++) expect(path[hop].subject).toBe(path[hop - 1].object)
      expect(answers).toContain(nameOf(path[path.length - 1].object))
    }
  })

  test('names its beginning and nobody on the way', () => {
    for (const { path, text } of bridges) {
      const named = namesIn(text)
      expect(named.has(path[0].subject), text).toBe(true)
      for (const { object } of path) if (isEntity(object)) expect(named.has(object), text).toBe(false)
    }
  })
})

test('a fact is asked from one end and answered by the other', () => {
  for (const { path, text, answers } of asked('fact')) {
    const [{ subject, object }] = path
    const forward = answers.includes(nameOf(object))
    expect(forward || answers.includes(subject.name), text).toBe(true)
    expect(namesIn(text).has(forward ? subject : (object as Entity)), text).toBe(true)
  }
})

test('a relationship goes through the one thing that both are named with', () => {
  const near = (one: Entity) =>
    new Set(
      [...tellers.keys()].flatMap(({ subject, object }) =>
        subject === one && isEntity(object) ? [object] : object === one ? [subject] : [],
      ),
    )
  for (const { path, answers, text } of asked('relationship')) {
    const [first, second] = path
    expect(first.object).toBe(second.subject)
    const [a, b] = [first.subject, second.object as Entity]
    expect(namesIn(text).has(a) && namesIn(text).has(b), text).toBe(true)
    expect(near(a).has(b), text).toBe(false)
    expect(
      [...near(a)].filter((one) => near(b).has(one)),
      text,
    ).toEqual([second.subject])
    expect(answers).toContain(second.subject.name)
  }
})

test('a comparison is decided by the years at the ends of its two paths', () => {
  const sides = ({ path }: Question) => [path.slice(0, path.length / 2), path.slice(path.length / 2)]
  for (const question of asked('comparison')) {
    const [a, b] = sides(question)
    const value = (side: readonly Fact[]) => Number(side[side.length - 1].object)
    expect(a.map(({ relation }) => relation)).toEqual(b.map(({ relation }) => relation))
    expect(question.answers).toContain((value(a) < value(b) ? a : b)[0].subject.name)
    expect(value(a)).not.toBe(value(b))
  }
})

test('the years agree with each other', () => {
  for (const it of block.entities.expedition) {
    const sail = year(it, 'setOut')
    const facts = block.facts.get(it)
    const leader = facts?.get('ledBy')?.object as Entity
    expect(sail - year(leader, 'bornYear')).toBeGreaterThanOrEqual(24)
    expect(year(facts?.get('sailedIn')?.object as Entity, 'launched')).toBeLessThanOrEqual(sail)
    expect(year(facts?.get('paidBy')?.object as Entity, 'founded')).toBeLessThan(sail)
  }
  for (const it of block.entities.person) {
    const teacher = block.facts.get(it)?.get('pupilOf')?.object as Entity | undefined
    if (teacher) expect(year(it, 'bornYear') - year(teacher, 'bornYear')).toBeGreaterThanOrEqual(12)
  }
})
