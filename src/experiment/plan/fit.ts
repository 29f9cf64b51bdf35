import { basename } from 'node:path'
import { answerers } from '../../answer/answerers/index.ts'
import { chunkSpans } from '../../corpus/corpus.ts'
import type { RunFile, RunTable } from '../../corpus/run-table.ts'
import { checkJudgedChunks } from '../../dataset/check-gold.ts'
import type { WithoutDocuments } from '../../dataset/types.ts'
import { collectDiagnostics, type Diagnostic, UserError } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { isOfTexts, readRecorded } from '../../runs/recorded.ts'
import { readTrajectories } from '../../runs/trajectories.ts'
import type { Query } from '../../types.ts'
import { stepsOf } from './compile.ts'
import type { OpenExperiment } from './open.ts'

export function requireQueries({ experiment, dataset }: OpenExperiment): void {
  const { file, tuning } = experiment
  const fail = (message: string) => new UserError(message, file)
  if (dataset.queries.length === 0)
    throw fail(
      `the dataset ${dataset.name} has no queries, so it can be prepared and asked, but not run; \`touchstone questions draft\` drafts some`,
    )
  const judged = dataset.queries.filter(
    ({ id, answerable }) => answerable && (dataset.qrels.has(id) || dataset.spans.has(id)),
  ).length
  if (tuning.kind === 'folds' && tuning.folds > judged)
    throw fail(
      `folds: ${tuning.folds} are more than the ${judged} judged queries of ${dataset.name}; take fewer folds`,
    )
}

/** Throws a UserError if gold, runs or answers do not fit the prepared corpora, with the diagnostics of all. */
export async function requireFit(opened: readonly OpenExperiment[]): Promise<void> {
  const diagnostics = collectDiagnostics()
  for (const open of opened) {
    await diagnostics.attemptAsync(async () => {
      const { dataset, recipes, store } = open
      if (dataset.judgedUnit === 'chunk')
        for (const recipe of recipes) checkJudgedChunks(dataset, await store.open(chunkSpans(recipe)))
    })
    await diagnostics.attemptAsync(() => requireMatchingRuns(open))
    diagnostics.attempt(() => requireKnownAnswers(open))
  }
  diagnostics.throwIfAny()
}

/** Reads run files without preparing. Throws a UserError with all errors; returns sentences on how they were read. */
export async function checkRunFiles({ dataset, trials }: OpenExperiment): Promise<string[]> {
  const files = new Map<string, RunFile>()
  for (const { step } of stepsOf(trials))
    if (step.recorded) files.set(JSON.stringify(step.recorded), step.recorded)
  const lines: string[] = []
  const diagnostics = collectDiagnostics()
  for (const file of files.values()) {
    const run = await diagnostics.attemptAsync(() => readRunFile(file))
    lines.push(...(run?.lines ?? []))
    if (run && !dataset.queries.some(run.answers)) diagnostics.add(noneOf(dataset, file.path))
  }
  diagnostics.throwIfAny()
  return lines
}

async function readRunFile({ path, isTrajectory }: RunFile) {
  if (isTrajectory) {
    const trajectories = readTrajectories(path)
    return { answers: ({ id }: Query) => trajectories.has(id), lines: [] }
  }
  if (isOfTexts(path)) {
    const records = readRecorded(path, 'contexts')
    return { answers: ({ text }: Query) => records.has(text.trim()), lines: [] }
  }
  const { linesOf, readRun } = await import('../../runs/formats.ts')
  const run = await readRun(path)
  const lines = linesOf(run).map((line) => `${basename(path)}: ${line}`)
  return { answers: ({ id }: Query) => run.value.queries.has(id), lines }
}

function noneOf({ name }: WithoutDocuments, file: string): Diagnostic {
  return {
    file,
    message: `holds none of the queries of ${name}: are the ${isOfTexts(file) ? 'texts of the questions' : 'query ids'} the same?`,
  }
}

export function requireKnownAnswers({ experiment, dataset }: OpenExperiment): void {
  const wrong = experiment.answering.flatMap(({ choice }): Diagnostic[] => {
    const { definition, params } = resolve(answerers, choice)
    const records = definition.make(params).records
    if (!records || dataset.queries.some(({ text }) => records.has(text.trim()))) return []
    const message = `holds none of the questions of ${dataset.name}: \`query\` must be the text of a question`
    return [{ file: String(params.path), message }]
  })
  if (wrong.length > 0) throw new UserError(wrong)
}

/** Throws a UserError for each prepared run without any of the queries. */
async function requireMatchingRuns({ dataset, trials, store }: OpenExperiment): Promise<void> {
  const diagnostics: Diagnostic[] = []
  for (const { step, artifacts } of stepsOf(trials)) {
    if (!step.recorded) continue
    const { artifact, path } = step.recorded
    const table = (await store.open(artifacts[artifact])) as RunTable
    if (!table.answers(dataset.queries)) diagnostics.push(noneOf(dataset, path))
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}
