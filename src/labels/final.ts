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
      for (const { header, grades: own } of standings) {
        const grade = own.get(key)
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
  const own = [...grades].flatMap(([labeller, grade]) => (isCounted(labeller) ? [grade] : []))
  if (own.length === 0) return undefined
  const yes = own.filter((grade) => grade >= relevant).length
  if (yes !== 0 && yes !== own.length) return null
  // The lower median: all agree on relevance.
  return own.sort((a, b) => a - b)[(own.length - 1) >> 1]
}

/** Agreement of the people among themselves, and of each model with them. */
export interface AgreementTable {
  /** Cohen's kappa of each two people, on relevance and on grades. */
  readonly pairs: readonly {
    readonly one: string
    readonly other: string
    readonly relevance: Agreement
    readonly grades: Agreement
  }[]
  /** Fleiss' kappa of all people; null with fewer than two. */
  readonly all: { readonly relevance: Agreement; readonly grades: Agreement } | null
  /** Cohen's kappa of each model with the people's final labels, on relevance and on grades. */
  readonly models: readonly {
    readonly model: string
    readonly relevance: Agreement
    readonly grades: Agreement
  }[]
}

export function agreementTable(
  pairs: readonly GradedPair[],
  people: readonly string[],
  models: readonly string[],
  relevant = RELEVANT,
): AgreementTable {
  const onRelevance = (grade: number) => Number(grade >= relevant)
  const asIs = (grade: number) => grade
  const isPerson = (name: string) => people.includes(name)
  const itemsOf = (scale: (grade: number) => number, own: (pair: GradedPair) => [string, number][]) =>
    pairs.map(
      (pair): RatedItem => ({
        query: pair.query,
        ratings: new Map(own(pair).map(([name, grade]) => [name, scale(grade)])),
      }),
    )
  const ofPeople = (scale: (grade: number) => number) =>
    itemsOf(scale, ({ grades }) => [...grades].filter(([name]) => isPerson(name)))
  const withPeople = (model: string, scale: (grade: number) => number) =>
    itemsOf(scale, (pair) => {
      const final = finalGrade(pair, isPerson, relevant)
      const own = pair.grades.get(model)
      return typeof final === 'number' && own !== undefined
        ? [
            [PEOPLE, final],
            [model, own],
          ]
        : []
    })
  return {
    pairs: people.flatMap((one, at) =>
      people
        .slice(at + 1)
        .map((other) => ({
          one,
          other,
          relevance: agreementOfTwo(ofPeople(onRelevance), one, other),
          grades: agreementOfTwo(ofPeople(asIs), one, other),
        })),
    ),
    all:
      people.length < 2
        ? null
        : { relevance: agreementOfAll(ofPeople(onRelevance)), grades: agreementOfAll(ofPeople(asIs)) },
    models: models.map((model) => ({
      model,
      relevance: agreementOfTwo(withPeople(model, onRelevance), PEOPLE, model),
      grades: agreementOfTwo(withPeople(model, asIs), PEOPLE, model),
    })),
  }
}

/** Name of the final label of people; no labeller can have it. */
const PEOPLE = '\0people'
