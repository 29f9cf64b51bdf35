import { note, warning } from '../../report/findings/finding.ts'
import { findingsOf } from '../../report/findings/index.ts'
import type { Finding, Summary } from '../../results/summary.ts'
import { wasStopped } from '../../stopping.ts'
import { writeGraphs } from '../inspect-graphs.ts'
import type { RequestOptions } from '../plan/ask-ahead.ts'
import { mergedInWords, rootsOf, withSeeds } from '../plan/compile.ts'
import { countSteps } from '../plan/count-steps.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { StoredPlan } from '../plan/plan.ts'
import { unreadLines } from '../plan/unread.ts'
import { findParts } from '../shard/parts.ts'
import { sessionOf } from '../shard/session.ts'
import { writeAnswers, writeReasons } from './answer-rows.ts'
import { answerQuestions } from './answers.ts'
import { fitRouters } from './fitted-routers.ts'
import { keepRankings } from './keep-rankings.ts'
import { originOf, writeResult, writeTrials } from './manifest.ts'
import { averageSeeds, mergeParts } from './merge.ts'
import { finalistsOf, primaryRows, scoredTrials } from './rows.ts'
import { summarize } from './summarize.ts'
import { summarizeAnswers } from './summarize-answers.ts'
import { writeRows } from './write-rows.ts'

interface FinishOptions extends RequestOptions {
  readonly machine: Readonly<Record<string, string>>
}

export async function finish(
  folder: string,
  open: OpenExperiment,
  plan: StoredPlan,
  options: FinishOptions,
): Promise<Summary | null> {
  const { machine, signal, progress } = options
  const session = await sessionOf(folder, plan, open)
  const { trials, corpora, shards } = session
  const measures = session.measures.map(({ name }) => name)
  const partsByShard = findParts(folder, plan.hash)
  const parts = [...partsByShard.values()].sort((a, b) => a.shard - b.shard)
  if (parts.length !== shards.length) throw new Error(`${shards.length - parts.length} parts are missing`)
  const all = await mergeParts(
    parts,
    { measures, trials: withSeeds(trials).length, labels: corpora[0].labels },
    progress,
  )
  const merged = averageSeeds(all, trials)
  if (wasStopped(signal)) return null
  writeRows(session, merged)
  const scored = scoredTrials(session, merged)
  const finalists = finalistsOf(scored, primaryRows(scored))
  const fitted = await fitRouters(scored, parts)
  let result = await summarize(scored, open, finalists, fitted, progress)
  if (wasStopped(signal)) return null
  writeTrials(folder, trials, open.experiment.file)
  await keepRankings(session, finalists, parts, merged, fitted)
  await writeGraphs(folder, open)
  if (plan.experiment.answering.length > 0) {
    const answers = await answerQuestions(session, open, finalists, options)
    if (!answers) return null
    writeAnswers(folder, answers.rows)
    writeReasons(folder, answers.rows)
    result = { ...result, answers: summarizeAnswers(session, answers.rows, answers.judged) }
  }
  const summary = { ...result, findings: findingsOf(result, await preparationFindings(open)) }
  const planned = await countSteps(rootsOf(withSeeds(trials)), session.queries)
  const origin = originOf(open, planned, merged.computed)
  writeResult(folder, open.experiment, summary, { plan: plan.hash, machine, ...origin })
  return summary
}

async function preparationFindings(open: OpenExperiment): Promise<Finding[]> {
  return [
    ...(await unreadLines(open)).flatMap((line) => warning('Not read', `${line}.`)),
    ...open.dataset.notices.flatMap((line) => note('Data', `${line}.`)),
    ...mergedInWords(open.experiment, open.trials).flatMap((line) => note('Equal trials', `${line}.`)),
  ]
}
