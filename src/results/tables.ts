import { ANSWER_MEASURES } from '../answer/measures.ts'

/** A Parquet file of an experiment folder. `npm run docs` prints them; a test compares them with a run. */
export interface ResultTable {
  readonly file: string
  /** Meaning and order of the rows. */
  readonly rows: string
  readonly columns: readonly ResultColumn[]
  /** True for one more `number` column per measure of the config. */
  readonly measures?: true
  /** True for one more `number` column per judge. */
  readonly judges?: true
}

interface ResultColumn {
  readonly name: string
  readonly type: ColumnType
  readonly is: string
}

export const COLUMN_TYPES = {
  int32: 'INT32',
  number: 'DOUBLE',
  text: 'BYTE_ARRAY',
  boolean: 'BOOLEAN',
} as const
type ColumnType = keyof typeof COLUMN_TYPES

const column = (name: string, type: ColumnType, is: string): ResultColumn => ({ name, type, is })
const TRIAL = column('trial', 'int32', 'row number in `trials.parquet`, from 0')
const QUERY = column('query', 'int32', 'row number in `queries.parquet`, from 0')
const JUDGED = column('judged', 'text', 'labelled unit: id of a document, a chunk or a span')
const GRADE = column('grade', 'int32', 'grade of the label; 1 or more is relevant')

/** Key of an answer. */
const ANSWERED = [
  column('trial', 'int32', 'row number in `trials.parquet`, from 0; -1: answered without retrieval'),
  column('answerer', 'text', 'its name, with the params that vary'),
  QUERY,
]

