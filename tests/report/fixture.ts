import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMAT } from '../../src/results/format.ts'
import type { GraphDescription } from '../../src/results/graphs.ts'
import type { AnswersSummary, TrialSummary } from '../../src/results/summary.ts'
import { sealed } from '../../src/store/hash.ts'
import { columnsOf, int32, number } from '../../src/tables/column.ts'
import { writeTable } from '../../src/tables/parquet.ts'
import { certifyAgain } from '../results/certify.ts'
import { randomNumbers, sentence, simulatedQueries, simulatedTrials } from './simulate.ts'
import { summarize } from './summarize.ts'

export interface FixtureOptions {
  readonly trials?: number
  readonly queries?: number
  readonly chunks?: number
  readonly folds?: boolean
  readonly measures?: readonly string[]
  /** Rank of each label instead of a simulated one; above 160 it is found by no search. */
  readonly rankOf?: (trial: number, query: number) => number
  /** True for answers of one answerer from every finalist and one without retrieval, scored by a measure and a judge. */
  readonly answers?: boolean
  /** True for a graph with a picture. */
  readonly graph?: boolean
  /** Changes every text that a corpus or a config could bring in. */
  readonly taint?: (text: string) => string
}

export const MEASURES = [
  'recall@5',
  'recall@10',
  'mrr@10',
  'ndcg@10',
  'recall@1000tok',
  'recall@2000tok',
  'recall@4000tok',
]
const DEPTH = 100
const RANKS = 20
export const STAGES = [
  'failed',
  'not in corpus',
  'not in index',
  'not in a pool',
  'lost by fuse',
  'below depth',
  'found',
]

export interface Label {
  readonly trial: number
  readonly query: number
  readonly judged: string
  readonly rank: number
  readonly stage: string
  readonly channel: string
}

