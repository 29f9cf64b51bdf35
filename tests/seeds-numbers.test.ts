import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { seedRow } from '../scripts/reference/seeds.ts'
import { answerers } from '../src/answer/answerers/index.ts'
import ask from '../src/cli/commands/ask.ts'
import inspect from '../src/cli/commands/inspect.ts'
import { find } from '../src/registry.ts'
import { strategies } from '../src/retrieve/strategies/index.ts'
import { rankingTransforms } from '../src/retrieve/transforms/index.ts'
import { retrieved } from './retrieve/strategies/prepared.ts'

await Promise.all([answerers.load(), rankingTransforms.load()])

const root = resolve(import.meta.dirname, '..')

type Params = Readonly<Record<string, unknown>>
type Trial = Readonly<Record<string, Params>> & {
  readonly after?: readonly Readonly<Record<string, Params>>[]
}

/** Params of a part as they are where nothing is given. */
const strategy = (name: string): Params => find(strategies, name).params.parse({})
const transform = (name: string): Params => find(rankingTransforms, name).params.parse({})

/** Config of a described system. */
function system(name: string) {
  const text = readFileSync(join(root, 'configs/systems', `${name}.yaml`), 'utf8')
  const config = parse(text, { merge: true })
  const trials: (Trial | string)[] = config.trials
  const named = (wanted: string) =>
    trials.find((one) => typeof one === 'object' && String(one.name) === wanted)
  return { config, trials, trial: (wanted: string) => named(wanted) as Trial }
}

const rulebook = system('rulebook').trial('rulebook')
const rag = system('rag-service')
const ing = system('rag-ing')
const boost = rulebook.after?.[0]['graph-boost'] ?? {}
const rerank = ing.trial('from a score of .3').after?.[1].rerank ?? {}
const traversal = strategy('traversal')
const six = system('six-strategies').trial('ranks').hybrid

/** Dense weights that the config of seed document 001 compares. */
function traversalWeights(): unknown[] {
  const { trials } = system('traversal')
  return trials.flatMap((trial) => {
    if (typeof trial === 'string') return trial === 'traversal' ? [traversal.alpha] : []
    const { alpha, grid } = (trial.traversal ?? {}) as { alpha?: number; grid?: { alpha?: number[] } }
    return [...(alpha === undefined ? [] : [alpha]), ...(grid?.alpha ?? [])]
  })
}

