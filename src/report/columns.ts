import type { Estimate } from '../results/summary.ts'
import type { Board, BoardColumn, BoardData, Interval } from './board.ts'
import { confidence, sentWords, tokensName } from './notes.ts'
import { quantity } from './numbers.ts'
import { verdictWord } from './outcome.ts'

export function withColumns(data: BoardData): Board {
  const rows = [...data.ranked, ...data.seen, ...data.answered]
  const [primary, ...others] = columnsOf(data)
  return {
    ...data,
    columns: [primary, ...others.filter(({ value }) => rows.some((row) => value(row) !== null))],
  }
}

const MAX_CATEGORIES = 24

/** Columns of the leaderboard, in order. A new column is an entry here; writers choose by its flags. */
function columnsOf(board: BoardData): [primary: BoardColumn, ...others: BoardColumn[]] {
  const { primary, isMacro, datasets, measures, judgedAt, context, ranked, seen } = board
  const others = measures.filter((measure) => measure !== primary)
  const mrr = others.find((measure) => measure.startsWith('mrr'))
  const mean = (measure: string, more: Partial<BoardColumn>, group?: string): BoardColumn => ({
    name: group ?? measure,
    title: `mean ${measure}; brackets are ${confidence(board.level)}intervals`,
    format: board.counts.includes(measure) ? 'count' : 'percent',
    none: '–',
    value: ({ measures, groups }) => intervalOf((group === undefined ? measures : groups[group])?.[measure]),
    ...more,
  })
  const categories = isMacro ? [] : datasets[0].categories.slice(0, MAX_CATEGORIES)
  const rows = [...ranked, ...seen, ...board.answered]
  const hasDollars = rows.some(({ dollars }) => dollars !== null)
  const tokens = tokensName({ context })
  return [
    mean(primary, { ...(isMacro && { head: 'macro mean' }), isPaper: true }),
    ...comparedColumns(board.answerMeasures[0] ?? ''),
    {
      name: 'optimism',
      title: 'points that the best trial gains on the queries that selected it',
      format: 'points',
      value: ({ optimism }) => optimism,
    },
    {
      name: 'seeds',
      title: 'number of seeds that the row is the mean over',
      format: 'count',
      value: ({ seeds }) => seeds,
      isFirst: true,
    },
    ...(isMacro ? datasets : []).map(({ name }) =>
      mean(primary, { isFirst: true, isPaper: true, isDataset: true }, name),
    ),
    ...others.map((measure) => mean(measure, { isFirst: measure === mrr, isPaper: true })),
    ...board.answerMeasures.map((measure, at) => mean(measure, { isFirst: at === 0 })),
    {
      name: 'p50 ms',
      title: TIMED,
      format: 'milliseconds',
      value: ({ latency }) => latency?.p50 ?? null,
      remark: ({ latency }) => (latency?.searchOnly ? 'search only' : ''),
      isFirst: true,
      isCost: true,
    },
    ...(measures.includes(tokens) ? [] : [sentColumn(board, !hasDollars)]),
    counter('evidence tokens', 'evidenceTokens', 'part of the tokens that is evidence', true),
    counter('input tokens', 'inputTokens', "tokens per query that the strategy's model calls read", true),
    counter('output tokens', 'outputTokens', "tokens per query that the strategy's model calls write", true),
    counter('model calls', 'modelCalls', 'per query', true),
    counter('seconds', 'seconds', 'seconds of an answer that another system recorded', false),
    {
      name: 'dollars',
      head: '$/1,000',
      title: 'dollars per 1,000 queries: tokens read, and model calls of the strategy',
      format: 'dollars',
      value: ({ dollars }) => dollars,
      isFirst: true,
      isCost: true,
    },
    ...timeColumns(),
    {
      name: 'failed',
      title: 'queries that failed; each counts as 0',
      format: 'count',
      value: ({ failed }) => failed,
      isFirst: rows.some(({ failed }) => failed),
    },
    {
      name: 'fallbacks',
      title: 'share of queries that used a fallback',
      format: 'share',
      value: ({ perQuery }) => perQuery.fallbacks ?? null,
    },
    ...(judgedAt === null || measures.includes(`judged@${judgedAt}`) ? [] : [judgedColumn(judgedAt)]),
    ...categories.map(({ name, queries }) =>
      mean(primary, { title: `mean ${primary} over ${quantity(queries)} queries` }, name),
    ),
  ]
}

/** `answers`: measure that compares answers. */
function comparedColumns(answers: string): BoardColumn[] {
  return [
    {
      name: 'difference',
      head: 'to baseline',
      title: 'paired difference in points',
      format: 'points',
      value: ({ compared }) =>
        compared && { value: compared.difference, low: compared.low, high: compared.high },
      remark: ({ kind, compared }) => (kind === 'answer' && compared ? answers : ''),
      isFirst: true,
      isPaper: true,
    },
    {
      name: 'p',
      title: 'p of the paired test',
      format: 'probability',
      value: ({ compared }) => compared?.p ?? null,
    },
    {
      name: 'adjusted p',
      title: 'p of the paired test, corrected for the number of comparisons',
      format: 'probability',
      value: ({ compared }) => compared?.adjusted ?? null,
      isPaper: true,
    },
    {
      name: 'verdict',
      title: 'outcome of the paired test',
      format: 'text',
      value: ({ baseline, compared }) => (baseline ? 'baseline' : compared && verdictWord(compared)),
    },
  ]
}

function sentColumn({ context }: BoardData, isFirst: boolean): BoardColumn {
  return {
    name: tokensName({ context }),
    title: `tokens per query in ${sentWords({ context })}`,
    format: 'count',
    value: ({ tokens }) => tokens,
    isFirst,
    isPaper: true,
    isCost: true,
  }
}

function judgedColumn(k: number): BoardColumn {
  return {
    name: `judged@${k}`,
    title: 'percent of the first results that have a label; results without a label count as not relevant',
    format: 'percent',
    value: ({ judged }) => judged,
  }
}

const TIMED = 'milliseconds of a query, one at a time, nothing shared between trials'

function timeColumns(): BoardColumn[] {
  return [
    ...(['p95', 'p99'] as const).map(
      (name): BoardColumn => ({
        name: `${name} ms`,
        title: TIMED,
        format: 'milliseconds',
        value: ({ latency }) => latency?.[name] ?? null,
        isCost: true,
      }),
    ),
    {
      name: 'cold ms',
      title: 'the first query, before any index is open, timed once',
      format: 'milliseconds',
      value: ({ latency }) => latency?.cold ?? null,
      isCost: true,
    },
    {
      name: 'engine ms',
      title: 'p50 of the part of a query that its engines report',
      format: 'milliseconds',
      value: ({ latency }) => latency?.engine?.p50 ?? null,
      isFirst: true,
      isCost: true,
    },
  ]
}

function counter(name: string, key: string, title: string, isCost: boolean): BoardColumn {
  return { name, title, format: 'count', value: ({ perQuery }) => perQuery[key] ?? null, isCost }
}

function intervalOf(estimate: Estimate | undefined): Interval | null {
  return estimate ? { value: estimate.mean, low: estimate.low, high: estimate.high, n: estimate.n } : null
}
