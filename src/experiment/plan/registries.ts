import type { Experiment } from '../../config/experiment.ts'
import { loadParts } from '../../config/parts.ts'
import type { Choice } from '../../corpus/recipe.ts'
import { type CustomFile, type CustomKind, loadCustom } from '../../custom/load.ts'
import { customMetric, metricsWith } from '../../custom/metric.ts'
import type { Measure, Metric } from '../../metrics/define.ts'
import { parseMeasures } from '../../metrics/parse.ts'
import type { Definition } from '../../registry.ts'
import { customQueryTransform, customRankingTransform, customStrategy } from '../../retrieve/custom/kinds.ts'
import type { Strategy } from '../../retrieve/strategies/index.ts'
import { strategies } from '../../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../../retrieve/transforms/index.ts'
import type { Registries } from './compile.ts'

/** Throws a UserError if a custom metric's file has changed. */
export async function loadMeasures({ measures, metrics }: Experiment): Promise<Measure[]> {
  const own: Metric[] = []
  for (const { path, sha256 } of metrics) own.push(await loadCustom(path, customMetric, sha256))
  return parseMeasures(measures, { metrics: metricsWith(own) })
}

/** Built-in parts, and custom ones of `trials`. Throws a UserError if a file has changed. */
export async function loadRegistries({
  trials,
  engines,
}: Pick<Experiment, 'trials' | 'engines'>): Promise<Registries> {
  const own = trials.flatMap(({ strategy, sha256 }) => (sha256 ? [{ path: strategy, sha256 }] : []))
  const before = trials.flatMap((trial) => filesOf(trial.before))
  const after = trials.flatMap((trial) => filesOf(trial.after))
  await loadParts({ trials, engines })
  return {
    strategies: new Map<string, Strategy>([...strategies.byName, ...(await loadEach(own, customStrategy))]),
    before: new Map([...queryTransforms.byName, ...(await loadEach(before, customQueryTransform))]),
    after: new Map([...rankingTransforms.byName, ...(await loadEach(after, customRankingTransform))]),
  }
}

export function filesOf(choices: readonly Choice[]): CustomFile[] {
  return choices.flatMap(({ file }) => file ?? [])
}

export async function loadEach<D extends Definition>(
  files: readonly CustomFile[],
  kind: CustomKind<D>,
): Promise<Map<string, D>> {
  const byPath = new Map<string, D>()
  for (const { path, sha256 } of files)
    if (!byPath.has(path)) byPath.set(path, await loadCustom(path, kind, sha256))
  return byPath
}
