import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMAT } from '../../src/results/format.ts'
import type { GraphDescription } from '../../src/results/graphs.ts'
import type { AnswersSummary, TrialSummary } from '../../src/results/summary.ts'
import { sealed } from '../../src/store/hash.ts'
import type { ParquetColumn } from '../../src/tables/column.ts'
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
        const found = rank <= DEPTH && lost !== 'not in corpus'
        labels.push({
          trial: t,
          query: q,
          judged,
          rank: found ? rank : 0,
          stage: found ? 'found' : lost,
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
  writeTable(at('queries.parquet'), [
    { name: 'id', type: 'string', values: queries.map(({ id }) => id) },
    { name: 'text', type: 'string', values: queries.map(({ text }) => text) },
    { name: 'category', type: 'string', values: queries.map(({ category }) => category) },
    { name: 'answers', type: 'string', values: queries.map(({ answers }) => JSON.stringify(answers)) },
    { name: 'answerable', type: 'boolean', values: queries.map(({ answerable }) => answerable) },
  ])
  writeTable(at('trials.parquet'), [
    { name: 'id', type: 'string', values: summary.trials.map(({ id }) => id) },
    { name: 'name', type: 'string', values: summary.trials.map(({ name }) => name) },
    { name: 'strategy', type: 'string', values: summary.trials.map(({ strategy }) => strategy) },
    { name: 'params', type: 'string', values: summary.trials.map(({ params }) => JSON.stringify(params)) },
  ])
  writeTable(at('scores.parquet'), [
    { name: 'trial', type: 'int32', values: scores.trial },
    { name: 'query', type: 'int32', values: scores.query },
    ...measures.map((name): ParquetColumn => ({ name, type: 'number', values: scores.values[name] })),
  ])
  const ofOne = labels.filter(({ trial }) => trial === 0)
  writeTable(at('labels.parquet'), [
    { name: 'query', type: 'int32', values: Int32Array.from(ofOne, ({ query }) => query) },
    { name: 'judged', type: 'string', values: ofOne.map(({ judged }) => judged) },
    { name: 'grade', type: 'int32', values: Int32Array.from(ofOne, () => 1) },
    { name: 'group', type: 'int32', values: Int32Array.from(ofOne, () => -1) },
  ])
  writeTable(at('gold.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(labels, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(labels, ({ query }) => query) },
    { name: 'judged', type: 'string', values: labels.map(({ judged }) => judged) },
    { name: 'grade', type: 'int32', values: Int32Array.from(labels, () => 1) },
    { name: 'rank', type: 'int32', values: Int32Array.from(labels, ({ rank }) => rank) },
    {
      name: 'score',
      type: 'number',
      values: Float64Array.from(labels, ({ rank }) => (rank ? 1 / (60 + rank) : Number.NaN)),
    },
    { name: 'stage', type: 'string', values: labels.map(({ stage }) => taint(stage)) },
  ])
  writeRankings(
    folder,
    labels,
    summary.trials.map(({ finalist }) => finalist),
    queries.map(({ answerable }) => answerable),
    words.map(({ chunk }) => chunk),
    random,
    taint,
  )
  const routed = queries.map((_, query) => query).filter((query) => queries[query].answerable)
  writeTable(at('routes.parquet'), [
    { name: 'router', type: 'string', values: routed.map(() => summary.routing[0].id) },
    { name: 'query', type: 'int32', values: Int32Array.from(routed) },
    {
      name: 'arm',
      type: 'string',
      values: routed.map((_, place) => summary.routing[0].arms[place % 2].name),
    },
  ])
  writeTable(at('texts.parquet'), [
    { name: 'chunk', type: 'string', values: words.map(({ chunk }) => chunk) },
    { name: 'judged', type: 'string', values: words.map(({ chunk }) => chunk) },
    { name: 'title', type: 'string', values: words.map(({ title }) => title) },
    { name: 'text', type: 'string', values: words.map(({ text }) => text) },
    { name: 'tokens', type: 'int32', values: Int32Array.from(words, ({ tokens }) => tokens) },
  ])
  certifyAgain(folder)
}

/** Two labels of a query never share a rank. */
function separate(labels: Label[]): void {
  const taken = new Map<string, Set<number>>()
  for (const [place, label] of labels.entries()) {
    if (label.rank === 0) continue
    const key = `${label.trial} ${label.query}`
    const used = taken.get(key) ?? new Set<number>()
    taken.set(key, used)
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
  const trial: number[] = []
  const query: number[] = []
  const rank: number[] = []
  const chunk: string[] = []
  finalists.forEach((finalist, t) => {
    if (!finalist) return
    for (let q = 0; q < answerable.length; q++)
      for (let r = 1; r <= RANKS; r++) {
        trial.push(t)
        query.push(q)
        rank.push(r)
        chunk.push(gold.get(`${t} ${q} ${r}`) ?? chunks[Math.floor(random() ** 2 * chunks.length)])
      }
  })
  writeTable(join(folder, 'rankings.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(query) },
    { name: 'rank', type: 'int32', values: Int32Array.from(rank) },
    { name: 'chunk', type: 'string', values: chunk },
    { name: 'judged', type: 'string', values: chunk },
    { name: 'score', type: 'number', values: Float64Array.from(rank, (value) => 1 / (60 + value)) },
    { name: 'mark', type: 'string', values: rank.map((place) => (place < 3 ? '' : 'hop 1')) },
  ])
  writeDiagnostics(folder, finalists, answerable.length)
  if (finalists.length * answerable.length <= 100_000)
    writeExplanations(folder, { trial, query, rank, chunk }, taint)
}

/** Three steps for every ranked chunk, of which the second lacks each third chunk; a walk from one name to the first two chunks. */
function writeExplanations(
  folder: string,
  ranked: Readonly<Record<'trial' | 'query' | 'rank', readonly number[]>> & {
    readonly chunk: readonly string[]
  },
  taint: (text: string) => string,
): void {
  const rows = ranked.trial.flatMap((trial, row) => {
    const { [row]: query } = ranked.query
    const { [row]: rank } = ranked.rank
    const lacks = rank % 3 === 0
    return [
      { trial, query, rank, step: 'dense', stepRank: rank + 1, score: 0.9 - rank / 100 },
      { trial, query, rank, step: 'bm25', stepRank: lacks ? 0 : rank, score: lacks ? Number.NaN : 20 - rank },
      { trial, query, rank, step: 'fuse', stepRank: rank, score: 1 / (60 + rank) },
    ]
  })
  const whole = (values: readonly number[]) => Int32Array.from(values)
  const strings = (name: string, values: readonly string[]): ParquetColumn => ({
    name,
    type: 'string',
    values,
  })
  writeTable(join(folder, 'breakdown.parquet'), [
    { name: 'trial', type: 'int32', values: whole(rows.map(({ trial }) => trial)) },
    { name: 'query', type: 'int32', values: whole(rows.map(({ query }) => query)) },
    { name: 'rank', type: 'int32', values: whole(rows.map(({ rank }) => rank)) },
    strings(
      'step',
      rows.map(({ step }) => step),
    ),
    { name: 'step_rank', type: 'int32', values: whole(rows.map(({ stepRank }) => stepRank)) },
    { name: 'score', type: 'number', values: Float64Array.from(rows, ({ score }) => score) },
  ])
  const name = taint('Ada Byron')
  const links = ranked.trial.flatMap((trial, row) => {
    const own = { trial, query: ranked.query[row], chunk: ranked.chunk[row] }
    if (trial % 2 === 0 || ranked.rank[row] > 2) return []
    const link = { ...own, from: name, to: own.chunk, share: Number.NaN }
    return ranked.rank[row] === 1 ? [{ ...own, from: '', to: name, chunk: '', share: 1 }, link] : [link]
  })
  writeTable(join(folder, 'walks.parquet'), [
    { name: 'trial', type: 'int32', values: whole(links.map(({ trial }) => trial)) },
    { name: 'query', type: 'int32', values: whole(links.map(({ query }) => query)) },
    strings(
      'step',
      links.map(() => 'walk'),
    ),
    strings(
      'from',
      links.map(({ from }) => from),
    ),
    strings(
      'from_chunk',
      links.map(() => ''),
    ),
    strings(
      'to',
      links.map(({ to }) => to),
    ),
    strings(
      'to_chunk',
      links.map(({ chunk }) => chunk),
    ),
    { name: 'share', type: 'number', values: Float64Array.from(links, ({ share }) => share) },
  ])
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
  const rows = [-1, ...finalists].flatMap((trial) =>
    Array.from({ length: queries }, (_, query) => ({ trial, query, failed: query === queries - 1 })),
  )
  const answerer = (trial: number) => taint(trial < 0 ? 'closed-book' : 'extractive')
  // As UTF-8, which has no lone surrogates.
  const judge = Buffer.from(taint('correctness')).toString()
  const values = rows.map(({ query, failed }) => (failed ? 0 : (query % 4) / 4))
  writeTable(join(folder, 'answers.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'answerer', type: 'string', values: rows.map(({ trial }) => answerer(trial)) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    {
      name: 'answer',
      type: 'string',
      values: rows.map(({ query, failed }) =>
        failed ? '' : taint(`answer to ${query} [1${query % 2 === 1 ? ', 3] and [9' : ''}]`),
      ),
    },
    { name: 'cited', type: 'string', values: rows.map(({ query }) => (query % 2 === 1 ? '1 3' : '')) },
    { name: 'failure', type: 'string', values: rows.map(({ failed }) => (failed ? taint('no reply') : '')) },
    { name: 'answer_f1', type: 'number', values: Float64Array.from(values) },
    {
      name: judge,
      type: 'number',
      values: Float64Array.from(rows, ({ query }) => (query === 0 ? Number.NaN : 0.875)),
    },
  ])
  const numbers = rows
    .filter(({ query, failed }) => query % 2 === 1 && !failed)
    .flatMap((row) => [
      { ...row, number: 1, chunk, text: '' },
      { ...row, number: 3, chunk: '', text: taint('an entity of the graph') },
      { ...row, number: 9, chunk: '', text: '' },
    ])
  const judged = rows.filter(({ query, failed }) => query > 0 && !failed)
  const ofAnswers = (list: typeof rows): ParquetColumn[] => [
    { name: 'trial', type: 'int32', values: Int32Array.from(list, ({ trial }) => trial) },
    { name: 'answerer', type: 'string', values: list.map(({ trial }) => answerer(trial)) },
    { name: 'query', type: 'int32', values: Int32Array.from(list, ({ query }) => query) },
  ]
  writeTable(join(folder, 'citations.parquet'), [
    ...ofAnswers(numbers),
    { name: 'number', type: 'int32', values: Int32Array.from(numbers, ({ number }) => number) },
    { name: 'chunk', type: 'string', values: numbers.map((row) => row.chunk) },
    { name: 'text', type: 'string', values: numbers.map(({ text }) => text) },
  ])
  writeTable(join(folder, 'reasons.parquet'), [
    ...ofAnswers(judged),
    { name: 'judge', type: 'string', values: judged.map(() => judge) },
    { name: 'text', type: 'string', values: judged.map(({ query }) => taint(`a reason for ${query}`)) },
  ])
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
  writeTable(join(folder, 'diagnostics.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    { name: 'name', type: 'string', values: rows.map(({ name }) => name) },
    { name: 'value', type: 'number', values: Float64Array.from(rows, ({ value }) => value) },
    { name: 'text', type: 'string', values: rows.map(({ text }) => text) },
  ])
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
