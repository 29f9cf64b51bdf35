import { ANSWER_MEASURES, type AnswerMeasure } from '../../answer/measures.ts'
import { cohensKappa } from '../../labels/agreement.ts'
import { SHARE } from '../../metrics/range.ts'
import type { AnsweredRow, AnswersSummary, JudgeAgreement, JudgeSummary } from '../../results/answers.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'
import { trialIndex } from '../plan/compile.ts'
import type { Session } from '../shard/session.ts'
import type { AnswerRow } from './answer-row.ts'
import { compareRows } from './compare-rows.ts'
import type { JudgeScores } from './judge-answers.ts'

interface Column extends Pick<AnswerMeasure, 'name' | 'better'> {
  /** Values by query; NaN if the query does not count. */
  of(row: AnswerRow): Float64Array
}

/** Number of failures that are quoted. */
const TOLD = 3

/**
 * Summarizes answers: means with intervals, and a comparison of every row with the same answerer's over the baseline
 * trial, by F1. If no query has a reference answer, the comparison is by the share of grounded answers.
 */
export function summarizeAnswers(
  session: Session,
  rows: readonly AnswerRow[],
  judgements: readonly JudgeScores[],
): AnswersSummary {
  const { trials, queries, plan, clusters } = session
  const { compare } = plan.experiment
  const counts = (measure: AnswerMeasure) =>
    rows.some(({ answers }) => answers.some((answer) => !Number.isNaN(measure.value(answer))))
  const counted = ANSWER_MEASURES.filter(counts)
  const measures: Column[] = [
    ...judgements.map(({ judging, values }) => ({
      name: judging.name,
      better: 'higher' as const,
      of: (row: AnswerRow) => values.get(row) as Float64Array,
    })),
    ...counted.map((measure) => ({
      name: measure.name,
      better: measure.better,
      of: ({ answers }: AnswerRow) => Float64Array.from(answers, (answer) => measure.value(answer)),
    })),
  ]
  const by =
    compare.answers ?? (counted.some(({ name }) => name === 'answer_f1') ? 'answer_f1' : 'answer_grounded')
  const found = measures.find(({ name }) => name === by)
  // If no question counts for it, every row says so: retrieval's results and what was paid for stay.
  const primary: Column = found ?? {
    name: by,
    better: 'higher',
    of: ({ answers }) => new Float64Array(answers.length).fill(Number.NaN),
  }
  if (!found) measures.push(primary)
  const idOf = ({ answering, trial }: AnswerRow) =>
    trial === null ? answering.name : `${trials[trial].id} ${answering.name}`

  const isPriced = rows.some(({ answers }) => answers.some(({ dollars }) => dollars !== 0))
  const summarized = rows.map((row): AnsweredRow => {
    const { answering, trial, answers } = row
    const mean = (of: 'sent' | 'modelCalls' | 'inputTokens' | 'outputTokens') =>
      answers.reduce((sum, answer) => sum + answer[of], 0) / Math.max(1, answers.length)
    const failures = answers.flatMap(({ failure }, query) =>
      failure === null ? [] : [{ query: queries[query].id, message: failure }],
    )
    return {
      id: idOf(row),
      trial: trial === null ? null : { id: trials[trial].id, name: trials[trial].name },
      answerer: answering.name,
      measures: Object.fromEntries(
        measures.map((measure) => {
          const column = measure.of(row)
          const places = [...column.keys()].filter((query) => !Number.isNaN(column[query]))
          const counted = places.map((query) => column[query])
          const mean = counted.reduce((sum, value) => sum + value, 0) / Math.max(1, counted.length)
          const limits = meanInterval(
            [counted],
            compare.level,
            SHARE,
            clusters && [places.map((query) => clusters[query])],
          )
          return [measure.name, { mean, ...limits, n: counted.length }]
        }),
      ),
      perQuery: {
        sent: mean('sent'),
        modelCalls: mean('modelCalls'),
        inputTokens: mean('inputTokens'),
        outputTokens: mean('outputTokens'),
      },
      ...costsOf(answers, isPriced),
      estimated: answers.filter((answer) => answer.estimated).length,
      cut: answers.reduce((sum, answer) => sum + answer.cut, 0),
      failed: failures.length,
      failures: failures.slice(0, TOLD),
    }
  })
  const judged = judgements.map((judgement) =>
    summarizeJudge(judgement, (query) => queries[query].id, compare.level),
  )
  return {
    measures: measures.map(({ name, better }) => ({ name, better })),
    primary: primary.name,
    ...(judged.length > 0 && { judges: judged }),
    rows: summarized,
    ...compareAnswers(session, rows, primary, idOf),
  }
}

