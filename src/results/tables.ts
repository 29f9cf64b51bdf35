import { ANSWER_MEASURES } from '../answer/measures/index.ts'

/**
 * The Parquet files of an experiment folder, as docs/reference/result-format.md shows them. A test compares them with the
 * files of a run.
 */
export interface ResultTable {
  readonly file: string
  /** What a row is, and in which order. */
  readonly rows: string
  readonly columns: readonly ResultColumn[]
  /** Has one column more for each measure of the config, a `number`. */
  readonly measures?: true
  /** The same for each judge of answers. */
  readonly judges?: true
}

export interface ResultColumn {
  readonly name: string
  readonly type: ColumnType
  readonly is: string
}

/** Types by what Parquet calls them. */
export const COLUMN_TYPES = {
  int32: 'INT32',
  number: 'DOUBLE',
  text: 'BYTE_ARRAY',
  boolean: 'BOOLEAN',
} as const
export type ColumnType = keyof typeof COLUMN_TYPES

const column = (name: string, type: ColumnType, is: string): ResultColumn => ({ name, type, is })
const TRIAL = column('trial', 'int32', 'row number in `trials.parquet`, from 0')
const QUERY = column('query', 'int32', 'row number in `queries.parquet`, from 0')
const JUDGED = column('judged', 'text', 'what is judged: the id of a document, a chunk or a span')
const GRADE = column('grade', 'int32', 'the grade of the judgement; 1 or more is relevant')

export const RESULT_TABLES: readonly ResultTable[] = [
  {
    file: 'queries.parquet',
    rows: 'a query, by id',
    columns: [
      column('id', 'text', "the data set's own"),
      column('text', 'text', 'the question'),
      column('category', 'text', 'empty where it has none'),
      column('answers', 'text', 'a JSON list of texts'),
      column('answerable', 'boolean', 'false: nothing can be found, and no measure counts it'),
      column('metadata', 'text', 'a JSON object'),
      column('cluster', 'int32', 'number of its cluster; only with `compare.cluster`'),
    ],
  },
  {
    file: 'labels.parquet',
    rows: 'a judgement, by query',
    columns: [
      QUERY,
      JUDGED,
      GRADE,
      column('group', 'int32', 'judgements of a query with the same group are alternatives; -1: no groups'),
    ],
  },
  {
    file: 'trials.parquet',
    rows: "a trial, in the config's order",
    columns: [
      column('id', 'text', 'a hash of all that decides its rankings'),
      column('name', 'text', 'as the leaderboard shows it'),
      column('strategy', 'text', 'its name in a config'),
      column('params', 'text', 'a JSON object, defaults filled in'),
      column('filter', 'text', 'JSON: which chunks its searches see; `null`: all'),
      column('before', 'text', 'a JSON list: transforms of the query'),
      column('after', 'text', 'a JSON list: transforms of the ranking'),
      column('recipe', 'int32', 'number of the prepared variant, as in `indexes` of `summary.json`'),
    ],
  },
  {
    file: 'scores.parquet',
    rows: 'a trial and a query that any measure counts, in that order',
    measures: true,
    columns: [TRIAL, QUERY],
  },
  {
    file: 'gold.parquet',
    rows: 'a trial and a judgement, in that order',
    columns: [
      TRIAL,
      QUERY,
      JUDGED,
      GRADE,
      column('rank', 'int32', 'from 1, after chunks are collapsed to what is judged; 0: not within depth'),
      column('score', 'number', "the ranking's score there"),
      column(
        'stage',
        'text',
        '`found`, or the stage that lost it; `not run` where a race had stopped the trial',
      ),
    ],
  },
  {
    file: 'rankings.parquet',
    rows: 'a finalist, a query and one of its first 20 ranks',
    columns: [
      TRIAL,
      QUERY,
      column('rank', 'int32', 'from 1, chunks not collapsed'),
      column('chunk', 'text', 'its id'),
      JUDGED,
      column('score', 'number', 'best first'),
      column('mark', 'text', 'what a step said of the chunk; mostly empty'),
    ],
  },
  {
    file: 'texts.parquet',
    rows: 'a chunk that `rankings.parquet` names or that holds gold, by id',
    columns: [
      column('chunk', 'text', 'its id'),
      JUDGED,
      column('title', 'text', 'the title, or the headings above it'),
      column('text', 'text', 'what it holds'),
      column('tokens', 'int32', 'of the text'),
    ],
  },
  {
    file: 'curves.parquet',
    rows: "a step of a finalist's curve of recall by tokens, ascending",
    columns: [
      TRIAL,
      column('evidence', 'text', 'whether evidence stands `beside` the budget or is paid from it `first`'),
      column('tokens', 'int32', 'a budget a query'),
      column('recall', 'number', 'mean recall from this budget to the next step'),
    ],
  },
  {
    file: 'diagnostics.parquet',
    rows: 'a finalist, a query and something that its steps counted or said of it',
    columns: [
      TRIAL,
      QUERY,
      column('name', 'text', "a step's counter or note, `retrieved`, or `gold: <searches that found it>`"),
      column('value', 'number', 'NaN for a note'),
      column('text', 'text', 'null for a number'),
    ],
  },
  {
    file: 'repeats.parquet',
    rows: 'a stochastic trial, a repeat and a query; written only where there are such',
    measures: true,
    columns: [TRIAL, column('repeat', 'int32', 'from 0'), QUERY],
  },
  {
    file: 'answers.parquet',
    judges: true,
    rows: 'an answerer, a trial and a query; written only where `answer` stands',
    columns: [
      column('trial', 'int32', 'row number in `trials.parquet`, from 0; -1: nothing retrieved was read'),
      column('answerer', 'text', 'its name, with what varies'),
      QUERY,
      column('answer', 'text', 'as it was written, with citations'),
      column('refused', 'boolean', 'whether it says that there is no answer'),
      column('suggestion', 'text', 'the question that a refusal suggests; empty where it suggests none'),
      column('cited', 'text', 'numbers of the passages that it cites, from 1, with spaces between'),
      column('sent', 'int32', 'tokens of the context'),
      column('model_calls', 'int32', 'calls of language models'),
      column('input_tokens', 'int32', 'that they read'),
      column('output_tokens', 'int32', 'that they wrote'),
      column('tokens_estimated', 'boolean', 'true if a server counted no tokens, so that they are estimated'),
      column('cut', 'int32', 'calls that were cut at `maxTokens`'),
      column('failure', 'text', 'why there is no answer; empty where there is one'),
      ...ANSWER_MEASURES.map(({ name, summary }) =>
        column(name, 'number', `${summary}; NaN: does not count`),
      ),
    ],
  },
]

/** What stands beside the tables. */
export const RESULT_FILES_BESIDE: readonly (readonly [file: string, is: string])[] = [
  ['summary.json', 'what leaderboard and report open first: means, intervals, comparison, funnel'],
  [
    'manifest.json',
    'how the result was made: hashes of its files, of config and data, steps computed, the machine and the processor',
  ],
  ['experiment.yaml', 'the config, with what `--set` changed'],
  ['plan.json', 'what workers need: trials, recipes, shards'],
  ['answers.jsonl', 'where a trial asked a language model: its answers, which replay'],
  ['parts/', 'a Parquet file a shard, named by its hash: what a run resumes from'],
  ['timings/', 'milliseconds of steps (`steps.json`) and of queries (`latency.json`); no part of the result'],
]
