import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { z } from 'zod'
import { readBody } from '../models/http/body.ts'
import { type Clock, realClock } from '../models/http/limiter.ts'
import { readKey } from '../models/http/params.ts'
import { openServer } from '../models/http/server.ts'
import type { BoardRow } from '../report/board.ts'
import { boardOf } from '../report/make-board.ts'
import { verdictSentence } from '../report/sections/verdict.tsx'
import { readManifest } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { VERSION } from '../version.ts'
import type { RanExperiment, RunConfigOptions } from './run-config.ts'

/**
 * Results in an MLflow server, over its REST API 2.0, in the form of MLflow's own grid searches: a parent run for each dataset
 * and one for the macro mean, each with its report and a child run for each row. https://mlflow.org/docs/latest/rest-api.html
 */

type Values = Readonly<Record<string, unknown>>
type RunContent = Readonly<Record<'tags' | 'params' | 'metrics', Values> & { name: string }>

const ANY = z.unknown()
const EXPERIMENT = z.object({ experiment_id: z.string() })
const EXPERIMENTS = z.object({ experiments: z.array(EXPERIMENT).default([]) })
const RUN = z.object({ info: z.object({ run_id: z.string(), artifact_uri: z.string() }) })
const RUNS = z.object({ runs: z.array(RUN).default([]) })
const LONGEST_ANSWER = 2 ** 20
/** Characters that every storage takes. */
const LONGEST_VALUE = 5000

/**
 * Sends an experiment with its reports, in the order of the datasets, the macro mean last. Resolves with the
 * address of each parent run. A result's hash is a tag, so nothing is sent twice. Throws a UserError if the server
 * does not take it; `notice` receives omissions.
 */
export async function trackRun(
  uri: string,
  { folder, datasets, summary }: RanExperiment,
  reports: readonly string[],
  options: Pick<RunConfigOptions, 'signal' | 'notice' | 'progress'> & { readonly clock?: Clock },
): Promise<string[]> {
  const { signal, notice, progress, clock = realClock } = options
  const server = openServer({ baseUrl: uri, ...login(), limits: { concurrency: 1 }, clock, seed: 0 })
  const post = <T>(path: string, body: Values | Buffer, answer: z.ZodType<T>) =>
    server.post({
      path: `/api/2.0/${path}`,
      body,
      signal,
      async read(response) {
        const { text } = await readBody(response, LONGEST_ANSWER)
        try {
          return answer.parse(JSON.parse(text || '{}'))
        } catch {
          throw server.stop(`not an answer of MLflow: ${server.quote(text)}`)
        }
      },
    })

  const results = datasets.map((run): [string, Summary, string] => [
    run.dataset,
    run.summary,
    readManifest(run.folder).result,
  ])
  if (datasets.length > 1) results.push(['macro mean', summary, readManifest(folder).result])
  const name = results[0][1].experiment
  const named = { filter: `name = '${name}'`, max_results: 1 }
  const { experiments } = await post('mlflow/experiments/search', named, EXPERIMENTS)
  const { experiment_id } = experiments[0] ?? (await post('mlflow/experiments/create', { name }, EXPERIMENT))

  const addresses: string[] = []
  for (const [index, [dataset, result, hash]] of results.entries()) {
    const filter = `tags.\`touchstone.result\` = '${hash}' and attributes.status = 'FINISHED'`
    const hashed = { experiment_ids: [experiment_id], filter, max_results: 1 }
    const sent = await post('mlflow/runs/search', hashed, RUNS)
    const id = sent.runs[0]?.info.run_id ?? (await sendRuns(runsOf(result, dataset), hash, reports[index]))
    addresses.push(`${uri.replace(/(?<!\/)\/+$/, '')}/#/experiments/${experiment_id}/runs/${id}`)
  }
  return addresses

  async function sendRuns([parent, ...rows]: RunContent[], hash: string, report: string): Promise<string> {
    const { run_id: id, artifact_uri } = await begin(parent, { 'touchstone.result': hash })
    try {
      for (const [done, row] of rows.entries()) {
        progress('rows to MLflow', done, rows.length)
        const { run_id } = await begin(row, { 'mlflow.parentRunId': id })
        await end(run_id, 'FINISHED', row)
      }
      const [, folder] = /^mlflow-artifacts:\/([^/].*)$/.exec(artifact_uri) ?? []
      const path = `mlflow-artifacts/artifacts/${folder}/report.html`
      if (folder === undefined)
        notice(`MLflow's artifacts are not behind its server; it has no report: ${artifact_uri}`)
      else await post(path, readFileSync(report), ANY)
      await end(id, 'FINISHED', parent)
      return id
    } catch (error) {
      await end(id, 'FAILED').catch(() => {})
      throw error
    }
  }

  async function begin({ name, tags }: RunContent, more: Values) {
    const source = { 'mlflow.runName': name, 'mlflow.source.name': `touchstone ${VERSION}` }
    const all = texts({ ...source, ...tags, ...more })
    const body = { experiment_id, run_name: name, start_time: Date.now(), tags: all }
    return (await post('mlflow/runs/create', body, z.object({ run: RUN }))).run.info
  }

  async function end(run_id: string, status: string, content?: RunContent) {
    const timestamp = Date.now()
    const metrics = pairs(content?.metrics ?? {}).map((metric) => ({ ...metric, timestamp, step: 0 }))
    const params = texts(content?.params ?? {})
    if (content) await post('mlflow/runs/log-batch', { run_id, params, metrics }, ANY)
    await post('mlflow/runs/update', { run_id, status, end_time: timestamp }, ANY)
  }
}