/** Writes an experiment folder as a run would leave it, from simulated ranks. Equal options give equal bytes. */
export function writeFixture(folder: string, options: FixtureOptions = {}): void {
  const {
    trials: trialCount = 14,
    queries: queryCount = 60,
    chunks = 400,
    folds = false,
    measures = MEASURES,
    rankOf,
    answers = false,
    graph = false,
    taint = (text: string) => text,
  } = options
  const random = randomNumbers(7)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const trials = simulatedTrials(trialCount).map((trial) => ({
    ...trial,
    name: taint(trial.name),
    strategy: taint(trial.strategy),
    varied: Object.fromEntries(
      Object.entries(trial.varied).map(([param, value]) => [
        param,
        typeof value === 'string' ? taint(value) : value,
      ]),
    ),
  }))
  const queries = simulatedQueries(queryCount, chunks, random).map((query) => ({
    ...query,
    id: taint(query.id),
    text: taint(query.text),
    category: taint(query.category),
    answers: query.answers.map(taint),
    gold: query.gold.map(taint),
  }))
  const words = Array.from({ length: chunks }, (_, place) => ({
    chunk: taint(`p${String(place).padStart(5, '0')}`),
    title: taint(sentence(random).split(' in ')[0]),
    text: taint(`${Array.from({ length: 5 }, () => sentence(random)).join('. ')}.`),
    tokens: 90 + Math.floor(random() * 60),
  }))

  const labels: Label[] = []
  const shared = queries.map(({ gold }) => gold.map(() => [0.8 * normal(), normal(), normal(), normal()]))
  trials.forEach((trial, t) => {
    const family = trial.channels.length === 2 ? (trial.channels[1] === 'graph' ? 2 : 1) : 3
    queries.forEach((query, q) => {
      if (!query.answerable) return
      query.gold.forEach((judged, g) => {
        const [difficulty, ...noise] = shared[q][g]
        const latent = 1.2 + 1.3 * difficulty - trial.quality + 1.2 * noise[family - 1] + 0.25 * normal()
        const rank = rankOf?.(t, q) ?? Math.ceil(Math.exp(latent))
        const channel =
          trial.channels.length === 1 || noise[0] > 0.3
            ? trial.channels[0]
            : noise[1] > 0.8
              ? trial.channels[1]
              : trial.channels.join('+')
        const lost =
          q === 3 && g === 0
            ? 'not in corpus'
            : rank > 160
              ? 'not in a pool'
              : trial.channels.length > 1 && rank > 120
                ? 'lost by fuse'
                : 'below depth'
        const isFound = rank <= DEPTH && lost !== 'not in corpus'
        labels.push({
          trial: t,
          query: q,
          judged,
          rank: isFound ? rank : 0,
          stage: isFound ? 'found' : lost,
          channel,
        })
      })
    })
  })
  separate(labels)

  const {
    summary: retrieval,
    scores,
    latency,
  } = summarize({
    name: taint('fixture'),
    trials,
    queries,
    labels,
    folds,
    depth: DEPTH,
    measures,
    documents: chunks,
  })
  mkdirSync(join(folder, 'timings'), { recursive: true })
  const summary = answers
    ? { ...retrieval, answers: writeAnswers(folder, retrieval.trials, queryCount, words[0].chunk, taint) }
    : retrieval
  const at = (name: string) => join(folder, name)
  writeFileSync(at('summary.json'), JSON.stringify(summary))
  writeFileSync(at('timings/latency.json'), sealed(latency))
  if (graph) writeFileSync(at('graphs.json'), JSON.stringify([simulatedGraph(taint)]))
  writeFileSync(
    at('experiment.yaml'),
    taint(
      `dataset: {beir: {path: fixture}}\ntrials: [naive, bm25, hybrid, hipporag]\nmeasures: [${measures.join(', ')}]\n`,
    ),
  )
  writeFileSync(
    at('manifest.json'),
    JSON.stringify({
      format: FORMAT,
      version: '0.1.0',
      plan: 'e'.repeat(64),
      config: 'a'.repeat(64),
      dataset: 'b'.repeat(64),
      artifacts: { chunks: 'c'.repeat(64), bm25: 'd'.repeat(64) },
      steps: {
        planned: { 'dense-search': queryCount, 'bm25-search': queryCount, fuse: 9 * queryCount },
        exact: true,
        computed: { 'dense-search': queryCount, 'bm25-search': queryCount, fuse: 9 * queryCount },
      },
      machine: { node: 'v20.0.0', os: taint('linux x64'), cpu: 'two cores' },
    }),
  )
  const write = <R extends object>(name: string, ...rows: Parameters<typeof columnsOf<R>>) =>
    writeTable(at(`${name}.parquet`), columnsOf(...rows))
  write(
    'queries',
    queries.map((query) => ({ ...query, answers: JSON.stringify(query.answers) })),
    { id: 'string', text: 'string', category: 'string', answers: 'string', answerable: 'boolean' },
  )
  write(
    'trials',
    summary.trials.map((trial) => ({ ...trial, params: JSON.stringify(trial.params) })),
    { id: 'string', name: 'string', strategy: 'string', params: 'string' },
  )
  writeTable(at('scores.parquet'), [
    int32('trial', scores.trial),
    int32('query', scores.query),
    ...measures.map((name) => number(name, scores.values[name])),
  ])
  const graded = labels.map((label) => ({
    ...label,
    grade: 1,
    group: -1,
    score: label.rank ? 1 / (60 + label.rank) : Number.NaN,
    stage: taint(label.stage),
  }))
  write(
    'labels',
    graded.filter(({ trial }) => trial === 0),
    { query: 'int32', judged: 'string', grade: 'int32', group: 'int32' },
  )
  write('gold', graded, {
    trial: 'int32',
    query: 'int32',
    judged: 'string',
    grade: 'int32',
    rank: 'int32',
    score: 'number',
    stage: 'string',
  })
  writeRankings(
    folder,
    labels,
    summary.trials.map(({ finalist }) => finalist),
    queries.map(({ answerable }) => answerable),
    words.map(({ chunk }) => chunk),
    random,
    taint,
  )
  const [router] = summary.routing
  write(
    'routes',
    queries
      .flatMap(({ answerable }, query) => (answerable ? [query] : []))
      .map((query, place) => ({ router: router.id, query, arm: router.arms[place % 2].name })),
    { router: 'string', query: 'int32', arm: 'string' },
  )
  write(
    'texts',
    words.map((word) => ({ ...word, judged: word.chunk })),
    { chunk: 'string', judged: 'string', title: 'string', text: 'string', tokens: 'int32' },
  )
  certifyAgain(folder)
}

