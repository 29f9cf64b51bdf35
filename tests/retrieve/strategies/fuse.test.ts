import { expect, it } from 'vitest'
import type { Trial } from '../../../src/config/experiment.ts'
import { compileTrials } from '../../../src/experiment/plan/compile.ts'
import { align, fuse } from '../../../src/ranking/fuse.ts'
import { find } from '../../../src/registry.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../../../src/retrieve/transforms/index.ts'
import { questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe } from './prepared.ts'

const registries = {
  strategies: strategies.byName,
  before: queryTransforms.byName,
  after: rankingTransforms.byName,
}

function trial(name: string, strategy: string, params: Record<string, unknown> = {}, more = {}): Trial {
  const parsed = find(strategies, strategy).params.parse(params) as never
  const bare = { varied: {}, before: [], after: [], recipe: 0, location: {} }
  return { id: name, name, strategy, params: parsed, ...bare, ...more }
}

const compile = (...trials: Trial[]) => compileTrials(trials, [recipe], registries)

it('is the fusion of what the trials that it names give, transforms and all, computed once', async () => {
  const cut = { after: [{ name: 'min-score', params: { least: 0.1 } }] }
  const compiled = compile(
    trial('dense', 'naive', {}, cut),
    trial('words', 'bm25'),
    trial('links', 'title-ppr'),
    trial('ranks', 'fuse', { of: ['dense', 'words', 'links'], weights: [1, 2, 3], rrfK: 20 }),
    trial('scores', 'fuse', { of: ['words', 'dense'], fusion: 'combmnz' }),
  )
  const store = await prepare(
    temporaryFolder(),
    compiled.map(({ ranking }) => ranking),
  )
  const [dense, words, links, ranks, scores] = await Promise.all(
    compiled.map(({ ranking }) => evaluate(store, ranking, questions)),
  )
  questions.forEach((_, place) => {
    const lists = [dense[place], words[place], links[place]]
    const weighted = [1, 2, 3].map((weight) => ({ weight }))
    expect({ ...ranks[place] }).toEqual({ ...fuse(align(lists), weighted, { fusion: 'rrf', rrfK: 20 }) })
    const sides = [{ weight: 1 }, { weight: 1 }]
    const how = { fusion: 'combmnz', norm: 'minmax' } as const
    expect({ ...scores[place] }).toEqual({ ...fuse(align([words[place], dense[place]]), sides, how) })
  })
  const memo = createMemo(store, questions, () => 0)
  for (const { ranking } of compiled) await memo.cells(ranking)
  for (const step of ['dense', 'bm25', 'min-score', 'title-walk'])
    expect(memo.computed.get(step), step).toBe(questions.length)
})

it('computes no trial that has no weight, and fuses what is transformed before it', () => {
  const rewritten = { before: [{ name: 'normalize-keywords', params: {} }] }
  const compiled = compile(
    trial('dense', 'naive'),
    trial('words', 'bm25'),
    trial('alone', 'fuse', { of: ['dense', 'words'], weights: [0, 1] }),
    trial('rewritten', 'fuse', { of: ['dense', 'words'], weights: [0, 1] }, rewritten),
    trial('rewritten words', 'bm25', {}, rewritten),
  )
  const keys = new Map(compiled.map(({ name, ranking }) => [name, ranking.key]))
  expect(keys.get('alone')).toBe(keys.get('words'))
  expect(keys.get('rewritten')).toBe(keys.get('rewritten words'))
  expect(keys.get('rewritten')).not.toBe(keys.get('words'))
})

it('takes the evidence of all along, each text once', async () => {
  const [local, light, both] = compile(
    trial('local', 'graphrag-local'),
    trial('light', 'lightrag'),
    trial('both', 'fuse', { of: ['local', 'light'] }),
  ).map(({ evidence }) => evidence)
  if (!local || !light || !both) throw new Error('no evidence')
  const store = await prepare(temporaryFolder(), [local, light, both])
  const [ofLocal, ofLight, ofBoth] = await Promise.all(
    [local, light, both].map((root) => evaluate(store, root, questions)),
  )
  questions.forEach((_, place) => {
    const texts = [...ofLocal[place], ...ofLight[place]].map(({ kind, id, text }) => `${kind} ${id} ${text}`)
    expect(ofBoth[place].map(({ kind, id, text }) => `${kind} ${id} ${text}`)).toEqual([...new Set(texts)])
  })
})

it('weighs the lists where a fusion can, and takes the evidence of the only trial that has some', () => {
  const local = trial('local', 'graphrag-local')
  const fused = (params: object) =>
    compile(trial('words', 'bm25'), local, trial('both', 'fuse', { of: ['words', 'local'], ...params }))[2]
  const paramsOf = (params: object) => fused(params).ranking.params
  expect(paramsOf({ weights: [2, 3] })).toEqual({ fusion: 'rrf', rrfK: 60, weights: [2, 3] })
  expect(paramsOf({ fusion: 'weighted', weights: [2, 3], norm: 'zscore' })).toEqual({
    fusion: 'weighted',
    norm: 'zscore',
    weights: [2, 3],
  })
  // Neither weighs.
  for (const fusion of ['max', 'combmnz'])
    expect(paramsOf({ fusion, weights: [0, 3] })).toEqual({ fusion, norm: 'minmax', weights: [1, 1] })
  const [{ evidence }] = compile(local)
  expect(fused({}).evidence?.key).toBe(evidence?.key)
})

it('refuses what is not there, what is several trials, and a circle', () => {
  const fused = (...of: string[]) => trial('f', 'fuse', { of })
  expect(() => compile(trial('a', 'naive'), fused('a', 'b'))).toThrow('there is no trial b')
  const [one, two] = [trial('hybrid x=1', 'hybrid'), trial('hybrid x=2', 'hybrid', { alpha: 0.2 })]
  expect(() => compile(trial('a', 'naive'), one, two, fused('a', 'hybrid'))).toThrow('hybrid is 2 trials')
  expect(() => compile(trial('a', 'naive'), fused('a', 'f'))).toThrow('back to itself: f -> f')
})
