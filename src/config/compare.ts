import { customMetric, metricsWith } from '../custom/metric.ts'
import type { Metric } from '../metrics/define.ts'
import { METRICS, parseMeasure } from '../metrics/parse.ts'
import type { Registry } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import { didYouMean } from '../text/nearest.ts'
import type { BaselineGroup, Compare, Trial } from './experiment.ts'
import { CODE_FILE, customFile, type Loading, loadCustomFiles } from './files.ts'
import { matchTrials, namesOf } from './names.ts'
import { attempt, type ConfigLocation, type Path, type Problem, refuse } from './reading.ts'
import type { RawConfig } from './schema.ts'
import { mayBeUnread, type TrialEntry } from './trials.ts'

/** A metric's file and what follows it: `./f1.mjs@5`, `./f1.mjs(beta=2)@5`. */
const FILE = new RegExp(`^(.*${CODE_FILE})([(@].*)?$`)

/** Loads custom metrics. A name whose file is a problem is null. */
export async function readMetrics(
  { measures, compare }: { readonly measures: readonly string[]; readonly compare: { readonly by?: string } },
  reading: Loading,
) {
  const measureTexts = [
    ...measures.map((text, index) => ({ text, path: ['measures', index] as Path })),
    ...(compare.by === undefined ? [] : [{ text: compare.by, path: ['compare', 'by'] as Path }]),
  ]
  const named = measureTexts.flatMap(({ text, path }) => {
    const [, name, rest = ''] = FILE.exec(text) ?? []
    return name === undefined ? [] : [{ name, rest, path, on: 'value' as const }]
  })
  await loadCustomFiles(named, { registry: METRICS, custom: customMetric }, reading)
  const files = new Map(named.map(({ name, path }) => [name, customFile(name, path, customMetric, reading)]))
  const loaded = [...files.values()].filter((file) => file !== undefined)
  const byPath = new Map(loaded.map((file) => [file.path, file]))
  const byName = new Map<string, string>()
  for (const { path, definition } of byPath.values()) {
    const first = byName.get(definition.name)
    if (first !== undefined)
      refuse(
        reading.problems,
        ['measures'],
        `${first} and ${path} both call themselves \`${definition.name}\`; give one another name`,
      )
    byName.set(definition.name, path)
  }
  const translate = (text: string) => {
    const [, name, rest = ''] = FILE.exec(text) ?? []
    if (name === undefined) return text
    const file = files.get(name)
    return file ? `${file.definition.name}${rest}` : null
  }
  const custom = [...byPath.values()].map(({ path, sha256, definition }) => ({
    name: definition.name,
    path,
    sha256,
  }))
  return {
    names: measures.map(translate),
    by: compare.by === undefined ? undefined : (translate(compare.by) ?? undefined),
    metrics: metricsWith([...byPath.values()].map(({ definition }) => definition)),
    custom,
  }
}

/** Parses the measures. Unknown, repeated, or deeper than the rankings: a problem. */
export function readMeasures(
  names: readonly (string | null)[],
  depth: number,
  metrics: Registry<Metric>,
  problems: Problem[],
): string[] {
  const labels: string[] = []
  for (const [index, name] of names.entries()) {
    if (name === null) continue
    const path = ['measures', index]
    const measure = attempt(() => parseMeasure(name, { metrics }), path, problems)
    if (!measure) continue
    if (Number.isFinite(measure.k) && measure.k > depth)
      refuse(problems, path, `\`${name}\` needs ${measure.k} ranks, but rankings end at depth ${depth}`)
    if (labels.includes(measure.name)) refuse(problems, path, `\`${name}\` occurs twice`)
    labels.push(measure.name)
  }
  return labels
}

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
    refuse(problems, ['context', 'top'], `${top} chunks are sent, but rankings end at depth ${depth}`)
  const k = by === undefined ? CHUNKS : parseMeasure(by, { metrics }).k
  return { top: top ?? Math.min(Number.isFinite(k) ? k : CHUNKS, depth) }
}

/** Finds the primary measure and the baseline. Undefined after a problem. */
export function readCompare(
  raw: RawConfig['compare'],
  seed: number,
  { measures, metrics }: { measures: readonly string[]; metrics: Registry<Metric> },
  trials: readonly Trial[],
  unread: readonly TrialEntry[],
  problems: Problem[],
): Compare | undefined {
  const shares = measures.filter((name) => parseMeasure(name, { metrics }).metric.bounded)
  if (raw.by === undefined && shares.length === 0 && measures.length > 0)
    refuse(problems, ['measures'], 'are all counts; compare trials by a measure from 0 to 1, as recall@5')
  const by =
    raw.by === undefined
      ? (shares.find((name) => name === 'recall@5') ?? shares[0])
      : readBy(raw.by, measures, metrics, problems)
  if (unread.length > 0) {
    if (raw.baseline !== undefined && !mayBeUnread(raw.baseline, unread))
      findTrial(raw.baseline, trials, problems)
    return undefined
  }
  const baseline =
    raw.baseline === undefined || trials.length === 0 ? trials[0] : findTrial(raw.baseline, trials, problems)
  if (by === undefined || !baseline) return undefined
  const seeded = { ...raw, seed: raw.seed ?? seed }
  return { ...seeded, by, baseline: baseline.id, named: raw.baseline !== undefined }
}

function readBy(
  name: string,
  measures: readonly string[],
  metrics: Registry<Metric>,
  problems: Problem[],
): string | undefined {
  const path = ['compare', 'by']
  const measure = attempt(() => parseMeasure(name, { metrics }), path, problems)
  if (measure && !measure.metric.bounded)
    return refuse(problems, path, `\`${name}\` is a count; compare trials by a measure from 0 to 1`)
  // After an error in every measure there is nothing to compare with.
  if (!measure || measures.length === 0 || measures.includes(measure.name)) return measure?.name
  return refuse(problems, path, `\`${name}\` is not among the measures: ${measures.join(', ')}`)
}

/** Trial of this name; the first of several whose `prepare` choices alone differ (`baselineGroup`). */
function findTrial(name: string, trials: readonly Trial[], problems: Problem[]): Trial | undefined {
  const path = ['compare', 'baseline']
  const matching = matchTrials(name, trials)
  if (matching.length === 1 || differInRecipe(matching)) return matching[0]
  if (matching.length > 1) refuse(problems, path, several(name, matching))
  else {
    const near = didYouMean(
      name,
      trials.map((trial) => trial.name),
    )
    const there = trials.length > 0 ? `; there are ${namesOf(trials)}` : ''
    refuse(problems, path, `there is no trial \`${name}\`${near}${there}`)
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