/** Two labels of a query never share a rank. */
function separate(labels: Label[]): void {
  const chunksByQuery = new Map<string, Set<number>>()
  for (const [place, label] of labels.entries()) {
    if (label.rank === 0) continue
    const key = `${label.trial} ${label.query}`
    const used = chunksByQuery.get(key) ?? new Set<number>()
    chunksByQuery.set(key, used)
    let rank = label.rank
    while (used.has(rank)) rank++
    used.add(rank)
    labels[place] = { ...label, rank }
  }
}

function writeRankings(
  folder: string,
  labels: readonly Label[],
  finalists: readonly boolean[],
  answerable: readonly boolean[],
  chunks: readonly string[],
  random: () => number,
  taint: (text: string) => string,
): void {
  const gold = new Map(
    labels
      .filter(({ rank }) => rank > 0 && rank <= RANKS)
      .map(({ trial, query, rank, judged }) => [`${trial} ${query} ${rank}`, judged]),
  )
  const rows = finalists.flatMap((finalist, trial) =>
    finalist
      ? answerable.flatMap((_, query) =>
          Array.from({ length: RANKS }, (_, place) => {
            const rank = place + 1
            const chunk =
              gold.get(`${trial} ${query} ${rank}`) ?? chunks[Math.floor(random() ** 2 * chunks.length)]
            const mark = rank < 3 ? '' : 'hop 1'
            return { trial, query, rank, chunk, judged: chunk, score: 1 / (60 + rank), mark }
          }),
        )
      : [],
  )
  writeTable(
    join(folder, 'rankings.parquet'),
    columnsOf(rows, {
      trial: 'int32',
      query: 'int32',
      rank: 'int32',
      chunk: 'string',
      judged: 'string',
      score: 'number',
      mark: 'string',
    }),
  )
  writeDiagnostics(folder, finalists, answerable.length)
  if (finalists.length * answerable.length <= 100_000) writeExplanations(folder, rows, taint)
}

/** Three steps for every ranked chunk, of which the second lacks each third chunk; a walk from one name to the first two chunks. */
function writeExplanations(
  folder: string,
  ranked: readonly { trial: number; query: number; rank: number; chunk: string }[],
  taint: (text: string) => string,
): void {
  const steps = ranked.flatMap(({ trial, query, rank }) => {
    const lacks = rank % 3 === 0
    const own = { trial, query, rank }
    return [
      { ...own, step: 'dense', step_rank: rank + 1, score: 0.9 - rank / 100 },
      { ...own, step: 'bm25', step_rank: lacks ? 0 : rank, score: lacks ? Number.NaN : 20 - rank },
      { ...own, step: 'fuse', step_rank: rank, score: 1 / (60 + rank) },
    ]
  })
  writeTable(
    join(folder, 'breakdown.parquet'),
    columnsOf(steps, {
      trial: 'int32',
      query: 'int32',
      rank: 'int32',
      step: 'string',
      step_rank: 'int32',
      score: 'number',
    }),
  )
  const name = taint('Ada Byron')
  const links = ranked.flatMap(({ trial, query, rank, chunk }) => {
    const own = { trial, query, step: 'walk', from_chunk: '' }
    if (trial % 2 === 0 || rank > 2) return []
    const link = { ...own, from: name, to: chunk, to_chunk: chunk, share: Number.NaN }
    return rank === 1 ? [{ ...own, from: '', to: name, to_chunk: '', share: 1 }, link] : [link]
  })
  writeTable(
    join(folder, 'walks.parquet'),
    columnsOf(links, {
      trial: 'int32',
      query: 'int32',
      step: 'string',
      from: 'string',
      from_chunk: 'string',
      to: 'string',
      to_chunk: 'string',
      share: 'number',
    }),
  )
}

/**
 * Answers that name their question, the last one missing; the judge gives no verdict on the first. Each second one cites a
 * chunk, evidence, and a passage that does not exist.
 */
