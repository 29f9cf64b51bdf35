import { readResults } from '../../src/index.ts'
import { compareScores } from '../../src/measures.ts'

/** Costs of the differences to the originals: figures of docs/evidence/deviations.json and the cells of docs/deviations.md. */

/** Means of a trial by measure, as shares. */
type Means = Readonly<Record<string, number>>

/** Difference of a trial to the strategy with its defaults, or with another param, with a 95 % interval if there is one. */
interface Difference {
  readonly trial: string
  readonly over: string
  readonly measure: string
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
  /** Number of queries with another score. */
  readonly changed: number
}

/** Figures of one experiment. */
export interface Measured {
  readonly name: string
  /** Command that measures them anew. */
  readonly by: string
  readonly queries: number
  readonly trials: Readonly<Record<string, Means>>
  readonly differences: readonly Difference[]
}

/** Figures of a change of the code that no param makes; measured once, with the code changed as described. */
export interface Changed {
  readonly name: string
  readonly change: string
  readonly figures: Readonly<Record<string, number>>
}

export interface Costs {
  readonly experiments: readonly Measured[]
  readonly changes: readonly Changed[]
}

const LIGHT = { lightrag: {} }
const LINEAR = { config: { tiers: 3, sentences: 1, passageRatio: 1.5, threshold: 0.5 } }
const RERANK = { after: [{ rerank: { by: 'lexical', top: 100 } }] }
/** Trials over the graph of a set. LinearRAG's params are those of its `config.py`, and of its `run.sh` for each set. */
const BASE = [
  'naive',
  'graphrag-local',
  'drift',
  'lightrag',
  'linearrag',
  'pathrag',
  { name: 'lightrag keep=20', lightrag: { keep: 20 } },
  { name: 'lightrag reranked', ...LIGHT, ...RERANK },
  { name: 'lightrag reranked without budget', lightrag: { contextTokens: 1_000_000 }, ...RERANK },
  { name: 'linearrag config.py', linearrag: LINEAR.config },
]
const TUNED = {
  hotpotqa: { tiers: 3, sentences: 1, passageRatio: 0.05, threshold: 0.4 },
  musique: { tiers: 5, sentences: 4, passageRatio: 2, threshold: 0.1 },
}
const PATH = [
  { name: 'pathrag unpruned', pathrag: { threshold: 0, decay: 1 } },
  { name: 'pathrag order=sources', pathrag: { order: 'sources' } },
]
const LAZY = [
  'naive',
  'lazy-graphrag',
  { name: 'lazy-graphrag perCommunity=2', 'lazy-graphrag': { perCommunity: 2 } },
  { name: 'lazy-graphrag perCommunity=10', 'lazy-graphrag': { perCommunity: 10 } },
]
const PHRASES = { ours: 'noun-phrases', prune: { 'noun-phrases': { prune: 0 } } }
const GRAPHS = { grid: { ...PHRASES, chunks: { 'noun-phrases': { chunks: 1 } } } }
const MEASURES = ['recall@5', 'recall@20', 'recall@50', 'recall@5000tok']

/** Config of a 0.5B model at `url`; its completions have at most so many tokens. */
const qwen = (url: string, maxTokens: number) => ({
  'openai-compatible': {
    baseUrl: url,
    model: 'qwen2.5-coder-0.5b-instruct-q4_k_m.gguf',
    price: { input: 0, output: 0 },
    temperature: 0,
    seed: 1,
    maxTokens,
    concurrency: 4,
    timeout: 900,
  },
})