/** User and password, otherwise a token, as MLflow's own clients read them. */
function login() {
  const { MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: password } = env
  const basic = user && password ? Buffer.from(`${user}:${password}`).toString('base64') : undefined
  const token = basic ?? readKey(env.MLFLOW_TRACKING_TOKEN ? 'MLFLOW_TRACKING_TOKEN' : undefined, 'MLflow')
  const authorization = `${basic ? 'Basic' : 'Bearer'} ${token}`
  return { headers: { ...(token && { authorization }) }, secrets: [token ?? '', password ?? ''] }
}

/** Parent run, with the metrics of the best row as `best_...`, and a run for each row. */
function runsOf(summary: Summary, dataset: string): RunContent[] {
  const board = boardOf(summary)
  const rows = [...board.ranked, ...board.seen].map((row) => runOf(row, summary))
  const best = Object.entries(rows[0].metrics).map(([key, value]) => [`best_${key}`, value])
  const parent = {
    name: `${board.experiment} ${dataset}`,
    tags: { 'mlflow.note.content': verdictSentence(board), 'touchstone.dataset': dataset },
    params: { dataset, primary: board.primary, best: rows[0].name },
    metrics: Object.fromEntries(best),
  }
  return [parent, ...rows]
}

function runOf(
  { id, name, kind, strategy, measures, compared, baseline }: BoardRow,
  summary: Summary,
): RunContent {
  const trial = summary.trials.find((candidate) => candidate.id === id)
  const { params, varied, variant = 0, filter, engine, language, before, after } = trial ?? {}
  const prepare = trial && (summary.indexes[variant]?.prepare as Values)
  const { difference: mean = null, low = null, high = null } = compared ?? {}
  const estimates = Object.entries({ ...measures, [`${summary.primary}_difference`]: { mean, low, high } })
  return {
    name,
    tags: { 'touchstone.row': kind, 'touchstone.verdict': baseline ? 'baseline' : compared?.verdict },
    params: { strategy, ...prepare, ...varied, ...params, filter, engine, language, before, after },
    metrics: Object.fromEntries([
      ...estimates.flatMap(([key, { mean, low, high }]) => [
        [key, mean],
        [`${key}_low`, low],
        [`${key}_high`, high],
      ]),
      ['p_adjusted', compared?.adjusted],
    ]),
  }
}

/** Names have no `@`: `recall@5` becomes `recall_at_5`, as in MLflow's own evaluation. */
function pairs(values: Values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ({ key: key.replaceAll('@', '_at_').replace(/[^\p{L}\p{N}_.-]+/gu, '_'), value }))
}

function texts(values: Values) {
  return pairs(values).map(({ key, value }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return { key, value: text.slice(0, LONGEST_VALUE) }
  })
}
