import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { temporaryFolder } from '../temporary.ts'

const MINE = `export default ({ defineStrategy, z, steps }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({ pool: z.int().default(5) }),
  make: (params) => ({ retrieve: (query) => ({ ranking: steps.searchDense([steps.embedQuery([query], null)], { depth: params.pool }) }) }),
})`

const CONFIG = `
dataset: {beir: {path: data}}
prepare: {chunk: {grid: [passages, sentences]}}
trials:
  - naive
  - ./mine.mjs: {grid: {pool: [5, 10]}}
  - hybrid: {grid: {alpha: [0.3, 0.5]}}
compare: {baseline: naive chunk=passages}
`

function project(config = CONFIG, mine = MINE): string {
  return temporaryFolder({
    'configs/a.yaml': config,
    'configs/mine.mjs': mine,
    'configs/data/corpus.jsonl': '',
  })
}

const load = (folder: string, set: string[] = [], file = 'configs/a.yaml') =>
  loadConfig(file, { set, env: {}, folder })
const ids = (experiment: { trials: readonly { id: string }[] }) => experiment.trials.map(({ id }) => id)

describe('ids of trials', () => {
  test('are of content: the same wherever the config lies and in whatever order it is written', async () => {
    const first = await load(project())
    expect(ids(await load(project()))).toEqual(ids(first))
    const turned = `${CONFIG.replace('  - naive\n', '')}`.replace(
      '  - hybrid: {grid: {alpha: [0.3, 0.5]}}\n',
      '  - hybrid: {grid: {alpha: [0.5, 0.3]}}\n  - naive\n',
    )
    expect(new Set(ids(await load(project(turned))))).toEqual(new Set(ids(first)))
    expect(new Set(ids(first)).size).toBe(10)
  })

  test('change with what a trial is: a param, its recipe, the content of its own file; not with its name', async () => {
    const loadTrial = (trial: string, more = '') =>
      load(project(`dataset: data\ntrials: [${trial}]\n${more}`, MINE))
    const [plain] = ids(await loadTrial('naive'))
    expect(ids(await loadTrial('{naive: {pool: 100}, name: called}'))).toEqual([plain])
    expect(ids(await loadTrial('{naive: {pool: 99}}'))).not.toEqual([plain])
    expect(ids(await loadTrial('naive', 'prepare: {chunk: sentences}'))).not.toEqual([plain])
    const file = async (text: string) => ids(await load(project('dataset: data\ntrials: [./mine.mjs]', text)))
    expect(await file(MINE)).not.toEqual(await file(`${MINE}\n// changed`))
  })
})

describe('models', () => {
  const models = (text: string) =>
    `dataset: {beir: {path: data}}\nmodels: {a: ${text}, b: {openai: {model: y}}}\n`
  const trials = (name: string) => `trials: [{naive: {}, before: [{hyde: {model: ${name}}}]}]\n`
  const idsOf = async (config: string) => ids(await load(project(config)))

  test('are known by what decides their answers, not by their name, address, price or pace', async () => {
    const first = await idsOf(models('{openai: {model: x}}') + trials('a'))
    const same = [
      models('{openai: {model: x, concurrency: 9, price: {input: 1, output: 2}, timeout: 5}}') + trials('a'),
      models('{openai: {model: x, baseUrl: "https://elsewhere.example/v1", apiKeyEnv: MINE}}') + trials('a'),
      (models('{openai: {model: x}}') + trials('c')).replace('{a:', '{c:'),
    ]
    for (const config of same) expect(await idsOf(config)).toEqual(first)
    for (const other of [
      'model: z',
      'model: x, temperature: 0',
      'model: x, fallback: b',
      'model: x, revision: q4',
    ])
      expect(await idsOf(models(`{openai: {${other}}}`) + trials('a'))).not.toEqual(first)
  })
})

describe('rerankers', () => {
  const idsOf = async (rerankers: string, by: string) =>
    ids(
      await load(
        project(
          `dataset: data\nrerankers: ${rerankers}\ntrials: [{bm25: {}, after: [{rerank: {by: ${by}}}]}]\n`,
        ),
      ),
    )

  test('are known by what decides their scores, not by their name', async () => {
    const first = await idsOf('{a: {embedding: {embedder: lsa}}}', 'a')
    expect(await idsOf('{b: {embedding: {embedder: {lsa: {dims: 400}}}}}', 'b')).toEqual(first)
    expect(await idsOf('{a: {embedding: {embedder: {lsa: {dims: 20}}}}}', 'a')).not.toEqual(first)
    expect(await idsOf('{a: embedding}', 'a')).toEqual(await idsOf('{}', 'embedding'))
  })
})

describe('paths', () => {
  test('in the file are relative to the file, in --set to the working folder', async () => {
    const folder = project()
    cpSync(join(folder, 'configs/data'), join(folder, 'elsewhere'), { recursive: true })
    expect((await load(folder)).datasets).toMatchObject([
      { name: 'beir', params: { path: join(folder, 'configs/data') } },
    ])
    const set = await load(folder, ['dataset=elsewhere'])
    expect(set.datasets).toMatchObject([{ name: 'beir', params: { path: join(folder, 'elsewhere') } }])
    const below = await load(folder, ['dataset.beir.path=elsewhere'])
    expect(below.datasets).toMatchObject([{ params: { path: join(folder, 'elsewhere') } }])
  })
})

test('the resolved config, written elsewhere, loads to the same experiment', async () => {
  const folder = project()
  const first = await load(folder, ['depth=20', 'measures=[recall@10]'])
  mkdirSync(join(folder, 'out/deep'), { recursive: true })
  writeFileSync(join(folder, 'out/deep/experiment.yaml'), stringify(first.resolved))
  const again = await load(folder, [], 'out/deep/experiment.yaml')
  const unplaced = ({ trials, ...rest }: typeof first) => ({
    ...rest,
    recipeLocations: null,
    trials: trials.map((trial) => ({ ...trial, location: null })),
  })
  expect(unplaced(again)).toEqual({ ...unplaced(first), file: join(folder, 'out/deep/experiment.yaml') })
})

test('environment values stand where they are asked for and nowhere else', async () => {
  const folder = project('dataset: "${WHERE}"\ntrials: [{naive: {}, name: "of $WHERE"}]')
  const experiment = await loadConfig('configs/a.yaml', { set: [], env: { WHERE: 'data' }, folder })
  expect(experiment.datasets[0].params.path).toBe(join(folder, 'configs/data'))
  expect(experiment.trials[0].name).toBe('of $WHERE')
})
