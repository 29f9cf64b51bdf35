import { existsSync, readFileSync } from 'node:fs'
import type { Command } from './command.ts'

type Loaders = Readonly<Record<string, () => Promise<{ readonly default: Command }>>>

/** Loaders by name, in groups as help shows them. A command is one file in commands/ and one line here. */
export const COMMAND_GROUPS: Readonly<Record<string, Loaders>> = {
  Start: {
    init: () => import('./commands/init.ts'),
    questions: () => import('./commands/questions.ts'),
    labels: () => import('./commands/labels.ts'),
    check: () => import('./commands/check.ts'),
    list: () => import('./commands/list.ts'),
    plan: () => import('./commands/plan.ts'),
  },
  Run: { prepare: () => import('./commands/prepare.ts'), run: () => import('./commands/run.ts') },
  'Read results': {
    leaderboard: () => import('./commands/leaderboard.ts'),
    report: () => import('./commands/report.ts'),
    recommend: () => import('./commands/recommend.ts'),
    view: () => import('./commands/view.ts'),
    ask: () => import('./commands/ask.ts'),
    inspect: () => import('./commands/inspect.ts'),
  },
  'Compare and check': {
    score: () => import('./commands/score.ts'),
    compare: () => import('./commands/compare.ts'),
    test: () => import('./commands/test.ts'),
    gate: () => import('./commands/gate.ts'),
  },
  'Files and stores': {
    import: () => import('./commands/import.ts'),
    export: () => import('./commands/export.ts'),
    clean: () => import('./commands/clean.ts'),
  },
}

export const COMMANDS: Loaders = Object.assign({}, ...Object.values(COMMAND_GROUPS))

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).default))
}

/** All that help says of a command. */
export type CommandWords = Omit<Command, 'run'>

/** The build writes them to help.json, so that help loads no command. */
export async function commandWords(): Promise<readonly CommandWords[]> {
  const file = new URL('help.json', import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : loadCommands()
}