/** Experiments with a model. */
function modelConfigs(data: string, world: string, url: string) {
  const before = [{ hyde: { model: 'hyde' } }]
  return {
    'hotpotqa-model': {
      dataset: `${data}/hotpotqa-train-100`,
      measures: ['recall@5'],
      compare: { draws: 1000 },
      models: { hyde: qwen(url, 48), keywords: qwen(url, 80) },
      prepare: { embedder: 'lsa', graph: ['rules', 'titles'], communities: 'leiden', reports: 'extractive' },
      trials: [
        'naive',
        'pathrag',
        { name: 'pathrag-keywords', pathrag: { model: 'keywords' } },
        'drift',
        { name: 'drift-hyde', drift: {}, before },
      ],
    },
    'guilds-model': {
      dataset: world,
      measures: ['recall@5'],
      compare: { draws: 1000 },
      sample: { queries: 100, pick: 'category' },
      models: { fusion: qwen(url, 100) },
      prepare: { embedder: 'lsa', graph: 'noun-phrases', communities: 'leiden' },
      trials: [
        'naive',
        'lazy-graphrag',
        { name: 'lazy-fusion', 'rag-fusion': { of: 'lazy-graphrag', model: 'fusion', queries: 2 } },
      ],
    },
  }
}

interface Places {
  /** Folder of the sets. */
  readonly data: string
  /** Folder of the world guilds. */
  readonly world: string
  /** Server of the 0.5B model. */
  readonly url: string
}

/** Configs by name. */
export function configsOf({ data, world, url }: Places): Readonly<Record<string, object>> {
  const graphOf = {
    hotpotqa: ['rules', 'titles'],
    musique: { openie: { path: `${data}/musique-train-100/openie.jsonl` } },
  }
  const withoutModel = Object.fromEntries(
    (['hotpotqa', 'musique'] as const).flatMap((set) => {
      const common = {
        dataset: `${data}/${set}-train-100`,
        measures: MEASURES,
        compare: { draws: 1000 },
        prepare: { embedder: 'lsa', communities: 'leiden', reports: 'extractive' },
      }
      const tuned = { name: 'linearrag run.sh', linearrag: TUNED[set] }
      return [
        [
          set,
          {
            ...common,
            prepare: { ...common.prepare, graph: graphOf[set] },
            trials: [...BASE, tuned, ...PATH],
          },
        ],
        [
          `${set}-lazy`,
          { ...common, prepare: { embedder: 'lsa', communities: 'leiden', graph: GRAPHS }, trials: LAZY },
        ],
      ]
    }),
  )
  return { ...withoutModel, ...modelConfigs(data, world, url) }
}

/** Trials that are compared, each with the one that it differs from. */
const PAIRS: readonly (readonly [trial: string, over: string])[] = [
  ['lightrag keep=20', 'lightrag'],
  ['pathrag unpruned', 'pathrag'],
  ['pathrag order=sources', 'pathrag'],
  ['pathrag-keywords', 'pathrag'],
  ['drift-hyde', 'drift'],
  ['lazy-fusion', 'lazy-graphrag'],
]

/** Reads the figures of an experiment's folder. */
export async function readCosts(folder: string, name: string, by: string): Promise<Measured> {
  const { summary, scores, queries } = await readResults(folder)
  const names = summary.trials.map((one) => one.name)
  const size = queries.id.length
  const valuesOf = (trial: string, measure: string) => {
    const at = names.indexOf(trial)
    const own = scores.get(measure)?.subarray(at * size, (at + 1) * size) ?? []
    return Array.from(own).filter((value) => !Number.isNaN(value))
  }
  const measures = [...scores.keys()]
  const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  return {
    name,
    by,
    queries: valuesOf(names[0], measures[0]).length,
    trials: Object.fromEntries(
      names.map((trial) => [
        trial,
        Object.fromEntries(measures.map((measure) => [measure, rounded(meanOf(valuesOf(trial, measure)))])),
      ]),
    ),
    differences: PAIRS.filter((pair) => pair.every((trial) => names.includes(trial))).flatMap(
      ([trial, over]) =>
        measures.map((measure) => {
          const [now, before] = [valuesOf(trial, measure), valuesOf(over, measure)]
          const [{ difference, low, high }] = compareScores({ now, before }, { baseline: 'before' })
          return {
            trial,
            over,
            measure,
            difference: rounded(difference),
            low: low === null ? null : rounded(low),
            high: high === null ? null : rounded(high),
            changed: now.filter((value, query) => value !== before[query]).length,
          }
        }),
    ),
  }
}

const rounded = (share: number) => Math.round(1e4 * share) / 1e4
