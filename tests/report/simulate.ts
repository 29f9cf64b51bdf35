import type { Json } from '../../src/types.ts'

/** A trial of the fixture: a quality per channel stands for a real strategy. */
export interface SimulatedTrial {
  readonly name: string
  readonly strategy: string
  readonly params: Readonly<Record<string, Json>>
  readonly varied: Readonly<Record<string, Json>>
  /** Mean of the latent quality, around 0. */
  readonly quality: number
  readonly tokens: number
  readonly channels: readonly string[]
}

/** mulberry32: enough for fixtures. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** `count` trials: naive, bm25, a hybrid grid over alpha and pool, then two graph strategies. */
export function simulatedTrials(count: number): SimulatedTrial[] {
  const plain = (strategy: string, quality: number, tokens: number, channels: string[]): SimulatedTrial => ({
    name: strategy,
    strategy,
    params: { pool: 100 },
    varied: {},
    quality,
    tokens,
    channels,
  })
  const fixed = [
    plain('naive', 0, 980, ['dense']),
    plain('bm25', -0.45, 1130, ['lexical']),
    plain('graphrag-local', -0.2, 2400, ['dense', 'graph']),
  ]
  const wanted = count - fixed.length - 2
  const grid: SimulatedTrial[] = []
  const alphas = wanted > 9 ? Math.ceil(Math.sqrt(wanted / 2)) : 3
  const pools = Math.ceil(wanted / alphas / (wanted > 9 ? 2 : 1))
  for (const fusion of wanted > 9 ? ['weighted', 'rrf'] : ['weighted'])
    for (let a = 0; a < alphas; a++)
      for (let p = 0; p < pools && grid.length < wanted; p++) {
        const alpha = Math.round((100 * (a + 1)) / (alphas + 1)) / 100
        const pool = 10 * 2 ** Math.min(p, 6) + (p > 6 ? p : 0)
        const varied = { alpha, pool, ...(wanted > 9 ? { fusion } : {}) }
        grid.push({
          name: `hybrid ${Object.entries(varied)
            .map(([key, value]) => `${key}=${value}`)
            .join(' ')}`,
          strategy: 'hybrid',
          params: { fusion: 'weighted', norm: 'minmax', ...varied },
          varied,
          quality: 0.42 - 2.2 * (alpha - 0.6) ** 2 + 0.04 * Math.min(p, 5) - (fusion === 'rrf' ? 0.12 : 0),
          tokens: 1010 + 9 * p,
          channels: ['dense', 'lexical'],
        })
      }
  const graph = [0.9, 0.5].map((damping, place) => ({
    name: `hipporag damping=${damping}`,
    strategy: 'hipporag',
    params: { damping },
    varied: { damping },
    quality: place === 0 ? 0.12 : 0.62,
    tokens: 1060 + 420 * place,
    channels: ['dense', 'graph'],
  }))
  return [...fixed, ...grid, ...graph]
}

export interface SimulatedQuery {
  readonly id: string
  readonly text: string
  readonly category: string
  readonly answers: readonly string[]
  readonly answerable: boolean
  /** Ids of gold chunks. */
  readonly gold: readonly string[]
}

const SUBJECTS = [
  'the Halden observatory',
  'Ines Varga',
  'the Corrie expedition',
  'the brig Meridian',
  'the Aster seismograph',
  'the Lisse institute',
]
const VERBS = [
  'was founded by',
  'was repaired in',
  'sailed under',
  'was named after',
  'disagreed with',
  'was measured by',
]
const CATEGORIES = ['bridge', 'comparison', 'fact', 'paraphrase']

/** Prose that is about something, so that a look at the page means something. */
export function sentence(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]
  return `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(SUBJECTS)} in ${1860 + Math.floor(random() * 80)}`
}

export function simulatedQueries(count: number, chunks: number, random: () => number): SimulatedQuery[] {
  return Array.from({ length: count }, (_, place) => {
    const category = CATEGORIES[place % CATEGORIES.length]
    const size = category === 'bridge' ? 2 + (place % 3) : category === 'comparison' ? 2 : 1
    const gold = new Set<string>()
    while (gold.size < size) gold.add(`p${String(Math.floor(random() * chunks)).padStart(5, '0')}`)
    return {
      id: `q${String(place).padStart(4, '0')}`,
      text: `Which of the people connected with ${sentence(random)} also ${sentence(random)}?`,
      category,
      answers: [sentence(random).slice(0, 18)],
      answerable: place % 25 !== 24,
      gold: [...gold].sort(),
    }
  })
}
