import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { Experiment } from '../../config/experiment.ts'
import { CONFIG, certify } from '../../results/finished.ts'
import { FORMAT } from '../../results/format.ts'
import { readManifest } from '../../results/read.ts'
import type { Manifest, Summary } from '../../results/summary.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import { sealed, sha256, sha256File } from '../../store/hash.ts'
import { writeWhole } from '../../store/write.ts'
import { columnsOf } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import { VERSION } from '../../version.ts'
import { artifactsOf, type CompiledTrial, describeChoice } from '../plan/compile.ts'
import type { PlannedStep } from '../plan/count-steps.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { byName } from '../shard/result.ts'
import { portableTrial } from './describe.ts'

type Origin = Omit<Manifest, 'format' | 'version' | 'result' | 'files' | 'experiment' | 'config' | 'folder'>

/** Writes `manifest.json`, then `summary.json`, which marks a finished experiment. */
export function writeResult(
  folder: string,
  { file }: Pick<Experiment, 'file'>,
  summary: Summary,
  origin: Origin,
): void {
  const text = JSON.stringify(summary)
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    ...certify(folder, text),
    config: sha256(readFileSync(file)),
    folder: dirname(file),
    ...origin,
  }
  writeWhole(join(folder, 'manifest.json'), sealed(manifest))
  writeWhole(join(folder, 'summary.json'), `${text}\n`)
}

export function originOf(
  open: OpenExperiment,
  planned: readonly PlannedStep[],
  computed: Manifest['steps']['computed'],
): Pick<Manifest, 'dataset' | 'downloads' | 'artifacts' | 'engines' | 'steps'> {
  const steps: Record<string, number> = {}
  for (const { name, count } of planned) steps[name] = (steps[name] ?? 0) + count
  return {
    dataset: open.dataset.hash,
    ...(open.experiment.downloads && { downloads: open.experiment.downloads }),
    // `touchstone clean --keep` keeps these.
    artifacts: Object.fromEntries(
      artifactsBelow(open.artifacts).map(({ name, key }) => [`${name}/${key.slice(0, 12)}`, key]),
    ),
    ...enginesOf(open),
    steps: { planned: steps, exact: planned.every(({ exact }) => exact), computed },
  }
}

export function writeConfig(folder: string, experiment: Experiment): void {
  const { resolved, only } = experiment
  const note = only ? `# run with --only ${only.join(',')}\n` : ''
  writeWhole(join(folder, CONFIG), `${note}${stringify(resolved)}`)
}

/** Writes the config again after a change without effect on results, and certifies it. */
export function replaceConfig(folder: string, { experiment }: OpenExperiment): void {
  const manifest = readManifest(folder)
  writeConfig(folder, experiment)
  const config = sha256(readFileSync(experiment.file))
  writeWhole(
    join(folder, 'manifest.json'),
    sealed({
      ...manifest,
      config,
      folder: dirname(experiment.file),
      experiment: sha256File(join(folder, CONFIG)),
    }),
  )
}

function enginesOf({ trials, store }: OpenExperiment): Pick<Manifest, 'engines'> {
  const engines: Record<string, string[]> = {}
  for (const trial of trials) {
    const holders = artifactsOf([trial]).map(store.holder)
    for (const holder of new Set(holders))
      if (holder !== undefined) engines[holder] = [...(engines[holder] ?? []), trial.name]
  }
  return Object.keys(engines).length > 0 ? { engines } : {}
}

/** Paths are relative to `config`. */
export function writeTrials(folder: string, compiled: readonly CompiledTrial[], config: string): void {
  const rows = compiled.map((trial) => {
    const {
      id,
      name,
      strategy,
      params,
      filter = null,
      engine = null,
      language,
      before,
      after,
      recipe,
    } = portableTrial(trial, config)
    return {
      id,
      name,
      strategy,
      params: JSON.stringify(params),
      filter: JSON.stringify(filter),
      engine: JSON.stringify(engine),
      language: JSON.stringify(language ? describeChoice(language) : null),
      before: JSON.stringify(before.map(describeChoice)),
      after: JSON.stringify(after.map(describeChoice)),
      recipe,
    }
  })
  const texts = [
    'id',
    'name',
    'strategy',
    'params',
    'filter',
    'engine',
    'language',
    'before',
    'after',
  ] as const
  const columns = columnsOf(rows, { ...byName(texts, () => 'string' as const), recipe: 'int32' })
  writeTable(join(folder, 'trials.parquet'), columns)
}
