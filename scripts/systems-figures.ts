import type { Verdict } from '../src/statistics/compare.ts'
import { signed, table } from './pages.ts'
import { byChance } from './sentences.ts'

/** Figures of the five described systems: docs/evidence/systems.json, measured by scripts/systems.ts, and two tables made of it. */

export const SETS = ['srd52', 'claude-docs-100', 'hotpotqa-train-100', 'musique-train-100'] as const

/** Invented world of each config, in datasets/systems. */
export const WORLD = 'its world'

/** Model folder of each embedder. */
export const EMBEDDERS = { MiniLM: 'all-MiniLM-L6-v2', 'bge-small': 'bge-small-en-v1.5' } as const

export type Embedder = keyof typeof EMBEDDERS
const NAMES = Object.keys(EMBEDDERS) as Embedder[]

/** Measured results. Shares are 0 to 1. */
export interface Systems {
  readonly parts: {
    readonly part: string
    readonly set: string
    readonly embedder: Embedder
    readonly measure: string
    /** The mean without the part. */
    readonly before: number
    readonly difference: number
    /** Limits of the 95 % interval; null if too few questions changed. */
    readonly low: number | null
    readonly high: number | null
    readonly verdict: Verdict
  }[]
  readonly claims: {
    readonly trial: string
    readonly set: string
    readonly embedder: Embedder
    /** Milliseconds. */
    readonly p50: number
    readonly p95: number
    readonly recall: number
    /** A query, the answer left out. */
    readonly dollars: number
  }[]
  readonly grids: {
    readonly param: string
    readonly set: string
    readonly embedder: Embedder
    readonly means: readonly (readonly [value: number, mean: number])[]
  }[]
  /** Chapter routing: shares of queries with gold in the chapters, and of the corpus that is searched. */
  readonly chapters: {
    readonly set: string
    readonly embedder: Embedder
    readonly top: number
    readonly coverage: number
    readonly searched: number
    readonly recall: number
    readonly mrr: number
  }[]
  readonly best: {
    readonly set: string
    readonly embedder: Embedder
    readonly category: string
    readonly n: number
    readonly ranked: (readonly [trial: string, mean: number])[]
  }[]
}

/** A part of a system: two rows of its config that differ by it. `only`: the one set of which it is, beside the world. */
export const PARTS: readonly {
  readonly part: string
  readonly config: string
  readonly now: string
  readonly before: string
  readonly only?: string
}[] = [
  { part: 'IDF (001), terms alone', config: 'traversal', now: 'first system + IDF', before: 'first system' },
  {
    part: 'phrases: pairs of neighbouring tokens (001)',
    config: 'traversal',
    now: 'first system + IDF + pairs',
    before: 'first system + IDF',
  },
  {
    part: 'expansion by names of the corpus (001)',
    config: 'traversal',
    now: 'terms alone',
    before: 'first system + IDF + pairs',
  },
  { part: 'dense search beside terms (001)', config: 'traversal', now: 'traversal', before: 'terms alone' },
  { part: 'only what both paths find (001)', config: 'traversal', now: 'both paths', before: 'traversal' },
  { part: 'keywords as in headings (002)', config: 'rag-service', now: 'rag', before: 'without keywords' },
  { part: 'synonyms (002)', config: 'rag-service', now: 'rag', before: 'without synonyms' },
  { part: 'vectors beside words (002)', config: 'rag-service', now: 'rag', before: 'words alone' },
  { part: 'words beside vectors (002)', config: 'rag-service', now: 'rag', before: 'vectors alone' },
  { part: 'one hop (002)', config: 'rag-service', now: '1 hop', before: 'rag' },
  { part: 'a second hop (002)', config: 'rag-service', now: '2 hops', before: '1 hop' },
  { part: 'hops by headings (002)', config: 'rag-service', now: '1 hop', before: '1 hop without headings' },
  { part: 'graph boost by structure (000)', config: 'rulebook', now: 'rulebook', before: 'without boost' },
  { part: 'the same, boost .2 (000)', config: 'rulebook', now: 'boost of .2', before: 'without boost' },
  {
    part: 'graph boost by entities (000)',
    config: 'rulebook',
    now: 'boost over entities',
    before: 'without boost',
  },
  {
    part: 'the 3 best chapters alone (000)',
    config: 'rulebook',
    now: 'chapters chapter-routing.top=3',
    before: 'without boost',
  },
  {
    part: 'the 8 best chapters alone (000)',
    config: 'rulebook',
    now: 'chapters chapter-routing.top=8',
    before: 'without boost',
  },
  {
    part: '3 chapters, where they stand out (000)',
    config: 'rulebook',
    now: 'chapters where they stand out',
    before: 'without boost',
  },
  {
    part: 'aliases of the game (000)',
    config: 'rulebook',
    now: 'aliases',
    before: 'rulebook',
    only: 'srd52',
  },
  {
    part: 'filter: rule-bearing chunks (000)',
    config: 'rulebook',
    now: 'rules alone',
    before: 'rulebook',
    only: 'srd52',
  },
  {
    part: 'scores on the corpus’ scale (000)',
    config: 'rulebook',
    now: 'scale of the corpus',
    before: 'rulebook',
  },
  { part: 'domain codes (004)', config: 'rag-ing', now: 'rag-ing', before: 'without codes' },
  {
    part: 'domain codes, before any rerank (004)',
    config: 'rag-ing',
    now: 'without rerank',
    before: 'without both',
    only: WORLD,
  },
  { part: 'rerank 20 to 5, by words (004)', config: 'rag-ing', now: 'rag-ing', before: 'without rerank' },
  { part: 'routing by rules (003), to naive', config: 'six-strategies', now: 'router', before: 'naive' },
  {
    part: 'routing by rules (003), to hybrid .6',
    config: 'six-strategies',
    now: 'router',
    before: 'hybrid alpha=0.6',
  },
]

