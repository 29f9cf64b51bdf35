import type { Finding, Result } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import { queriesOf } from '../notes.ts'
import { plural, quantity } from '../numbers.ts'
import { warning } from './finding.ts'

export const FAILURES = 'Failures'

const NAMED = 12

/** Failed trials, answers and judges, each with the first reason. */
export function failures({ missing }: Board, { trials, datasets, answers }: Result): Finding[] {
  const all = queriesOf(datasets)
  const broken = trials
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed, failures: [first] }) => {
      const often =
        failed === all ? 'every query' : `${quantity(failed)} of ${plural(all, 'query', 'queries')}`
      return `${name} failed on ${often}; first on ${first?.query}, in the step ${first?.step}: ${first?.message}`
    })
  const unanswered = (answers?.rows ?? [])
    .filter(({ failed }) => failed > 0)
    .map(
      ({ answerer, trial, failed, failures }) =>
        `${answerer} gave no answer ${trial ? `from ${trial.name} ` : ''}to ${quantity(failed)} of ${plural(all, 'question')}; ${firstOf(failures)}`,
    )
  const unjudged = (answers?.judges ?? [])
    .filter(({ failed }) => failed > 0)
    .map(
      ({ name, failed, failures }) =>
        `${name} gave no verdict on ${plural(failed, 'answer')}; ${firstOf(failures)}`,
    )
  const lines = [...broken, ...unanswered, ...unjudged]
  if (lines.length > NAMED) lines.splice(NAMED, lines.length, `${quantity(lines.length - NAMED)} more failed`)
  if (missing.length > 0) lines.push(`No macro mean (every query failed): ${missing.join(', ')}`)
  return lines.flatMap((line) => warning(FAILURES, line))
}

function firstOf([{ query, message }]: readonly { readonly query: string; readonly message: string }[]) {
  return `first on ${query}: ${message}`
}
