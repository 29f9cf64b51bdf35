import type { Io } from './io.ts'

/**
 * Command as data: arguments, options, examples and a function. Help, parsing and messages are generated from the data, so
 * that all commands look and fail alike. `--json` and `--help` exist on every command. Name and summary are in commands.ts.
 */
export interface CommandDefinition<A extends Arguments = Arguments, O extends Options = Options> {
  readonly args: A
  readonly options: O
  /** Complete command lines that work, such as `touchstone check configs/quickstart.yaml`. */
  readonly examples: readonly string[]
  /** Set if the first Ctrl-C asks the command to stop (by `signal`) instead of ending it: the message about finished work. */
  readonly interrupted?: string
  /** Resolves to the exit code; undefined means 0. Errors of the user are thrown as a UserError. */
  run(input: CommandInput<A, O>): Promise<number | undefined> | Promise<void>
}

export interface Command extends CommandDefinition {
  readonly name: string
  readonly summary: string
}

export interface CommandInput<A extends Arguments, O extends Options> {
  readonly args: { readonly [K in keyof A]: ArgumentValue<A[K]> }
  readonly options: { readonly [K in keyof O]: OptionValue<O[K]> } & { readonly json: boolean }
  readonly io: Io
  /** Aborted at the first Ctrl-C if the command has an `interrupted` line; otherwise never. */
  readonly signal: AbortSignal
  /** Declares that the work is done: from now on the first Ctrl-C ends the command. */
  readonly done: () => void
}

/** Positional arguments by name, in order. Help shows `value`, such as CONFIG. Only the last may be optional or repeat. */
export type Arguments = Readonly<Record<string, Argument>>
export interface Argument {
  readonly value: string
  readonly summary: string
  /** May be omitted; then undefined. */
  readonly optional?: true
  /** Accepts one or more values as a list. */
  readonly many?: true
  /** Set if the value is a path that the command writes to. */
  readonly output?: true
  /** Accepted values; help lists them after the summary. */
  readonly choices?: readonly string[]
}

/** Options by name in camel case: `presentOnly` is `--present-only` on the command line. */
export type Options = Readonly<Record<string, Option>>
export type Option = FlagOption | TextOption | NumberOption | ListOption
interface OptionParts {
  readonly summary: string
  /** One letter, such as `o` for `-o`. */
  readonly short?: string
}
interface FlagOption extends OptionParts {
  readonly kind: 'flag'
}
interface TextOption extends OptionParts {
  readonly kind: 'text'
  readonly value: string
  /** Set if the value is a path that the command writes to. A test tries every such option on files of others. */
  readonly output?: true
  /** Accepted values. */
  readonly choices?: readonly string[]
  readonly default?: string
}
interface NumberOption extends OptionParts {
  readonly kind: 'integer' | 'number'
  readonly value: string
  readonly min?: number
  readonly max?: number
  readonly default?: number
}
/** May be given several times; values in order. */
interface ListOption extends OptionParts {
  readonly kind: 'list'
  readonly value: string
}

type ArgumentValue<A extends Argument> = A extends { many: true }
  ? readonly OneValue<A>[]
  : A extends { optional: true }
    ? OneValue<A> | undefined
    : OneValue<A>
type OneValue<A extends Argument> = A extends { choices: readonly (infer C)[] } ? C : string

type OptionValue<O extends Option> = O extends FlagOption
  ? boolean
  : O extends ListOption
    ? readonly string[]
    : O extends { default: infer D }
      ? D extends number
        ? number
        : string
      : O extends NumberOption
        ? number | undefined
        : string | undefined

/** Gives a command's definition its types. */
export function defineCommand<const A extends Arguments, const O extends Options>(
  command: CommandDefinition<A, O>,
): CommandDefinition<A, O> {
  return command
}

/** `--store`, shared by every command that reads or builds artifacts. */
export const STORE = {
  kind: 'text',
  value: 'DIR',
  output: true,
  summary: 'folder of prepared tables and indexes (default: .touchstone next to the config)',
} as const

/** `--only`, shared by every command that reads trials. */
export const ONLY = {
  kind: 'text',
  value: 'NAMES',
  summary: 'strategies or trials of the config to keep, such as --only naive,title-ppr',
} as const

/** `--allow-empty`, shared by every command that reads a dataset. */
export const ALLOW_EMPTY = {
  kind: 'flag',
  summary: 'leave out documents with neither text nor title, and count them',
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

/** `--json`, accepted by every command. */
export const JSON_OUTPUT = {
  kind: 'flag',
  summary: 'print one JSON value on stdout, messages on stderr',
} as const satisfies Option
export const HELP = { kind: 'flag', short: 'h', summary: 'show this help' } as const satisfies Option

/** Name of an option on the command line: `presentOnly` is `--present-only`. */
export function optionName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
