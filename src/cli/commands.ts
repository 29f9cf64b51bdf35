import { existsSync, readFileSync } from 'node:fs'
import type { Command } from './command.ts'

/** Loaders of the commands by name, in groups as help shows them. A command is one file in commands/ and one line here. */
export const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<Command>>>>> = {
  Start: {
    init: async () => (await import('./commands/init.ts')).init,
    questions: async () => (await import('./commands/questions.ts')).questions,
    labels: async () => (await import('./commands/labels.ts')).labels,
    check: async () => (await import('./commands/check.ts')).check,
    list: async () => (await import('./commands/list.ts')).list,
    plan: async () => (await import('./commands/plan.ts')).plan,
  },
  Run: {
    prepare: async () => (await import('./commands/prepare.ts')).prepare,
    run: async () => (await import('./commands/run.ts')).run,
  },
  'Read results': {
    leaderboard: async () => (await import('./commands/leaderboard.ts')).leaderboard,
    report: async () => (await import('./commands/report.ts')).report,
    recommend: async () => (await import('./commands/recommend.ts')).recommendCommand,
    view: async () => (await import('./commands/view.ts')).view,
    ask: async () => (await import('./commands/ask.ts')).ask,
    inspect: async () => (await import('./commands/inspect.ts')).inspect,
  },
  'Compare and check': {
    score: async () => (await import('./commands/score.ts')).score,
    compare: async () => (await import('./commands/compare.ts')).compare,
    test: async () => (await import('./commands/test.ts')).test,
    gate: async () => (await import('./commands/gate.ts')).gate,
  },
  'Files and stores': {
    import: async () => (await import('./commands/import.ts')).importCommand,
    export: async () => (await import('./commands/export.ts')).exportCommand,
    clean: async () => (await import('./commands/clean.ts')).clean,
  },
}

/** Loaders by name, over all groups. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = Object.assign(
  {},
  ...Object.values(COMMAND_GROUPS),
)

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()))
}

/** All that help says of a command. */
export type CommandWords = Omit<Command, 'run'>

/** Words of all commands. The build writes them to help.json, so that help loads no command. */
export async function commandWords(): Promise<readonly CommandWords[]> {
  const file = new URL('help.json', import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : loadCommands()
}
