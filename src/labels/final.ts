import { type Agreement, agreementOfAll, agreementOfTwo, type RatedItem } from './agreement.ts'
import { type Log, pairOf, RELEVANT, standingOf } from './log.ts'
import type { Pool, PooledPassage } from './pool.ts'

export interface GradedPair {
  readonly query: string
  readonly passage: PooledPassage
  readonly grades: ReadonlyMap<string, number>
}

/** Pairs of a pool that anybody labelled, in the pool's order. Acts of other pairs belong to an earlier pool. */
export function gradedPairs(pool: Pool, logs: readonly Log[]): GradedPair[] {
  const standings = logs.map(({ header, actions }) => ({ header, ...standingOf(actions) }))
  return pool.queries.flatMap(({ id, passages }) =>
    passages.flatMap((passage): GradedPair[] => {
      const key = pairOf(id, passage.id)
      const grades = new Map<string, number>()
      for (const { header, grades: byPair } of standings) {
        const grade = byPair.get(key)
        if (grade) grades.set(header.labeller, grade.grade)
      }
      return grades.size === 0 ? [] : [{ query: id, passage, grades }]
    }),
  )
}

/** Final grade of a pair; null while labellers differ on whether it is relevant. */
export function finalGrade(
  { grades }: Pick<GradedPair, 'grades'>,
  isCounted: (labeller: string) => boolean = () => true,
  relevant = RELEVANT,
): number | null | undefined {
  const counted = [...grades].flatMap(([labeller, grade]) => (isCounted(labeller) ? [grade] : []))
  if (counted.length === 0) return undefined
  const yes = counted.filter((grade) => grade >= relevant).length
  if (yes !== 0 && yes !== counted.length) return null
  // The lower median: all agree on relevance.
  return counted.sort((a, b) => a - b)[(counted.length - 1) >> 1]
}

export type AgreementTable = ReturnType<typeof agreementTable>

/** Agreement of each two people and of each model with their final labels (Cohen), and of all people (Fleiss; null with fewer than two). */
export function agreementTable(
  pairs: readonly GradedPair[],
  people: readonly string[],
  models: readonly string[],
  relevant = RELEVANT,
) {
  const isPerson = (name: string) => people.includes(name)
  const ofPeople = ({ grades }: GradedPair) => [...grades].filter(([name]) => isPerson(name))
  const withPeople = (model: string) => (pair: GradedPair) => {
    const final = finalGrade(pair, isPerson, relevant)
    const modelGrade = pair.grades.get(model)
    if (typeof final !== 'number' || modelGrade === undefined) return []
    return Object.entries({ [PEOPLE]: final, [model]: modelGrade })
  }
  /** Agreement of ratings on relevance and on grades. */
  const onBoth = (
    ratingsOf: (pair: GradedPair) => readonly [string, number][],
    agreement: (items: readonly RatedItem[]) => Agreement,
  ) => {
    const on = (scale: (grade: number) => number) =>
      agreement(
        pairs.map((pair) => ({
          query: pair.query,
          ratings: new Map(ratingsOf(pair).map(([name, grade]) => [name, scale(grade)])),
        })),
      )
    return { relevance: on((grade) => Number(grade >= relevant)), grades: on((grade) => grade) }
  }
  return {
    pairs: people.flatMap((first, at) =>
      people
        .slice(at + 1)
        .map((other) => ({
          one: first,
          other,
          ...onBoth(ofPeople, (items) => agreementOfTwo(items, first, other)),
        })),
    ),
    all: people.length < 2 ? null : onBoth(ofPeople, agreementOfAll),
    models: models.map((model) => ({
      model,
      ...onBoth(withPeople(model), (items) => agreementOfTwo(items, PEOPLE, model)),
    })),
  }
}

/** Name of the final label of people; no labeller can have it. */
const PEOPLE = '\0people'
