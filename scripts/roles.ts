import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { answerPairs, LABELS } from './roles/labels.ts'
import { labelFile, MEASURE, ROLES, type Role, SIZES } from './roles/list.ts'
import { type Measured, measured } from './roles/measure.ts'
import { rolesPage } from './roles/page.ts'

/**
 * Runs every role of a language model on a real server and writes what its completions are worth: docs/evidence/roles.json, and
 * docs/evidence/roles.md, which is made of it. Completions are stored, so that a run resumes. `--questions` is the number of
 * questions of a set, or of labelled pairs. Its default depends on the size of the model.
 *
 *     npx tsx scripts/roles.ts --url http://127.0.0.1:18080/v1 [--model 0.5b] [--sets world,hotpot] [--only hyde,facts]
 *         [--questions 100] [--out DIR]
 *     npx tsx scripts/roles.ts --write [--out DIR]
 */
const root = resolve(import.meta.dirname, '..')
const shared = process.env.TOUCHSTONE_SHARED ?? join(root, '..', 'shared')
const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const out = resolve(option('out') ?? join(root, 'experiments/roles'))
const sizes = Object.keys(SIZES)
const size = option('model') ?? sizes[0]
if (!sizes.includes(size)) throw new Error(`there is no model ${size}: ${sizes.join(', ')}`)
const questions = Number(option('questions') ?? SIZES[size])
const url = option('url') ?? 'http://127.0.0.1:18080/v1'

/** So many questions of a dataset, evenly spaced, over their gold passages alone. */
function cutTo(from: string, name: string, count: number): string {
  const to = join(out, `${name}-${count}`)
  mkdirSync(join(to, 'qrels'), { recursive: true })
  const lines = (file: string) => readFileSync(join(from, file), 'utf8').trimEnd().split('\n')
  const all = lines('queries.jsonl')
  const queries = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)])
  const asked = new Set(queries.map((line) => JSON.parse(line)._id))
  const [head, ...labels] = lines('qrels/test.tsv')
  const qrels = labels.filter((line) => asked.has(line.split('\t')[0]))
  const gold = new Set(qrels.map((line) => line.split('\t')[1]))
  const passages = lines('corpus.jsonl').filter((line) => gold.has(JSON.parse(line)._id))
  const write = (file: string, rows: readonly string[]) =>
    writeFileSync(join(to, file), `${rows.join('\n')}\n`)
  write('queries.jsonl', queries)
  write('qrels/test.tsv', [head, ...qrels])
  write('corpus.jsonl', passages)
  return to
}

/** File of labelled answers for a judge. */
function writeLabels(role: Role): string {
  const { id, judge } = role
  if (!judge) throw new Error(`${id} is no judge`)
  const file = labelFile(out, role, size)
  const lines = answerPairs(root).slice(0, questions).flatMap(LABELS[judge.labels])
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const SOURCES = {
  world: join(root, 'datasets/systems/six-strategies'),
  hotpot: join(shared, 'data/hotpotqa-train-100'),
}
type SetName = keyof typeof SOURCES
function run(role: Role, set: SetName): void {
  const id = `${role.id}-${set}-${size}`
  const cut = role.goldPassages && set === 'hotpot' ? questions : undefined
  const config = {
    ...{ name: id, dataset: cut ? cutTo(SOURCES[set], set, cut) : SOURCES[set] },
    models: {
      m: {
        'openai-compatible': {
          ...{ baseUrl: url, model: `qwen2.5-coder-${size}-instruct-q4_k_m.gguf` },
          ...{ temperature: 0, seed: 1, maxTokens: role.maxTokens, concurrency: 4, timeout: 900 },
          price: { input: 0, output: 0 },
        },
      },
    },
    prepare: {
      embedder: { transformers: { model: join(shared, 'models/all-MiniLM-L6-v2') } },
      ...role.prepare,
    },
    ...{ trials: role.trials, measures: [MEASURE], compare: { draws: 1000 } },
    ...(role.answer !== undefined && { answer: role.answer }),
    ...(role.judge && {
      judge: [{ [role.id]: { model: 'm', labels: writeLabels(role), ...role.judge.params } }],
    }),
  }
  const file = join(out, `${id}.yaml`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config, null, 2))
  const started = Date.now()
  const options = { '--limit': role.judge ? 1 : questions, '--workers': 1, '-o': join(out, id) }
  const paths = { '--store': join(out, 'store'), '--report': join(out, `${id}.html`) }
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'bin/touchstone.js'),
      ...['run', file, '--allow-empty'],
      ...Object.entries({ ...options, ...paths }).flatMap(([name, value]) => [name, String(value)]),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error(`${id} ended with ${status}`)
  console.log(new Date().toTimeString().slice(0, 8), id, `${Math.round((Date.now() - started) / 1000)} s`)
}

const EVIDENCE = join(root, 'docs/evidence/roles.json')

/** Puts the figures of every finished run below `out` in place of the stored ones, and writes the page. */
async function write(): Promise<void> {
  const stored: Measured = existsSync(EVIDENCE)
    ? JSON.parse(readFileSync(EVIDENCE, 'utf8'))
    : { prompts: [], effects: [], judges: [] }
  const found: Measured[] = []
  for (const role of ROLES)
    for (const set of Object.keys(SOURCES))
      for (const model of sizes) {
        const folder = join(out, `${role.id}-${set}-${model}`)
        if (!existsSync(join(folder, 'manifest.json'))) continue
        found.push(await measured({ role, set, model, folder, completions: join(out, 'store/completions') }))
      }
  const merge = <T>(of: (one: Measured) => readonly T[], keyOf: (row: T) => string) => [
    ...new Map([stored, ...found].flatMap(of).map((row) => [keyOf(row), row])).values(),
  ]
  const labelled = (id: string) => ROLES.some(({ id: one, judge }) => one === id && judge)
  const all: Measured = {
    prompts: merge(
      ({ prompts }) => prompts,
      // A judge reads labelled pairs, whichever set its question is of.
      ({ role, prompt, set, model }) => `${role} ${prompt} ${labelled(role) ? '' : set} ${model}`,
    ),
    effects: merge(
      ({ effects }) => effects,
      ({ role, set, model, now, measure }) => `${role} ${set} ${model} ${now} ${measure}`,
    ),
    judges: merge(
      ({ judges }) => judges,
      ({ role, model }) => `${role} ${model}`,
    ),
  }
  writeFileSync(EVIDENCE, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(join(root, 'docs/evidence/roles.md'), rolesPage(all))
}

mkdirSync(out, { recursive: true })
const only = option('only')?.split(',')
const sets = (option('sets')?.split(',') ?? Object.keys(SOURCES)) as SetName[]
const named = (id: string) => {
  const role = ROLES.find((one) => one.id === id)
  if (!role) throw new Error(`there is no role ${id}`)
  return role
}
if (process.argv.includes('--write')) await write()
else
  for (const role of only?.map(named) ?? ROLES)
    for (const set of sets) {
      try {
        run(role, set)
      } catch (error) {
        console.error(role.id, set, error)
      }
    }