export const RESULT_TABLES: readonly ResultTable[] = [
  {
    file: 'queries.parquet',
    rows: 'a query, by id',
    columns: [
      column('id', 'text', 'id of the dataset'),
      column('text', 'text', 'the question'),
      column('category', 'text', 'empty if it has none'),
      column('answers', 'text', 'a JSON list of texts'),
      column('answerable', 'boolean', 'false if it has no relevant passage; it then counts in no measure'),
      column('metadata', 'text', 'a JSON object'),
      column('evidence', 'text', 'a JSON list of statements; only if the dataset has any'),
      column('cluster', 'int32', 'number of its cluster; only with `compare.cluster`'),
    ],
  },
  {
    file: 'labels.parquet',
    rows: 'a label, by query',
    columns: [
      QUERY,
      JUDGED,
      GRADE,
      column('group', 'int32', 'labels of a query with the same group are alternatives; -1: no groups'),
    ],
  },
  {
    file: 'trials.parquet',
    rows: "a trial, in the config's order",
    columns: [
      column('id', 'text', 'hash of all inputs of its rankings'),
      column('name', 'text', 'as the leaderboard shows it'),
      column('strategy', 'text', 'its name in a config'),
      column('params', 'text', 'a JSON object, defaults filled in'),
      column('filter', 'text', 'JSON filter of the chunks it searches; `null`: all'),
      column('engine', 'text', 'JSON names of the engines that search; `null`: in memory'),
      column('language', 'text', "JSON language of its lexical search; `null`: the recipe's"),
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
    rows: 'a trial and a label, in that order',
    columns: [
      TRIAL,
      QUERY,
      JUDGED,
      GRADE,
      column('rank', 'int32', 'from 1, after chunks are collapsed to labelled units; 0: not within depth'),
      column('score', 'number', 'score at this rank'),
      column('stage', 'text', '`found`, or the stage that lost it'),
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
      column('mark', 'text', 'note of a step on the chunk; usually empty'),
    ],
  },
  {
    file: 'texts.parquet',
    rows: 'a chunk in `rankings.parquet` or with gold, by id',
    columns: [
      column('chunk', 'text', 'its id'),
      JUDGED,
      column('title', 'text', 'the title, or the headings above it'),
      column('text', 'text', 'its text'),
      column('tokens', 'int32', 'tokens of the text'),
    ],
  },
  {
    file: 'diagnostics.parquet',
    rows: 'a finalist, a query and a counter or note of its steps',
    columns: [
      TRIAL,
      QUERY,
      column(
        'name',
        'text',
        "a step's counter or note, `retrieved`, `cost_usd` of its priced calls, or `gold: <searches that found it>`",
      ),
      column('value', 'number', 'NaN for a note'),
      column('text', 'text', 'null for a number'),
    ],
  },
  {
    file: 'breakdown.parquet',
    rows: "a row of `rankings.parquet` and a step that ranks; for up to 100,000 pairs of trials and queries. Not part of the result's hash",
    columns: [
      TRIAL,
      QUERY,
      column('rank', 'int32', 'its rank in `rankings.parquet`'),
      column('step', 'text', 'in the order of the steps; the second of a name ends with 2'),
      column('step_rank', 'int32', 'rank of the chunk after the step; 0: not in its list'),
      column('score', 'number', 'score after the step, to six digits; NaN: not in its list'),
    ],
  },
  {
    file: 'walks.parquet',
    rows: "a link of a walk over a graph; for up to 100,000 pairs of trials and queries. Not part of the result's hash",
    columns: [
      TRIAL,
      QUERY,
      column('step', 'text', 'the step that walked'),
      column('from', 'text', 'name of an entity or title of a chunk; empty for the question'),
      column('from_chunk', 'text', 'id of the chunk; empty for an entity and the question'),
      column('to', 'text', 'name of an entity or title of a chunk'),
      column('to_chunk', 'text', 'id of the chunk; empty for an entity'),
      column('share', 'number', "share of a start in all starts' weight; NaN: a link of a shortest path"),
    ],
  },
  {
    file: 'routes.parquet',
    rows: "a router and a query; only written if there is a router. Not part of the result's hash",
    columns: [
      column('router', 'text', 'id of the trial, or `tuned:<name>` of a fitted router'),
      QUERY,
      column('arm', 'text', 'name of the arm that it chose'),
    ],
  },
  {
    file: 'answers.parquet',
    judges: true,
    rows: 'an answerer, a trial and a query; only written with `answer` in the config',
    columns: [
      ...ANSWERED,
      column('answer', 'text', 'answer with citations'),
      column('refused', 'boolean', 'true if it states that there is no answer'),
      column('suggestion', 'text', 'question that a refusal suggests; empty if it suggests none'),
      column('cited', 'text', 'numbers of the cited passages, from 1, separated by spaces'),
      column('passages', 'int32', 'passages of the context: chunks or documents, and evidence'),
      column('sent', 'int32', 'tokens of the context'),
      column('model_calls', 'int32', 'calls of language models'),
      column('input_tokens', 'int32', 'input tokens of these calls'),
      column('output_tokens', 'int32', 'output tokens of these calls'),
      column('cost_usd', 'number', 'dollars of these calls; NaN if the price of a model is unknown'),
      column('latency_s', 'number', 'seconds that another system recorded; only if there are any'),
      column('tokens_estimated', 'boolean', 'true if the server reported no valid token count'),
      column('cut', 'int32', 'completions that were cut at `maxTokens`'),
      column('failure', 'text', 'reason for a missing answer; empty if there is one'),
      ...ANSWER_MEASURES.map(({ name, summary }) =>
        column(name, 'number', `${summary}; NaN: does not count`),
      ),
    ],
  },
  {
    file: 'citations.parquet',
    rows: 'an answer and a number that it cites; only written with `answer` in the config',
    columns: [
      ...ANSWERED,
      column('number', 'int32', 'as in the answer: `[2]` is 2'),
      column('chunk', 'text', 'id of the cited chunk; empty if the passage is no single chunk'),
      column('text', 'text', 'text of such a passage; empty too if no passage has this number'),
    ],
  },
  {
    file: 'reasons.parquet',
    rows: 'a judge and an answer for which its language model gave reasons; only written with `answer` in the config',
    columns: [
      ...ANSWERED,
      column('judge', 'text', 'its column in `answers.parquet`'),
      column('text', 'text', 'lines of plain text'),
    ],
  },
]
