import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { loadConfig } from '../config/load.ts'
import type { Processes } from '../experiment/lock.ts'
import { keepOnly } from '../experiment/only.ts'
import { type OpenExperiment, openExperiment } from '../experiment/open.ts'
import type { Io } from './io.ts'

/** `--store`, the same for every command that reads or builds artifacts. */
export const STORE = {
  kind: 'text',
  value: 'DIR',
  summary: 'where prepared tables and indexes are kept (default: .touchstone beside the config)',
} as const

/** `--only`, the same for every command that reads trials. */
export const ONLY = {
  kind: 'text',
  value: 'NAMES',
  summary: 'keep these strategies or trials of the config, as --only naive,title-ppr',
} as const

/** Loads a config and its data, through all doors. */
export async function openConfig(
  io: Io,
  config: string,
  { set, store, only }: { readonly set: readonly string[]; readonly store?: string; readonly only?: string },
): Promise<OpenExperiment> {
  const file = resolve(io.folder, config)
  const whole = await loadConfig(file, { set, env: io.env, folder: io.folder })
  const experiment = only === undefined ? whole : keepOnly(whole, only.split(','))
  return openExperiment(experiment, store ? resolve(io.folder, store) : join(dirname(file), '.touchstone'))
}

export const processes: Processes = {
  pid: process.pid,
  isAlive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // It lives, but belongs to somebody else.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
}

/** What the manifest says of the machine; never part of a result's hash. */
export function describeMachine(): Record<string, string> {
  const [cpu] = cpus()
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: `${cpu?.model ?? 'unknown'} x ${cpus().length}`,
  }
}
