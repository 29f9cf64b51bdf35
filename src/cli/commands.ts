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
    summary: 'write a starter config, over a small dataset or files of your own',
    load: async () => (await import('./commands/init.ts')).init,
  },
  check: {
    summary: 'report every mistake in a config and its data, with file, line, column',
    load: async () => (await import('./commands/check.ts')).check,
  },
  list: {
    summary: 'list what a config can choose from, with params and defaults',
    load: async () => (await import('./commands/list.ts')).list,
  },
  prepare: {
    summary: 'chunk, embed and index a corpus; builds only what changed',
    load: async () => (await import('./commands/prepare.ts')).prepare,
  },
  plan: {
    summary:
      'show what a run would compute and ask: trials, distinct steps, texts to embed, bounds of tokens and dollars; builds chunks, graphs and term counts for that',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  run: {
    summary: 'run or resume an experiment; prints the leaderboard and the path of the report',
    load: async () => (await import('./commands/run.ts')).run,
  },
  'run-shard': {
    summary: 'run shards of a planned experiment, for executors on other machines',
    load: async () => (await import('./commands/run-shard.ts')).runShard,
  },
  leaderboard: {
    summary: 'print the leaderboard of a finished experiment',
    load: async () => (await import('./commands/leaderboard.ts')).leaderboard,
  },
  'expand-gold': {
    summary: 'show what the finalists would score if chunks near the gold in a graph counted too',
    load: async () => (await import('./commands/expand-gold.ts')).expandGoldCommand,
  },
  report: {
    summary: 'write the report of a finished experiment: one HTML file, readable offline',
    load: async () => (await import('./commands/report.ts')).report,
  },
  route: {
    summary: 'show which arm a router chooses for a question, and by which rule',
    load: async () => (await import('./commands/route.ts')).route,
  },
  ask: {
    summary: 'ask one trial one question; shows its steps, timings and sources',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  test: {
    summary: 'run retrieval tests: what must be found for which question; exit 3 where one fails',
    load: async () => (await import('./commands/test.ts')).test,
  },
  score: {
    summary: 'score runs against judgements; equals trec_eval bit for bit',
    load: async () => (await import('./commands/score.ts')).score,
  },
  compare: {
    summary: 'compare runs with a baseline, or every pair of runs, by paired statistics',
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  diff: {
    summary: 'compare two finished experiments, or two rows of one: config, data, measures, flipped queries',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  gate: {
    summary: 'fail where an experiment has lost more of a measure than allowed; exit 3',
    load: async () => (await import('./commands/gate.ts')).gate,
  },
  verify: {
    summary: 'compare the scores of an experiment with a file of expected ones; exit 3 where they differ',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  import: {
    summary: 'write a data set of any format as a BEIR folder, and check that it reads back equal',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  export: {
    summary: 'write a run, judgements or a data set in another format, or a trial as a run',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  keywords: {
    summary: "the corpus's keywords, as its headings write them: what `normalize-keywords` knows",
    load: async () => (await import('./commands/keywords.ts')).keywords,
  },
  cache: {
    summary:
      'what a cache of answers would spare on a log of questions: hit rate by size and age; caches nothing',
    load: async () => (await import('./commands/cache.ts')).cache,
  },
  recording: {
    summary: 'count, verify, export or prune the stored completions of language models',
    load: async () => (await import('./commands/recording.ts')).recording,
  },
  clean: {
    summary: 'remove from a store what the experiments that you name do not use',
    load: async () => (await import('./commands/clean.ts')).clean,
  },
  completion: {
    summary: 'print a script that completes commands and options in your shell',
    load: async () => (await import('./commands/completion.ts')).completionOf(loadCommands),
  },
}

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map(({ load }) => load()))
}
