import type { Command } from './command.ts'

export interface CommandEntry {
  /** The same line as in the command itself (a test compares): shown without loading the command. */
  readonly summary: string
  // biome-ignore lint/suspicious/noExplicitAny: a command's own types are checked where it is defined; here only its name counts.
  load(): Promise<Command<any, any>>
}

/** Every command, in the order help shows. A command is one file in commands/ and one entry here. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'a starter config and dataset that run as they are',
    load: async () => (await import('./commands/init.ts')).init,
  },
  check: {
    summary: 'every mistake in a config and its data, with file, line, column',
    load: async () => (await import('./commands/check.ts')).check,
  },
  list: {
    summary: 'what there is to choose from, with params and defaults',
    load: async () => (await import('./commands/list.ts')).list,
  },
  prepare: {
    summary: 'chunk, embed and index a corpus; kept by content, so only what changed is built again',
    load: async () => (await import('./commands/prepare.ts')).prepare,
  },
  plan: {
    summary:
      'what a run would compute: trials, distinct steps, texts to embed; makes chunks and graphs to count them',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  run: {
    summary: 'run or resume an experiment; prints the leaderboard and where the report is',
    load: async () => (await import('./commands/run.ts')).run,
  },
  'run-shard': {
    summary: 'run one shard of a planned experiment: what executors on other machines call',
    load: async () => (await import('./commands/run-shard.ts')).runShard,
  },
  leaderboard: {
    summary: 'the table of a finished experiment again',
    load: async () => (await import('./commands/leaderboard.ts')).leaderboard,
  },
  report: {
    summary: 'one HTML file of a finished experiment, readable offline',
    load: async () => (await import('./commands/report.ts')).report,
  },
  route: {
    summary: 'which arm a router chooses for a question, and which rule fired',
    load: async () => (await import('./commands/route.ts')).route,
  },
  ask: {
    summary: 'one question to one trial, with its steps, timings and sources',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  score: {
    summary: "measures of runs against judgements: trec_eval's job, bit for bit",
    load: async () => (await import('./commands/score.ts')).score,
  },
  compare: {
    summary: 'paired statistics of runs against a baseline, or of every two, with a verdict in words',
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  import: {
    summary: 'a data set of any format as a BEIR folder, which reads back as the same data set',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  export: {
    summary: 'a run, judgements or a data set in another format; a trial as a run',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  clean: {
    summary: 'remove from a store what no experiment that you name was made from',
    load: async () => (await import('./commands/clean.ts')).clean,
  },
}
