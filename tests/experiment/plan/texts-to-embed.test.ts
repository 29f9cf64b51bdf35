import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { embedder, embedTexts } from '../../../src/corpus/dense/embeddings.ts'
import { keepOnly } from '../../../src/experiment/plan/only.ts'
import { openExperiment, prepareAll } from '../../../src/experiment/plan/open.ts'
import { renderPlan } from '../../../src/experiment/plan/render-plan.ts'
import { countTextsToEmbed } from '../../../src/experiment/plan/texts-to-embed.ts'
import { runExperimentFolder } from '../../../src/experiment/run.ts'
import type { Summary } from '../../../src/results/summary.ts'
import { defineArtifact } from '../../../src/store/artifact.ts'
import type { Progress } from '../../../src/types.ts'
import { runOptions, setUp } from '../experiments.ts'

const TRIALS = '[naive, title-ppr, graphrag-local, graphrag-global, lightrag, hipporag]'
const PREPARE =
  'prepare: {embedder: {lsa: {dims: 16}}, graph: [rules, titles], communities: leiden, reports: extractive}\n'

/** Keeps how many texts each `embedding TABLE` came to. */
function watch() {
  const embedded: Record<string, number> = {}
  const progress: Progress = (what, done, total) => {
    const [, table] = /^embedding (.*)$/.exec(what) ?? []
    if (table !== undefined && done === total) embedded[table] = (embedded[table] ?? 0) + total
  }
  return { embedded, progress }
}

/** Plans, then prepares and runs, each as a process of its own would. */
async function planAndRun(
  at: ReturnType<typeof setUp>,
  only?: readonly string[],
  set: readonly string[] = [],
) {
  const whole = await loadConfig(at.config, { set, env: {}, folder: '/' })
  const open = () => openExperiment(only ? keepOnly(whole, only) : whole, at.store)
  const planning = watch()
  const planned = await countTextsToEmbed(await open(), new Map(), planning.progress)
  expect(planning.embedded).toEqual({})
  const made = readdirSync(at.store)
  const { embedded, progress } = watch()
  const prepared = await open()
  const built = (await prepareAll(prepared, progress)).map(({ name }) => name)
  await runExperimentFolder(prepared, runOptions(at.at(`out-${set.length}-${only ?? ''}`), { progress }))
  return { planned, embedded, made, built, again: await countTextsToEmbed(await open(), new Map()) }
}

const withoutZeros = (counts: object) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0))
const zeros = (counts: object) => Object.fromEntries(Object.keys(counts).map((texts) => [texts, 0]))

test('what is planned on a fresh store is what is then embedded; another embedder embeds as many again', async () => {
  const at = setUp(TRIALS, PREPARE)
  const first = await planAndRun(at)
  expect(Object.keys(first.planned).sort()).toEqual(
    ['chunks', 'entities', 'entity_names', 'facts', 'queries', 'relationships', 'reports'].sort(),
  )
  expect(first.planned).toMatchObject({ chunks: 24, queries: 25 })
  expect(withoutZeros(first.planned)).toEqual(first.embedded)
  expect(first.again).toEqual(zeros(first.planned))
  // What planning made is not made again, and nothing that holds vectors is among it.
  expect(first.made).toEqual(
    expect.arrayContaining(['text_units', 'graph', 'communities', 'community_reports']),
  )
  expect(first.made.filter((name) => /^(embed|vectors|lsa|synonym)/.test(name))).toEqual([])
  expect(first.built.filter((name) => first.made.includes(name))).toEqual([])
  const other = await planAndRun(at, undefined, ['prepare.embedder.lsa.dims=8'])
  expect(other.planned).toEqual(first.planned)
  expect(withoutZeros(other.planned)).toEqual(other.embedded)
})

test('a grid of embedders embeds every text by each, and each has its own trial', async () => {
  const at = setUp(
    '[naive]',
    'prepare: {embedder: {grid: {wide: {lsa: {dims: 16}}, narrow: {lsa: {dims: 4}}}}}\n',
  )
  const whole = await loadConfig(at.config, { set: [], env: {}, folder: '/' })
  const { embedded, progress } = watch()
  const open = await openExperiment(whole, at.store)
  expect(await countTextsToEmbed(open, new Map())).toEqual({ chunks: 48, queries: 50 })
  await prepareAll(open, progress)
  expect(embedded).toEqual({ chunks: 48, queries: 50 })
  await runExperimentFolder(open, runOptions(at.at('out')))
  const { trials }: Summary = JSON.parse(readFileSync(join(at.at('out'), 'summary.json'), 'utf8'))
  expect(trials.map(({ name }) => name)).toEqual(['naive embedder=wide', 'naive embedder=narrow'])
  const [wide, narrow] = trials.map(({ measures }) => measures['mrr@10'].mean)
  expect(wide).toBeGreaterThan(narrow)
})

test('with some trials only, only their texts are made and counted', async () => {
  const at = setUp(TRIALS, PREPARE)
  const { planned, embedded, made } = await planAndRun(at, ['naive', 'title-ppr'])
  expect(planned).toEqual({ chunks: 24, queries: 25 })
  expect(embedded).toEqual(planned)
  expect(made.sort()).toEqual(['documents', 'text_units', 'touchstone-store'])
})

test('a text that several tables or datasets hold is counted once, where it is embedded first', async () => {
  const at = setUp('[naive]')
  const open = () =>
    loadConfig(at.config, { set: [], env: {}, folder: '/' }).then((experiment) =>
      openExperiment(experiment, at.store),
    )
  const counted = new Map()
  expect(await countTextsToEmbed(await open(), counted)).toEqual({ chunks: 24, queries: 25 })
  expect(await countTextsToEmbed(await open(), counted)).toEqual({ chunks: 0, queries: 0 })
})

test('texts that are only made with an embedder are not known, and the plan says why', async () => {
  const at = setUp('[naive]')
  const open = await openExperiment(await loadConfig(at.config, { set: [], env: {}, folder: '/' }), at.store)
  const [recipe] = open.recipes
  const texts = defineArtifact({
    name: 'odd_texts',
    version: 1,
    params: null,
    inputs: { embedder: embedder(recipe) },
    open: () => ['one', 'two'],
  })
  const artifacts = [...open.artifacts, embedTexts(recipe, 'odd', texts)]
  const toEmbed = await countTextsToEmbed({ ...open, artifacts }, new Map())
  expect(toEmbed).toEqual({ chunks: 24, queries: 25, odd: null })
  const text = renderPlan({
    ...{
      experiment: 'towns',
      trials: 1,
      named: 1,
      equal: [],
      seeds: [],
      routers: [],
      queries: 25,
      steps: [],
    },
    ...{ toPrepare: ['lsa'], toEmbed },
  })
  expect(text).toContain('\nto embed: chunks, 24\n')
  expect(text).toContain('\nto embed: odd, unknown: they are made with an embedder')
})
