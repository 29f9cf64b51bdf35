import type { Io } from './io.ts'

/**
 * Command as data: arguments, options, examples and a function. Help, parsing and messages are generated from the data, so
 * that all commands look and fail alike. `--json` and `--help` exist on every command.
 */
export interface CommandDefinition<A extends Arguments, O extends Options> {
  readonly name: string
  /** One line in lower case, without a full stop. */
  readonly summary: string
  readonly args: A
  readonly options: O
  /** Complete command lines that work, such as `touchstone check configs/quickstart.yaml`. */
  readonly examples: readonly string[]
  /** Set if the first Ctrl-C asks the command to stop (by `signal`) instead of ending it: the message about finished work. */
  readonly interrupted?: string
  /** Resolves to the exit code; undefined means 0. Errors of the user are thrown as a UserError. */
  run(input: CommandInput<A, O>): Promise<number | undefined> | Promise<void>
}

export interface Command extends Omit<CommandDefinition<Arguments, Options>, 'run'> {
  // biome-ignore lint/suspicious/noExplicitAny: each definition checks its own types.
  run(input: CommandInput<any, any>): Promise<number | undefined> | Promise<void>
}

export interface CommandInput<A extends Arguments, O extends Options> {
  readonly args: { readonly [K in keyof A]: ArgumentValue<A[K]> }
  readonly options: { readonly [K in keyof O]: OptionValue<O[K]> } & { readonly json: boolean }
  readonly io: Io
  /** Aborted at the first Ctrl-C if the command has an `interrupted` line; otherwise never. */
  readonly signal: AbortSignal
}

/** In order. Help shows `value`, such as CONFIG. Only the last may be optional or repeat. */
export type Arguments = Readonly<Record<string, Argument>>
export interface Argument {
  readonly value: string
  readonly summary: string
  /** May be omitted; then undefined. */
  readonly optional?: true
  /** Accepts one or more values as a list. */
  readonly many?: true
  /** A path that the command writes to. */
  readonly output?: true
  /** Accepted values; help lists them after the summary. */
  readonly choices?: readonly string[]
}

type ArgumentValue<A extends Argument> = A extends { many: true }
  ? readonly OneValue<A>[]
  : A extends { optional: true }
    ? OneValue<A> | undefined
    : OneValue<A>
type OneValue<A extends Argument> = A extends { choices: readonly (infer C)[] } ? C : string

/** Names are in camel case. */
export type Options = Readonly<Record<string, Option>>

/** Option whose parsed value is a `T`. */
export interface Option<T = unknown> {
  /** `list`: may be given several times; values in order. */
  readonly kind: 'flag' | 'text' | 'list' | 'integer' | 'number'
  readonly summary: string
  /** Name of the value in help, such as FILE. */
  readonly value?: string
  /** One letter, such as `o` for `-o`. */
  readonly short?: string | undefined
  /** A path that the command writes to. A test tries every such option on files of others. */
  readonly output?: true
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly default?: string | number | undefined
  /** Type of the value; never set. */
  readonly parsed?: () => T
}

type OptionValue<O extends Option> = O extends Option<infer T> ? T : never

export function flag(summary: string, short?: string): Option<boolean> {
  return { kind: 'flag', short, summary }
}

export function list(value: string, summary: string, short?: string): Option<readonly string[]> {
  return { kind: 'list', short, value, summary }
}

interface TextRules<D> extends Pick<Option, 'short' | 'output'> {
  readonly default?: D
}

export function text<D extends string | undefined = undefined>(
  value: string,
  summary: string,
  rules: TextRules<D> = {},
): Option<string | D> {
  return { kind: 'text', value, summary, ...rules }
}

/** Text that is one of `choices`. */
export function choice<C extends string, D extends C | undefined = undefined>(
  value: string,
  choices: readonly C[],
  summary: string,
  rules: TextRules<D> = {},
): Option<C | D> {
  return { kind: 'text', value, summary, choices, ...rules }
}

/** `-o`: a path that the command writes to. */
export function output(value: string, summary: string): Option<string | undefined> {
  return text(value, summary, { short: 'o', output: true })
}

interface NumberRules<D> extends Pick<Option, 'short' | 'min' | 'max'> {
  readonly default?: D
}

export function integer<D extends number | undefined = undefined>(
  value: string,
  summary: string,
  rules: NumberRules<D> = {},
): Option<number | D> {
  return { kind: 'integer', value, summary, ...rules }
}

export function number<D extends number | undefined = undefined>(
  value: string,
  summary: string,
  rules: NumberRules<D> = {},
): Option<number | D> {
  return { kind: 'number', value, summary, ...rules }
}

/** Gives a command's definition its types. */
export function defineCommand<const A extends Arguments, const O extends Options>(
  command: CommandDefinition<A, O>,
): CommandDefinition<A, O> {
  return command
}

/** Name of an option on the command line: `presentOnly` is `--present-only`. */
export function optionName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
