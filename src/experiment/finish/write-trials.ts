import { join } from 'node:path'
import { writeTable } from '../../tables/parquet.ts'
import { type CompiledTrial, describeChoice } from '../plan/compile.ts'
import { portableTrial } from '../plan/portable.ts'

/** Writes `trials.parquet`: the compared trials. Paths are relative to `config`. */
export function writeTrials(folder: string, compiled: readonly CompiledTrial[], config: string): void {
  const trials = compiled.map((trial) => portableTrial(trial, config))
  const json = (make: (trial: CompiledTrial) => unknown) => trials.map((trial) => JSON.stringify(make(trial)))
  writeTable(join(folder, 'trials.parquet'), [
    { name: 'id', type: 'string', values: trials.map(({ id }) => id) },
    { name: 'name', type: 'string', values: trials.map(({ name }) => name) },
    { name: 'strategy', type: 'string', values: trials.map(({ strategy }) => strategy) },
    { name: 'params', type: 'string', values: json(({ params }) => params) },
    { name: 'filter', type: 'string', values: json(({ filter = null }) => filter) },
    { name: 'before', type: 'string', values: json(({ before }) => before.map(describeChoice)) },
    { name: 'after', type: 'string', values: json(({ after }) => after.map(describeChoice)) },
    { name: 'recipe', type: 'int32', values: Int32Array.from(trials, ({ recipe }) => recipe) },
  ])
}
