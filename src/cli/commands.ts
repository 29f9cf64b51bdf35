import type { Command } from './command.ts'

export interface CommandEntry {
  /** The same line as in the command itself (a test compares): shown without loading the command. */
  readonly summary: string
  // biome-ignore lint/suspicious/noExplicitAny: a command's own types are checked where it is defined; here only its name counts.
  load(): Promise<Command<any, any>>
}

/** Every command, in the order help shows. A command is one file and one line here. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {}