/** Mean dollars and recorded seconds of answers. */
function costsOf(answers: AnswerRow['answers'], isPriced: boolean): Pick<AnsweredRow, 'dollars' | 'seconds'> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const dollars = mean(answers.map((answer) => answer.dollars))
  const timed = answers.flatMap(({ seconds }) => seconds ?? [])
  return {
    ...(isPriced && { dollars: Number.isNaN(dollars) ? null : dollars }),
    ...(timed.length > 0 && { seconds: mean(timed) }),
  }
}

/**
 * Comparison of each answerer's rows with its row over the baseline, null if there is nothing to compare; and of the answerers
 * over the baseline with the first of them. Each is a family of its own.
 */
function compareAnswers(
  { trials, plan, clusters }: Session,
  rows: readonly AnswerRow[],
  primary: Column,
  idOf: (row: AnswerRow) => string,
): Pick<AnswersSummary, 'comparisons' | 'answerers'> {
  const { compare } = plan.experiment
  const values = new Map(rows.map((row) => [row, primary.of(row)]))
  const valuesOf = (row: AnswerRow) => values.get(row) as Float64Array
  const { margin: _, answers: __, ...rest } = compare
  const asked = { ...rest, by: primary.name, family: 'all' as const }
  const overBaseline = rows.filter(
    ({ trial }) => trial !== null && trial === trialIndex(trials, compare.baseline),
  )
  const compareOne = (
    members: readonly AnswerRow[],
    baseline: AnswerRow | undefined,
    by: 'trial' | 'answerer',
  ) => {
    if (!baseline) return null
    const standard = valuesOf(baseline)
    // No comparison rests on no question.
    const comparable = members.filter((row) =>
      valuesOf(row).some((value, query) => !Number.isNaN(value) && !Number.isNaN(standard[query])),
    )
    if (comparable.length < 2) return null
    const contenders = comparable.map((row) => {
      const { name, strategy } =
        row.trial === null || by === 'answerer'
          ? { name: row.answering.name, strategy: row.answering.name }
          : trials[row.trial]
      return {
        id: idOf(row),
        name,
        strategy,
        values: valuesOf(row),
        quality: valuesOf(row).reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0),
      }
    })
    return compareRows(contenders, idOf(baseline), asked, primary.better, { clusters })
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

/** Summarizes one judge. `idOf`: id of a query by its index. */
function summarizeJudge(
  { judging, failures, taken, labelled }: JudgeScores,
  idOf: (query: number) => string,
  level: number,
): JudgeSummary {
  const sum = (of: 'input' | 'output') => taken.reduce((total, { took }) => total + took[of], 0)
  return {
    name: judging.name,
    modelCalls: taken.length,
    inputTokens: sum('input'),
    outputTokens: sum('output'),
    estimated: taken.filter(({ took }) => took.estimated).length,
    cut: taken.filter(({ cut }) => cut).length,
    failed: failures.length,
    failures: failures
      .slice(0, TOLD)
      .map(({ row, query, message }) => ({ query: row ? idOf(query) : `label ${query + 1}`, message })),
    ...(labelled && { agreement: agreementOf(labelled, level) }),
  }
}

function agreementOf(labelled: NonNullable<JudgeScores['labelled']>, level: number): JudgeAgreement {
  const counted = labelled.filter(({ value }) => !Number.isNaN(value))
  const pairs = counted.map(({ value, label }) => [Number(value >= 0.5), Number(label >= 0.5)] as const)
  const agree = Float64Array.from(pairs, ([judge, person]) => Number(judge === person))
  const share = {
    mean: shareOf([...agree].map(Boolean)) ?? 0,
    ...meanInterval([agree], level, SHARE),
    n: agree.length,
  }
  const kappa = cohensKappa(pairs)
  return { n: agree.length, share, kappa: Number.isFinite(kappa) ? kappa : null }
}

function shareOf(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : values.filter(Boolean).length / values.length
}
