import type { Experiment, Trial } from '../config/experiment.ts'
import { UserError } from '../errors.ts'
import type { Measure, Metric } from '../metrics/define.ts'
import { parseMeasures } from '../metrics/parse.ts'
import { loadOwn } from '../own/load.ts'
import { metricsWith, ownMetric } from '../own/metric.ts'
import type { Strategy } from '../retrieve/strategies/define.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { loadStrategy } from '../retrieve/strategies/own/load.ts'
import type { Transform } from '../retrieve/transforms/define.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import { hashFile } from '../store/input.ts'
import type { Registries } from './compile.ts'

/** The measures of an experiment, in its order. Throws a UserError where the file of a metric was changed since. */
export async function loadMeasures({ measures, metrics }: Experiment): Promise<Measure[]> {
  const own: Metric[] = []
  for (const { path, sha256 } of metrics) {
    if (hashFile(path, 'a metric') !== sha256)
      throw new UserError({ file: path, message: 'was changed since the config was read; run it again' })
    own.push(await loadOwn(path, ownMetric))
  }
  return parseMeasures(measures, { metrics: metricsWith(own) })
}

/** The product's strategies and transforms, and the users' own strategies that `trials` name by file. */
export async function loadRegistries(trials: readonly Trial[]): Promise<Registries> {
  const byName = new Map<string, Strategy>(strategies.byName)
  for (const { strategy, sha256 } of trials) {
    if (sha256 && !byName.has(strategy)) byName.set(strategy, await loadStrategy(strategy))
  }
  return {
    strategies: byName,
    transforms: new Map<string, Transform>([...queryTransforms.byName, ...rankingTransforms.byName]),
  }
}
