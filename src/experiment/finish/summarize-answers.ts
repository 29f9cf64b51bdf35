import { ANSWER_MEASURES } from '../../answer/measures.ts'
import { cohensKappa } from '../../labels/agreement.ts'
import { SHARE } from '../../metrics/range.ts'
import type { AnsweredRow, AnswersSummary, JudgeAgreement, JudgeSummary } from '../../results/summary.ts'
import { meanInterval } from '../../statistics/intervals.ts'
import { trialIndex } from '../plan/compile.ts'
import { byName } from '../shard/result.ts'
import type { Session } from '../shard/session.ts'
import type { AnswerRow, Judged } from './answer-rows.ts'
import { compareRows } from './compare-rows.ts'
import { countedInterval } from './rows.ts'

const TOLD = 3

/**
 * Summarizes answers, and compares each row with the same answerer's over the baseline, by F1; without reference answers
 * by the share of grounded answers.
 */
export function summarizeAnswers(
  session: Session,
  rows: readonly AnswerRow[],
  judged: readonly Judged[],
): AnswersSummary {
  const { trials, queries, plan, clusters } = session
  const { compare } = plan.experiment
  const counts = (name: string) =>
    rows.some((row) => valuesOf(row, name).some((value) => !Number.isNaN(value)))
  const counted = ANSWER_MEASURES.filter(({ name }) => counts(name))
  const by =
    compare.answers ?? (counted.some(({ name }) => name === 'answer_f1') ? 'answer_f1' : 'answer_grounded')
  const judges = judged.map(({ name }): Column => ({ name, better: 'higher' }))
  const measures = [...judges, ...counted.map(({ name, better }): Column => ({ name, better }))]
  if (!measures.some(({ name }) => name === by)) measures.push({ name: by, better: 'higher' })
  const primary = measures.find(({ name }) => name === by) as Column
  const idOf = ({ answering, trial }: AnswerRow) =>
    trial === null ? answering.name : `${trials[trial].id} ${answering.name}`

  const isPriced = rows.some(({ answers }) => answers.some(({ dollars }) => dollars !== 0))
  const summarized = rows.map((row): AnsweredRow => {
    const { answering, trial, answers } = row
    const perQuery = ['sent', 'modelCalls', 'inputTokens', 'outputTokens'] as const
    const failures = answers.flatMap(({ failure }, query) =>
      failure === null ? [] : [{ query: queries[query].id, message: failure }],
    )
    return {
      id: idOf(row),
      trial: trial === null ? null : { id: trials[trial].id, name: trials[trial].name },
      answerer: answering.name,
      measures: Object.fromEntries(
        measures.map(({ name }) => {
          const column = valuesOf(row, name)
          const counted = column.filter((value) => !Number.isNaN(value))
          const limits = countedInterval([column], compare.level, SHARE, clusters && [clusters])
          return [name, { mean: meanOf(counted), ...limits, n: counted.length }]
        }),
      ),
      perQuery: byName(perQuery, (name) => meanOf(answers.map((answer) => answer[name]))),
      ...costsOf(answers, isPriced),
      estimated: answers.filter((answer) => answer.estimated).length,
      cut: answers.reduce((sum, answer) => sum + answer.cut, 0),
      failed: failures.length,
      failures: failures.slice(0, TOLD),
    }
  })
  return {
    measures,
    primary: by,
    ...(judged.length > 0 && {
      judges: judged.map((judge) => summarizeJudge(judge, (query) => queries[query].id, compare.level)),
    }),
    rows: summarized,
    ...compareAnswers(session, rows, primary, idOf),
  }
}

type Column = AnswersSummary['measures'][number]

function valuesOf({ values, answers }: AnswerRow, measure: string): Float64Array {
  return values.get(measure) ?? new Float64Array(answers.length).fill(Number.NaN)
}

