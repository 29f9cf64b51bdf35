import { UserError } from '../errors.ts'
import type { NamedMeasure } from '../metrics/trec-names.ts'

/** Throws a UserError for measures that need more than labels by id. */
export function requireLabels(asked: readonly NamedMeasure[]): void {
  const needed = {
    tokens: 'the tokens of the texts',
    context: 'the tokens of the texts',
    contains: 'texts and answers',
    foreign: 'the sources of the texts',
    entities: 'texts, and the entities that a query needs',
    labels: '',
  }
  const others = asked.filter(({ measure }) => measure.needs !== 'labels')
  if (others.length > 0)
    throw new UserError(
      others.map(({ label, measure }) => ({
        message: `\`${label}\` needs ${needed[measure.needs]}, which a run does not hold; \`touchstone run\` measures it`,
      })),
    )
}

/** Single measure with a mean over queries, as a comparison needs. */
export function requireOne(asked: readonly NamedMeasure[], name: string): NamedMeasure {
  if (asked.length !== 1) throw new UserError(`\`${name}\` is a list of measures; choose one of them`)
  const [one] = asked
  if (one.measure.metric.mean !== 'arithmetic')
    throw new UserError(`\`${one.label}\` is not a mean over queries; choose a measure that is`)
  return one
}
