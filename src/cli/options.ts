import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { integer, list, text } from './command.ts'

export const STORE = text(
  'DIR',
  'folder of prepared tables and indexes (default: .touchstone next to the config)',
  { output: true },
)

export const ONLY = text(
  'NAMES',
  'strategies or trials of the config to keep, such as --only naive,title-ppr',
)

export const LIMIT = integer(
  'N',
  'a sample of N queries of each dataset, by category: a separate experiment, marked as a sample everywhere',
  { min: 1 },
)

export const SET = list(
  'KEY=VALUE',
  'override a config key with a YAML value, such as --set depth=50; may be repeated',
)

export const CONFIG_NAME = 'touchstone.yaml'

export const CONFIG = {
  value: 'CONFIG',
  summary: `YAML file, or a folder with a ${CONFIG_NAME} (default: the working folder)`,
  optional: true,
} as const

/** True if `path` is a folder with a config. */
export function hasConfig(path: string): boolean {
  return existsSync(join(path, CONFIG_NAME))
}

/** Config that an argument means, relative as the argument. Throws a UserError for a folder without one. */
export function configFile(folder: string, argument: string | undefined): string {
  if (argument === undefined) {
    if (hasConfig(folder)) return CONFIG_NAME
    throw new UserError(
      `there is no ${CONFIG_NAME} in this folder; name a config, or write one by \`touchstone init\``,
    )
  }
  const path = resolve(folder, argument)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return argument
  if (hasConfig(path)) return join(argument, CONFIG_NAME)
  throw new UserError(`is a folder without a ${CONFIG_NAME}; name a config`, argument)
}
