import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { openExperiment } from '../../src/experiment/plan/open.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { artifactsBelow } from '../../src/store/artifact.ts'
import { finishConfig, runOptions, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/** Files of docs/examples/parts by name, and their config over other data. */
const PARTS = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'parts')
const FILES = Object.fromEntries(
  readdirSync(PARTS)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => [name, readFileSync(join(PARTS, name), 'utf8')]),
)
const CONFIG = readFileSync(join(PARTS, 'parts.yaml'), 'utf8').replace(/^dataset: .*$/m, 'dataset: ./data')
const READ = { set: [], env: {}, folder: '.' }

function project(config: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder({ ...FILES, ...files, 'own.yaml': config })
  writeTowns(join(folder, 'data'))
  return join(folder, 'own.yaml')
}

async function finished(config: string) {
  const folder = join(config, '../run')
  const outcome = await finishConfig(config, join(config, '../store'), runOptions(folder))
  const { result } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  return { folder, result, summary: outcome.summary }
}

test('the files of the docs run from a config, in another process, by its full form and elsewhere with the same result', async () => {
  const config = project(CONFIG)
  const { folder, result, summary } = await finished(config)
  expect(summary.trials.map(({ name }) => name)).toEqual([
    'bm25',
    ...['none', 'reranked', 'near'].flatMap((after) =>
      [32, 256].map((dims) => `naive after=${after} embedder.dims=${dims}`),
    ),
  ])
  expect(summary.trials.map(({ failed }) => failed)).toEqual(Array(7).fill(0))
  const [index] = summary.indexes
  expect(index.prepare).toEqual({
    chunk: 'paragraphs',
    embedder: { letters: { dims: 32 } },
    graph: ['titles', 'years'],
    tokenizer: 'auto',
    language: 'auto',
  })
  expect(index.counts).toMatchObject({ chunks: 24, 'titles: relationships': 24, 'years: entities': 24 })
  expect(JSON.stringify(summary)).not.toContain(join(config, '..'))
  const { trials } = await openSession(folder)
  expect(trials.map(({ name }) => name)).toEqual(summary.trials.map(({ name }) => name))
  const again = join(config, '../again.yaml')
  copyFileSync(join(folder, 'experiment.yaml'), again)
  const [read, full] = [await loadConfig(config, READ), await loadConfig(again, READ)]
  expect(full.trials.map(({ id }) => id)).toEqual(read.trials.map(({ id }) => id))
  expect((await finished(project(CONFIG))).result).toBe(result)
})

test('a changed file makes anew what it made, and nothing else; a session refuses it', async () => {
  const config = project(
    `dataset: ./data
prepare: {chunk: ./paragraphs.mjs, embedder: ./letters.mjs, graph: ./years.mjs}
trials: [{naive: {}, after: [graph-boost]}]
compare: {draws: 200}
`,
  )
  const { folder } = await finished(config)
  /** The artifacts' keys, with which of a name it is. */
  const keys = async () => {
    const { artifacts } = await openExperiment(await loadConfig(config, READ), join(config, '../store'))
    return artifactsBelow(artifacts).map(({ name, key }) => ({ name, key }))
  }
  const before = new Set((await keys()).map(({ key }) => key))
  for (const [file, ...made] of [
    ['years.mjs', 'graph'],
    ['letters.mjs', 'own_embedder'],
    ['paragraphs.mjs', 'text_units', 'graph'],
  ]) {
    writeFileSync(join(config, '..', file), `${FILES[file]}\n`)
    await expect(openSession(folder), file).rejects.toThrow(`${file}: was changed since the config was read`)
    const anew = (await keys()).filter(({ key }) => !before.has(key)).map(({ name }) => name)
    const built = ['documents', 'text_units', 'graph', 'own_embedder'].filter((name) => anew.includes(name))
    expect(built, file).toEqual(made)
    writeFileSync(join(config, '..', file), FILES[file])
  }
})
