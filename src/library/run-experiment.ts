import type { Progress } from '../types.ts'
import { type RanExperiment, runConfig } from './run-config.ts'

export interface RunExperimentOptions {
  /** Threads; one a core by default. */
  readonly workers?: number
  /** The experiment's folder; `experiments/NAME` in the working folder by default. */
  readonly out?: string
  /** Where prepared tables, indexes and answers are kept; `.touchstone` beside the config by default. */
  readonly store?: string
  /** Keys of the config in other values, `KEY=VALUE` each: `['dataset=../mine', 'depth=50']`. */
  readonly set?: readonly string[]
  /** Strategies or trials to keep; all by default. */
  readonly only?: readonly string[]
  /** Stops the run: what was computed is kept, and the same call resumes. */
  readonly signal?: AbortSignal
  readonly progress?: Progress
  /** Told, in words, what may be wrong with the data or the machine; silent by default. */
  readonly notice?: (line: string) => void
}

/**
 * Runs or resumes the experiment of a config, as `touchstone run` does but for the report. Throws a UserError with every
 * mistake of config and data, and the signal's reason where that is aborted.
 */
export async function runExperiment(
  config: string,
  options: RunExperimentOptions = {},
): Promise<RanExperiment> {
  const { only, set = [], signal = new AbortController().signal, ...rest } = options
  const ran = await runConfig({ folder: process.cwd(), env: process.env }, config, {
    ...{ progress: () => {}, notice: () => {}, allowEmpty: false },
    ...rest,
    ...{ set, signal, ...(only && { only: only.join(',') }) },
  })
  if ('stopped' in ran) throw signal.reason
  return ran
}