/** Claims of seed document 003 about its strategies. */
export const CLAIMS = [
  { trial: 'naive', latency: '< 100 ms', dollars: 0.001, best: 'factual lookup' },
  { trial: 'hybrid alpha=0.6', latency: '< 200 ms', dollars: 0.002, best: 'general use' },
  { trial: 'graphrag-local-simple', latency: '< 500 ms', dollars: 0.003, best: 'entity-centred questions' },
  { trial: 'graphrag-global', latency: '2 to 5 s', dollars: 0.05, best: 'summarisation' },
  {
    trial: 'lightrag-simple entityWeight=0.6',
    latency: '< 300 ms',
    dollars: 0.003,
    best: 'multi-hop questions',
  },
  {
    trial: 'hipporag-simple damping=0.85',
    latency: '< 500 ms',
    dollars: 0.004,
    best: 'exploratory questions',
  },
] as const

const grid = (trial: string, param: string, values: readonly number[]) => ({
  param: `${trial} ${param}`,
  trials: values.map((value) => [value, `${trial} ${param}=${value}`] as const),
})

const ALPHAS = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 1]

/** Params of which seed document 003 names the best value. */
export const CLAIMED_GRIDS = [
  grid('ranks', 'alpha', ALPHAS),
  grid('hybrid', 'alpha', ALPHAS),
  grid('lightrag-simple', 'entityWeight', [0.2, 0.4, 0.6, 0.8, 1]),
  grid('hipporag-simple', 'damping', [0.3, 0.5, 0.7, 0.85, 0.95]),
]

/** docs/evidence/results.md: real sets where each part helps or hurts, and its mean difference. */
export function partsTable({ parts }: Systems): string {
  const verdict = (part: string, embedder: Embedder) => {
    const partRows = parts.filter(
      (row) => row.part === part && row.embedder === embedder && row.set !== WORLD,
    )
    return {
      helps: partRows.filter((row) => row.verdict === 'better').length,
      hurts: partRows.filter((row) => row.verdict === 'worse').length,
      changes: partRows.filter(({ low, difference }) => low !== null || difference !== 0).length,
      tried: partRows.length,
      mean: partRows.reduce((sum, { difference }) => sum + difference, 0) / partRows.length,
    }
  }
  const verdicts = PARTS.map(({ part }) => {
    const both = NAMES.map((embedder) => verdict(part, embedder))
    return { part, both, mean: both.reduce((sum, { mean }) => sum + mean, 0) }
  }).filter(({ both: [{ tried }] }) => tried > 0)
  const significant = verdicts.filter(({ both }) => both.some(({ helps, hurts }) => helps + hurts > 0))
  const still = verdicts.filter(({ both }) => both.every(({ changes }) => changes === 0))
  const untold = verdicts.filter((row) => !significant.includes(row) && !still.includes(row))
  const names = (rows: typeof verdicts) => rows.map(({ part }) => part).join('; ') || 'none'
  const words = (helps: number, hurts: number) =>
    [helps > 0 && `helps on ${helps}`, hurts > 0 && `hurts on ${hurts}`].filter(Boolean).join(', ') ||
    'no set'
  const rows = significant
    .sort((a, b) => b.mean - a.mean)
    .map(({ part, both }) => [
      part,
      ...both.flatMap(({ helps, hurts, tried, mean }) => [
        `${words(helps, hurts)} of ${tried}`,
        signed(mean),
      ]),
    ])
  return `${table(['part (document)', ...NAMES.flatMap((embedder) => [embedder, 'mean'])], rows)}

No significant difference with either embedder: ${names(untold)}. No mean changed: ${names(still)}; a dictionary that the
questions do not use cannot help. ${byChance(parts)}`
}

/** docs/evidence/results.md: claims of seed document 003, and the range of each over the real sets. */
export function claimsTable({ claims }: Systems): string {
  const range = (values: readonly number[], digits: number) =>
    [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)).join(' to ')
  return table(
    ['strategy', 'claimed time', 'p50', 'p95', 'claimed dollars', 'dollars'],
    CLAIMS.map(({ trial, latency, dollars }) => {
      const claimRows = claims.filter((row) => row.trial === trial && row.embedder === 'MiniLM')
      const values = (key: 'p50' | 'p95' | 'dollars') => claimRows.map((row) => row[key])
      return [
        `\`${trial}\``,
        latency,
        range(values('p50'), 1),
        range(values('p95'), 1),
        String(dollars),
        range(values('dollars'), 4),
      ]
    }),
  )
}
