import { type Mistake, UserError } from '../errors.ts'
import type { Measure } from '../metrics/define.ts'
import { parseMeasure } from '../metrics/parse.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Compare, Trial } from './experiment.ts'
import type { Problem } from './problem.ts'
import type { RawConfig } from './schema.ts'
import { matchTrials, type TrialNames } from './trial-names.ts'

/** Parses the measures; what is unknown, deeper than the rankings go or there twice is a problem at its place. */
export function readMeasures(names: readonly string[], depth: number, problems: Problem[]): string[] {
  const found: string[] = []
  for (const [place, name] of names.entries()) {
    const path = ['measures', place]
    const measure = readMeasure(name, (message) => problems.push({ path, message }))
    if (!measure) continue
    if (Number.isFinite(measure.k) && measure.k > depth)
      problems.push({
        path,
        message: `\`${name}\` looks at ${measure.k} ranks, and rankings go to depth ${depth}`,
      })
    if (found.includes(measure.name)) problems.push({ path, message: `\`${name}\` stands twice` })
    found.push(measure.name)
  }
  return found
}

function readMeasure(name: string, complain: (message: string) => void): Measure | undefined {
  try {
    return parseMeasure(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { message } of error.mistakes as readonly Mistake[]) complain(message)
    return undefined
  }
}

/** Finds the primary measure and, among the trials, the baseline. Undefined where one is a problem. */
export function readCompare(
  raw: RawConfig['compare'],
  seed: number,
  measures: readonly string[],
  { trials, complete, names }: { trials: readonly Trial[]; complete: boolean; names: TrialNames },
  problems: Problem[],
): Compare | undefined {
  const by =
    raw.by === undefined
      ? measures.includes('recall@5')
        ? 'recall@5'
        : measures[0]
      : readBy(raw.by, measures, problems)
  if (!complete) {
    // Of what could not be read only the strategy is known, or the name it was given.
    if (raw.baseline !== undefined && !names.mayBe(raw.baseline)) findTrial(raw.baseline, trials, problems)
    return undefined
  }
  const baseline = raw.baseline === undefined ? trials[0] : findTrial(raw.baseline, trials, problems)
  if (by === undefined || !baseline) return undefined
  const { level, correction, family, draws, margin } = raw
  const asked = margin === undefined ? {} : { margin }
  return { by, baseline: baseline.id, level, correction, family, ...asked, draws, seed: raw.seed ?? seed }
}

function readBy(name: string, measures: readonly string[], problems: Problem[]): string | undefined {
  const path = ['compare', 'by']
  const measure = readMeasure(name, (message) => problems.push({ path, message }))
  if (!measure || measures.includes(measure.name)) return measure?.name
  problems.push({ path, message: `\`${name}\` is not among the measures: ${measures.join(', ')}` })
  return undefined
}

function findTrial(name: string, trials: readonly Trial[], problems: Problem[]): Trial | undefined {
  const path = ['compare', 'baseline']
  const matching = matchTrials(name, trials)
  if (matching.length === 1) return matching[0]
  const names = (list: readonly Trial[]) => {
    const shown = list.slice(0, 5).map((trial) => `\`${trial.name}\``)
    return shown.join(', ') + (list.length > shown.length ? `, ... (${list.length} in all)` : '')
  }
  if (matching.length > 1)
    problems.push({
      path,
      message: `\`${name}\` is ${matching.length} trials; name one: ${names(matching)}`,
    })
  else {
    const near = didYouMean(
      name,
      trials.map((trial) => trial.name),
    )
    const there = trials.length > 0 ? `; there are ${names(trials)}` : ''
    problems.push({ path, message: `there is no trial \`${name}\`${near}${there}` })
  }
  return undefined
}
