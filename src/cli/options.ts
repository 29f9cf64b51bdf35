import type { Option } from './command.ts'

/** Options of several commands. */

/** `--store`, shared by every command that reads or builds artifacts. */
export const STORE = {
  kind: 'text',
  value: 'DIR',
  output: true,
  summary: 'folder of prepared tables and indexes (default: .touchstone next to the config)',
} as const satisfies Option

/** `--only`, shared by every command that reads trials. */
export const ONLY = {
  kind: 'text',
  value: 'NAMES',
  summary: 'strategies or trials of the config to keep, such as --only naive,title-ppr',
} as const satisfies Option

/** `--limit`, shared by commands that run queries. */
export const LIMIT = {
  kind: 'integer',
  value: 'N',
  min: 1,
  summary:
    'a sample of N queries of each dataset, by category: a separate experiment, marked as a sample everywhere',
} as const satisfies Option

/** `--set`, shared by every command that reads a config. */
export const SET = {
  kind: 'list',
  value: 'KEY=VALUE',
  summary: 'override a config key with a YAML value, such as --set depth=50; may be repeated',
} as const satisfies Option