function writeAnswers(
  folder: string,
  trials: readonly TrialSummary[],
  queries: number,
  chunk: string,
  taint: (text: string) => string,
): AnswersSummary {
  const finalists = trials.flatMap(({ finalist }, trial) => (finalist ? [trial] : []))
  // As UTF-8, which has no lone surrogates.
  const judge = Buffer.from(taint('correctness')).toString()
  const answerer = (trial: number) => taint(trial < 0 ? 'closed-book' : 'extractive')
  const rows = [-1, ...finalists].flatMap((trial) =>
    Array.from({ length: queries }, (_, query) => {
      const failed = query === queries - 1
      const cites = query % 2 === 1
      return {
        trial,
        answerer: answerer(trial),
        query,
        failed,
        answer: failed ? '' : taint(`answer to ${query} [1${cites ? ', 3] and [9' : ''}]`),
        cited: cites ? '1 3' : '',
        failure: failed ? taint('no reply') : '',
        answer_f1: failed ? 0 : (query % 4) / 4,
        [judge]: query === 0 ? Number.NaN : 0.875,
      }
    }),
  )
  const of = { trial: 'int32', answerer: 'string', query: 'int32' } as const
  writeTable(
    join(folder, 'answers.parquet'),
    columnsOf(rows, {
      ...of,
      answer: 'string',
      cited: 'string',
      failure: 'string',
      answer_f1: 'number',
      [judge]: 'number',
    }),
  )
  const citations = rows
    .filter(({ query, failed }) => query % 2 === 1 && !failed)
    .flatMap((row) => [
      { ...row, number: 1, chunk, text: '' },
      { ...row, number: 3, chunk: '', text: taint('an entity of the graph') },
      { ...row, number: 9, chunk: '', text: '' },
    ])
  writeTable(
    join(folder, 'citations.parquet'),
    columnsOf(citations, { ...of, number: 'int32', chunk: 'string', text: 'string' }),
  )
  const reasons = rows
    .filter(({ query, failed }) => query > 0 && !failed)
    .map((row) => ({ ...row, judge, text: taint(`a reason for ${row.query}`) }))
  writeTable(join(folder, 'reasons.parquet'), columnsOf(reasons, { ...of, judge: 'string', text: 'string' }))
  const estimate = { mean: 0.4, low: 0.3, high: 0.5, n: queries }
  return {
    measures: [
      { name: 'answer_f1', better: 'higher' },
      { name: judge, better: 'higher' },
    ],
    primary: 'answer_f1',
    rows: [-1, ...finalists].map((trial) => ({
      id: `${answerer(trial)} ${trial}`,
      trial: trial < 0 ? null : { id: trials[trial].id, name: trials[trial].name },
      answerer: answerer(trial),
      measures: { answer_f1: estimate, [judge]: estimate },
      perQuery: { sent: 400, modelCalls: 1, inputTokens: 500, outputTokens: 20 },
      estimated: 0,
      cut: 0,
      failed: 1,
      failures: [{ query: 'q', message: taint('no reply') }],
    })),
    comparisons: {},
  }
}

/** As if every query had hopped once, and a judge had said so. */
function writeDiagnostics(folder: string, finalists: readonly boolean[], queries: number): void {
  const rows = finalists.flatMap((finalist, trial) =>
    Array.from({ length: finalist ? queries : 0 }, (_, query) => [
      { trial, query, name: 'gold: none', value: 1, text: null },
      { trial, query, name: 'hop 1 reasoning', value: Number.NaN, text: `<b>said</b> of ${query}` },
      { trial, query, name: 'hops', value: 1, text: null },
    ]).flat(),
  )
  writeTable(
    join(folder, 'diagnostics.parquet'),
    columnsOf(rows, { trial: 'int32', query: 'int32', name: 'string', value: 'number', text: 'string' }),
  )
}

/** A graph of three entities. */
function simulatedGraph(taint: (text: string) => string): GraphDescription {
  const names = ['Lomm', 'Orr', 'Vesk'].map(taint)
  return {
    extractors: [taint('rules')],
    statistics: {
      entities: 3,
      relationships: 2,
      components: 1,
      largestComponent: 3,
      isolatedEntities: 0,
      chunks: 3,
      isolatedChunks: 0,
      entitiesPerChunk: 1,
    },
    shape: {
      degrees: [
        { from: 1, to: 1, entities: 2 },
        { from: 2, to: 3, entities: 1 },
      ],
      largest: [{ name: names[1], neighbors: 2, chunks: 1 }],
      neighborsPerChunk: 1,
      duplicates: [names],
    },
    reach: { queries: 1, linked: 1, byHops: [{ hops: 0, gold: 0.5, chunks: 0.1 }] },
  }
}
