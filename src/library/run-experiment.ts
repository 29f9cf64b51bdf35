import type { Progress } from '../types.ts'
import { type RanExperiment, runConfig } from './run-config.ts'

export interface RunExperimentOptions {
  /** Number of threads; one per core by default. */
  readonly workers?: number
  /** Folder of the experiment; `experiments/NAME` in the working folder by default. */
  readonly out?: string
  /** Folder of prepared tables, indexes and completions; `.touchstone` in the config's folder by default. */
  readonly store?: string
  /** Config keys with other values, `KEY=VALUE` each: `['dataset=../mine', 'depth=50']`. */
  readonly set?: readonly string[]
  /** Runs a sample of this many queries of each dataset, as an experiment of its own. */
  readonly limit?: number
  /** Strategies or trials to keep; all by default. */
  readonly only?: readonly string[]
  /** Stops the run: results so far stay on the disk, and the same call resumes. */
  readonly signal?: AbortSignal
  readonly progress?: Progress
  /** Receives warnings about data and machine, as text; silent by default. */
  readonly notice?: (line: string) => void
}

/**
 * Runs or resumes the experiment of a config, as `touchstone run` does, without the report. Throws a UserError with every
 * diagnostic of config and data, and the signal's reason if it is aborted.
 */
export async function runExperiment(
  config: string,
  options: RunExperimentOptions = {},
): Promise<RanExperiment> {
  const { only, set = [], signal = new AbortController().signal, ...rest } = options
  const ran = await runConfig({ folder: process.cwd(), env: process.env }, config, {
    progress: () => {},
    notice: () => {},
    ...rest,
    set,
    signal,
    ...(only && { only: only.join(',') }),
  })
  if (!('datasets' in ran)) throw signal.reason
  return ran
}