function costsOf(answers: AnswerRow['answers'], isPriced: boolean): Pick<AnsweredRow, 'dollars' | 'seconds'> {
  const dollars = meanOf(answers.map((answer) => answer.dollars))
  const timed = answers.flatMap(({ seconds }) => seconds ?? [])
  return {
    ...(isPriced && { dollars: Number.isNaN(dollars) ? null : dollars }),
    ...(timed.length > 0 && { seconds: meanOf(timed) }),
  }
}

/**
 * Comparison of each answerer's rows with its row over the baseline, and of the answerers over the baseline with the
 * first. Each is a family of its own.
 */
function compareAnswers(
  { trials, plan, clusters }: Session,
  rows: readonly AnswerRow[],
  primary: Column,
  idOf: (row: AnswerRow) => string,
): Pick<AnswersSummary, 'comparisons' | 'answerers'> {
  const { compare } = plan.experiment
  const primaryOf = (row: AnswerRow) => valuesOf(row, primary.name)
  const { margin: _, answers: __, ...rest } = compare
  const design = { ...rest, by: primary.name, family: 'all' as const }
  const overBaseline = rows.filter(
    ({ trial }) => trial !== null && trial === trialIndex(trials, compare.baseline),
  )
  const compareOne = (
    members: readonly AnswerRow[],
    baseline: AnswerRow | undefined,
    by: 'trial' | 'answerer',
  ) => {
    if (!baseline) return null
    const standard = primaryOf(baseline)
    const comparable = members.filter((row) =>
      primaryOf(row).some((value, query) => !Number.isNaN(value) && !Number.isNaN(standard[query])),
    )
    if (comparable.length < 2) return null
    const contenders = comparable.map((row) => {
      const { name } = row.answering
      const { trial } = row
      const named = trial === null || by === 'answerer' ? { name, strategy: name } : trials[trial]
      const values = primaryOf(row)
      const quality = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)
      return { id: idOf(row), name: named.name, strategy: named.strategy, values, quality }
    })
    return compareRows(contenders, idOf(baseline), design, primary.better, { clusters })
  }
  const names = new Set(rows.flatMap(({ trial, answering }) => (trial === null ? [] : [answering.name])))
  const comparisons = [...names].map((answerer) => {
    const members = rows.filter(({ answering, trial }) => trial === null || answering.name === answerer)
    const baseline = overBaseline.find(({ answering }) => answering.name === answerer)
    return [answerer, compareOne(members, baseline, 'trial')] as const
  })
  const answerers = compareOne(overBaseline, overBaseline[0], 'answerer')
  return { comparisons: Object.fromEntries(comparisons), ...(answerers && { answerers }) }
}

function summarizeJudge(
  { name, failures, counters, labelled }: Judged,
  idOf: (query: number) => string,
  level: number,
): JudgeSummary {
  const { modelCalls = 0, inputTokens = 0, outputTokens = 0, callsEstimated = 0, callsCut = 0 } = counters
  return {
    name,
    modelCalls,
    inputTokens,
    outputTokens,
    estimated: callsEstimated,
    cut: callsCut,
    failed: failures.length,
    failures: failures
      .slice(0, TOLD)
      .map(({ row, query, message }) => ({ query: row ? idOf(query) : `label ${query + 1}`, message })),
    ...(labelled && { agreement: agreementOf(labelled, level) }),
  }
}

function agreementOf(labelled: NonNullable<Judged['labelled']>, level: number): JudgeAgreement {
  const counted = labelled.filter(({ value }) => !Number.isNaN(value))
  const pairs = counted.map(({ value, label }) => [Number(value >= 0.5), Number(label >= 0.5)] as const)
  const agree = Float64Array.from(pairs, ([judge, person]) => Number(judge === person))
  const share = { mean: meanOf(agree), ...meanInterval([agree], level, SHARE), n: agree.length }
  const kappa = cohensKappa(pairs)
  return { n: agree.length, share, kappa: Number.isFinite(kappa) ? kappa : null }
}

function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
