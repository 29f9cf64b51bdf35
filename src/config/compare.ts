import type { Metric } from '../metrics/define.ts'
import { parseMeasure } from '../metrics/parse.ts'
import type { Registry } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import { didYouMean } from '../text/nearest.ts'
import type { BaselineGroup, Compare, Trial } from './experiment.ts'
import { matchTrials, namesOf } from './names.ts'
import { attempt, type ConfigLocation, type Problem } from './reading.ts'
import type { RawConfig } from './schema.ts'
import { type KnownTrials, mayBeUnread } from './trials.ts'

/** Parses the measures. Unknown, repeated, or deeper than the rankings: a problem. */
export function readMeasures(
  names: readonly (string | null)[],
  depth: number,
  metrics: Registry<Metric>,
  problems: Problem[],
): string[] {
  const found: string[] = []
  for (const [index, name] of names.entries()) {
    if (name === null) continue
    const path = ['measures', index]
    const measure = attempt(() => parseMeasure(name, { metrics }), path, problems)
    if (!measure) continue
    if (Number.isFinite(measure.k) && measure.k > depth)
      problems.push({
        path,
        message: `\`${name}\` needs ${measure.k} ranks, but rankings end at depth ${depth}`,
      })
    if (found.includes(measure.name)) problems.push({ path, message: `\`${name}\` occurs twice` })
    found.push(measure.name)
  }
  return found
}

/** Chunks sent if neither the config nor the primary measure has a number. */
const CHUNKS = 5

/** Number of first chunks sent for an answer; default: the primary measure's cutoff. */
export function readContext(
  { top }: RawConfig['context'],
  by: string | undefined,
  metrics: Registry<Metric>,
  depth: number,
  problems: Problem[],
): { top: number } {
  if (top !== undefined && top > depth)
    problems.push({
      path: ['context', 'top'],
      message: `${top} chunks are sent, but rankings end at depth ${depth}`,
    })
  const k = by === undefined ? CHUNKS : parseMeasure(by, { metrics }).k
  return { top: top ?? Math.min(Number.isFinite(k) ? k : CHUNKS, depth) }
}

/** Finds the primary measure and the baseline. Undefined after a problem. */
export function readCompare(
  raw: RawConfig['compare'],
  seed: number,
  { measures, metrics }: { measures: readonly string[]; metrics: Registry<Metric> },
  known: KnownTrials,
  problems: Problem[],
): Compare | undefined {
  const by =
    raw.by === undefined
      ? measures.includes('recall@5')
        ? 'recall@5'
        : readDefault(measures, metrics, problems)
      : readBy(raw.by, measures, metrics, problems)
  const trials = known.placed.map(({ trial }) => trial)
  if (known.unread.length > 0) {
    if (raw.baseline !== undefined && !mayBeUnread(raw.baseline, known))
      findTrial(raw.baseline, trials, problems)
    return undefined
  }
  const baseline = raw.baseline === undefined ? trials[0] : findTrial(raw.baseline, trials, problems)
  if (by === undefined || !baseline) return undefined
  const { level, correction, family, draws, margin, answers, cluster } = raw
  const asked = {
    ...(margin !== undefined && { margin }),
    ...(answers !== undefined && { answers }),
    ...(cluster !== undefined && { cluster }),
  }
  return {
    by,
    baseline: baseline.id,
    named: raw.baseline !== undefined,
    level,
    correction,
    family,
    ...asked,
    draws,
    seed: raw.seed ?? seed,
  }
}

function readBy(
  name: string,
  measures: readonly string[],
  metrics: Registry<Metric>,
  problems: Problem[],
): string | undefined {
  const path = ['compare', 'by']
  const measure = attempt(() => parseMeasure(name, { metrics }), path, problems)
  if (measure && !measure.metric.bounded) {
    problems.push({ path, message: `\`${name}\` is a count; compare trials by a measure from 0 to 1` })
    return undefined
  }
  if (!measure || measures.includes(measure.name)) return measure?.name
  problems.push({ path, message: `\`${name}\` is not among the measures: ${measures.join(', ')}` })
  return undefined
}

function readDefault(
  measures: readonly string[],
  metrics: Registry<Metric>,
  problems: Problem[],
): string | undefined {
  const shares = measures.filter((name) => parseMeasure(name, { metrics }).metric.bounded)
  if (shares.length === 0 && measures.length > 0)
    problems.push({
      path: ['measures'],
      message: 'are all counts; compare trials by a measure from 0 to 1, as recall@5',
    })
  return shares[0]
}

/** Trial of this name; the first of several whose `prepare` choices alone differ (`baselineGroup`). */
function findTrial(name: string, trials: readonly Trial[], problems: Problem[]): Trial | undefined {
  const path = ['compare', 'baseline']
  const matching = matchTrials(name, trials)
  if (matching.length === 1 || differInRecipe(matching)) return matching[0]
  if (matching.length > 1) problems.push({ path, message: several(name, matching) })
  else {
    const near = didYouMean(
      name,
      trials.map((trial) => trial.name),
    )
    const there = trials.length > 0 ? `; there are ${namesOf(trials)}` : ''
    problems.push({ path, message: `there is no trial \`${name}\`${near}${there}` })
  }
  return undefined
}

const several = (name: string, matching: readonly Trial[]) =>
  `\`${name}\` is ${matching.length} trials; name one: ${namesOf(matching)}`

function differInRecipe(trials: readonly Trial[]): boolean {
  const kinds = new Set(trials.map(({ strategy, params }) => canonical({ strategy, params })))
  return kinds.size === 1 && new Set(trials.map(({ recipe }) => recipe)).size === trials.length
}

/** Trials of the baseline's name if there are several, with the error unless they rank alike. */
export function baselineGroup(
  name: string | undefined,
  trials: readonly Trial[],
  location: ConfigLocation,
): BaselineGroup | undefined {
  const matching = name === undefined ? [] : matchTrials(name, trials)
  if (name === undefined || matching.length < 2) return undefined
  return { ids: matching.map(({ id }) => id), error: { ...location, message: several(name, matching) } }
}