/** Numbers of the documents: row, number as the document has it, and what it is here. */
const NUMBERS: readonly [row: string, number: string, here: unknown, value: unknown][] = [
  ['000.34', '1.5', rulebook.hybrid.k1, 1.5],
  ['000.35', '0.75', rulebook.hybrid.b, 0.75],
  [
    '000.37',
    'ALL documents',
    [system('rulebook').trial('scale of the corpus').hybrid.norm, strategy('hybrid').norm],
    ['corpus', 'corpus'],
  ],
  ['000.38', '0.6', rulebook.hybrid.alpha, 0.6],
  ['000.41', '3', [boost.top, transform('graph-boost').top], [3, 3]],
  ['000.42', '2', [boost.hops, transform('graph-boost').hops], [2, 2]],
  ['000.43', '50', [boost.limit, transform('graph-boost').limit], [50, 50]],
  ['000.44', '0.4', [boost.decay, transform('graph-boost').decay], [0.4, 0.4]],
  ['000.59', '--best-practice-boost', [boost.top, boost.hops, boost.limit, boost.decay], [3, 2, 50, 0.4]],
  ['001.32', '7', traversal.terms, 7],
  ['001.33', '0.5', traversal.alpha, 0.5],
  ['001.34', '1.0', traversal.anchorBonus, 1],
  ['001.35', '0.1', traversal.coverageBonus, 0.1],
  ['001.36', '30', [traversal.pool, system('traversal').config.depth], [30, 30]],
  ['001.38', 'false', traversal.requireBothPaths, false],
  ['001.40', '.8', traversalWeights(), expect.arrayContaining([0, 0.2, 0.5, 0.8, 1])],
  ['001.58', '0.2', traversalWeights(), expect.arrayContaining([0, 0.2, 0.4, 0.6, 0.8, 1])],
  [
    ...(['001.50', '1, 2, 5, 10, 20, 30', system('traversal').config.measures] as const),
    expect.arrayContaining([1, 2, 5, 10, 20, 30].map((k) => `recall@${k}`)),
  ],
  ['002.3', '0.45', transform('min-score').least, 0.45],
  ['002.4', '1,000', inspect.options.size.default, 1000],
  ['002.5', '1 hour', inspect.options.ttl.default, 3600],
  ['002.7', '60', [rag.trial('rag').hybrid.rrfK, strategy('hybrid').rrfK], [60, 60]],
  ['002.10', '40', rag.trial('k 40').hybrid.rrfK, 40],
  ['002.31', '2-4', rag.config.prepare.chunk.headings.levels, 4],
  ['002.42', '5', strategy('multi-hop').hopChunks, 5],
  ['002.45', '0.85', strategy('multi-hop').threshold, 0.85],
  ['003.2', '10', system('six-strategies').config.context.top, 10],
  ['003.9', 'top_k*2', six.pool, 2 * system('six-strategies').config.context.top],
  ['003.10', 'BM25Okapi', [six.idf, six.k1, six.b], ['okapi', 1.5, 0.75]],
  ['003.12', '60', [six.fusion, strategy('hybrid').rrfK], ['rrf', 60]],
  ['003.18', '2', strategy('graphrag-local-simple').hops, 2],
  ['003.25', '5', strategy('graphrag-global').communities, 5],
  [
    '003.34',
    '10, 0.6',
    [strategy('lightrag-simple').items, strategy('lightrag-simple').entityWeight],
    [10, 0.6],
  ],
  ['004.7', 'top_k * 2', ing.trial('pool of twice top_k').hybrid.pool, 2 * 5],
  ['004.10', '0.6 / 0.4', ing.trial('rag-ing').hybrid.alpha, 0.6],
  ['004.13', '5', [ing.config.measures[0], ask.options.depth.default], ['recall@5', 5]],
  ['004.14', '1.5', transform('domain-codes').multiplier, 1.5],
  [
    ...(['004.15', 'ERR-\\d{3,6}', transform('domain-codes').patterns] as const),
    ing.trial('rag-ing').after?.[0]['domain-codes'].patterns,
  ],
  ['004.22', '20', [rerank.top, transform('rerank').top], [20, 20]],
  ['004.23', '5', rerank.keep, 5],
  ['004.24', '0.3', rerank.minScore, 0.3],
  [
    ...(['004.27', '6000', ing.config.answer.extractive.maxTokens] as const),
    find(answerers, 'llm').params.parse({ model: 'm' }).maxTokens,
  ],
]

test.each(NUMBERS)(
  'the number of row %s, %s, is the default here or stands in the config of its system',
  (row, number, here, value) => {
    const { feature, value: stated } = seedRow(row)
    expect(`${feature} | ${stated}`).toContain(number)
    expect(here).toEqual(value)
  },
)

test.each([
  ['002.8', 'hybrid', { fusion: 'rrf' }, { alpha: 0.5 }, { alpha: 0.6 }],
  ['002.7', 'hybrid', { fusion: 'rrf' }, { rrfK: 60 }, { rrfK: 40 }],
  ['003.8', 'hybrid', {}, { alpha: 0.5 }, { alpha: 0.6 }],
  ['003.15', 'graphrag-local-simple', {}, { entities: 5 }, { entities: 4 }],
  [
    ...(['003.34', 'lightrag-simple', {}] as const),
    { entities: 10, relationships: 10, entityWeight: 0.6 },
    { relationships: 9 },
  ],
  ['003.39', 'hipporag-simple', {}, { damping: 0.85 }, { damping: 0.5 }],
  ['003.40', 'hipporag-simple', {}, { entities: 5 }, { entities: 4 }],
])('the default of row %s: %s %o is as with %o', (_, name, base, defaults, other: object) => {
  const keyOf = (params: object) => retrieved(name, { ...base, ...params }).ranking.key
  expect(keyOf({})).toBe(keyOf(defaults))
  expect(keyOf({})).not.toBe(keyOf(other))
})
