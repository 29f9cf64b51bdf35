import type { Command, CommandDefinition } from './command.ts'

interface CommandEntry {
  readonly summary: string
  // biome-ignore lint/suspicious/noExplicitAny: each definition checks its own types; here only its name counts.
  load(): Promise<CommandDefinition<any, any>>
}

/**
 * Every command with its summary, in groups as help shows them. A command is one file in commands/ and one entry here. A
 * summary is one line in lower case, without a full stop; help prints it without loading the command.
 */
export const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Start: {
    init: {
      summary: 'write a starter config, with a small dataset or for your own files',
      load: async () => (await import('./commands/init.ts')).init,
    },
    questions: {
      summary: 'draft questions about documents, by rules or with a model; each is marked as synthetic',
      load: async () => (await import('./commands/questions.ts')).questions,
    },
    labels: {
      summary: 'review drafted questions and label pooled passages: set up, agreement, import, export',
      load: async () => (await import('./commands/labels.ts')).labels,
    },
    check: {
      summary: 'report every error in a config and its data, with file, line and column',
      load: async () => (await import('./commands/check.ts')).check,
    },
    list: {
      summary: 'list the choices of a config, with params and defaults',
      load: async () => (await import('./commands/list.ts')).list,
    },
    plan: {
      summary:
        'estimate a run: trials, distinct steps, texts to embed with their time, model calls with tokens and dollars; builds chunks, graphs and term counts for that',
      load: async () => (await import('./commands/plan.ts')).plan,
    },
  },
  Run: {
    prepare: {
      summary: 'chunk, embed and index a corpus; builds only what changed',
      load: async () => (await import('./commands/prepare.ts')).prepare,
    },
    run: {
      summary: 'run or resume an experiment; prints the leaderboard and the path of the report',
      load: async () => (await import('./commands/run.ts')).run,
    },
  },
  'Read results': {
    leaderboard: {
      summary: 'print the leaderboard of a finished experiment',
      load: async () => (await import('./commands/leaderboard.ts')).leaderboard,
    },
    report: {
      summary: 'write the report of a finished experiment: one HTML file, readable offline',
      load: async () => (await import('./commands/report.ts')).report,
    },
    recommend: {
      summary: 'recommend a strategy within limits of time and cost, with the reason and the runner-up',
      load: async () => (await import('./commands/recommend.ts')).recommendCommand,
    },
    view: {
      summary: 'show all experiments of a folder in the browser, also running ones, and compare them',
      load: async () => (await import('./commands/view.ts')).view,
    },
    ask: {
      summary: 'answer a question with one trial; shows sources, and timings of the steps',
      load: async () => (await import('./commands/ask.ts')).ask,
    },
    inspect: {
      summary: 'describe the graphs of a config: shape, largest entities, gold within reach of the queries',
      load: async () => (await import('./commands/inspect.ts')).inspect,
    },
  },
  'Compare and check': {
    score: {
      summary: 'score runs against qrels; equals trec_eval bit for bit',
      load: async () => (await import('./commands/score.ts')).score,
    },
    compare: {
      summary: 'compare runs with a baseline, or every pair of runs, by paired tests',
      load: async () => (await import('./commands/compare.ts')).compare,
    },
    diff: {
      summary:
        'compare two finished experiments, or two rows of one: config, data, measures, flipped queries',
      load: async () => (await import('./commands/diff.ts')).diff,
    },
    test: {
      summary: 'run retrieval tests: required chunks by question; exit 3 if a test fails',
      load: async () => (await import('./commands/test.ts')).test,
    },
    gate: {
      summary: 'fail if an experiment lost more of a measure than allowed; exit 3',
      load: async () => (await import('./commands/gate.ts')).gate,
    },
    verify: {
      summary: 'compare the scores of an experiment with a file of expected scores; exit 3 if they differ',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
  },
  'Files and stores': {
    import: {
      summary: 'write a dataset of any format as a BEIR folder, and verify that it reads back equal',
      load: async () => (await import('./commands/import.ts')).importCommand,
    },
    models: {
      summary:
        'download a model from the Hugging Face hub, once, and print the line that names it in a config',
      load: async () => (await import('./commands/models.ts')).models,
    },
    export: {
      summary: 'write a run, qrels or a dataset in another format, or a trial as a run',
      load: async () => (await import('./commands/export.ts')).exportCommand,
    },
    recording: {
      summary: 'count, verify, export or prune the stored completions of language models',
      load: async () => (await import('./commands/recording.ts')).recording,
    },
    clean: {
      summary: 'remove everything from a store that the experiments you list do not use',
      load: async () => (await import('./commands/clean.ts')).clean,
    },
  },
}

/** Entries by name, over all groups. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = Object.assign(
  {},
  ...Object.values(COMMAND_GROUPS),
)

/** Loads a command that `COMMANDS` has. */
export async function loadCommand(name: string): Promise<Command> {
  const { summary, load } = COMMANDS[name]
  return { ...(await load()), name, summary }
}

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.keys(COMMANDS).map(loadCommand))
}
