import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'

interface Pair {
  readonly key: string
  readonly value: string | number
}
interface FoundRun {
  readonly info: { readonly run_id: string; readonly run_name: string; readonly status: string }
  readonly data: { readonly tags: Pair[]; readonly params: Pair[]; readonly metrics: Pair[] }
}

/** Config that sends to the server at `url`. A name holds what a page or a shell would take for its own. */
export function trackingConfig(url: string, name: string): string {
  return `name: ${name}
dataset: towns
prepare: {embedder: lsa}
trials: [bm25, {name: '<b>$(x)" é', hybrid: {alpha: 0.3}}]
measures: [recall@5, mrr@10]
compare: {draws: 200}
track: {mlflow: "${url}"}
`
}

/** Every run of the experiment `name`, read as MLflow's own clients read it, by name. */
async function runsAt(url: string, name: string) {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/2.0/mlflow/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the tests look at what came.
    return (await response.json()) as Readonly<Record<'experiments' | 'runs', any>>
  }
  const { experiments = [] } = await post('experiments/search', {
    filter: `name = '${name}'`,
    max_results: 9,
  })
  if (experiments.length === 0) return []
  const request = { experiment_ids: [experiments[0].experiment_id], max_results: 99 }
  const { runs = [] } = await post('runs/search', request)
  const values = (pairs: readonly Pair[] = []) =>
    Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
  return runs
    .map(({ info, data }: FoundRun) => ({
      id: info.run_id,
      name: info.run_name,
      status: info.status,
      experiment: experiments[0].experiment_id as string,
      tags: values(data.tags),
      params: values(data.params),
      metrics: values(data.metrics),
    }))
    .sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
}

/** Contract of tracking, for a server of the tests and a real one. */
export function describeTracking(urlOf: () => string): void {
  test('a run is in MLflow once: a parent with the report, and a child for each row', async () => {
    const url = urlOf()
    const { folder, call } = callsInTowns(trackingConfig(url, 'tracked'))
    const first = await call('run', 'a.yaml', '--workers', '1', '--json')
    expect(first).toMatchObject({ code: 0, err: expect.not.stringContaining('MLflow:') })
    const { tracked, summary } = JSON.parse(first.out)
    const [trial, bm25, parent] = await runsAt(url, 'tracked')
    expect(tracked).toEqual([`${url}/#/experiments/${parent.experiment}/runs/${parent.id}`])
    expect([parent.name, bm25.name, trial.name]).toEqual(['tracked towns', 'bm25', '<b>$(x)" é'])
    expect([parent, bm25, trial].map(({ status }) => status)).toEqual(Array(3).fill('FINISHED'))
    expect([bm25, trial].map(({ tags }) => tags['mlflow.parentRunId'])).toEqual([parent.id, parent.id])
    expect(bm25.tags['touchstone.verdict']).toBe('baseline')
    expect(trial.params).toMatchObject({ strategy: 'hybrid', alpha: '0.3', chunk: 'passages' })
    const { mean, low, high } = summary.trials[0].measures['recall@5']
    expect(bm25.metrics).toMatchObject({ recall_at_5: mean, recall_at_5_low: low, recall_at_5_high: high })
    expect(trial.metrics).toHaveProperty('recall_at_5_difference')
    expect(parent.metrics).toHaveProperty('best_recall_at_5')
    const report = `${parent.experiment}/${parent.id}/artifacts/report.html`
    const artifact = await fetch(`${url}/api/2.0/mlflow-artifacts/artifacts/${report}`)
    expect(await artifact.text()).toBe(readFileSync(join(folder, 'reports', 'tracked.html'), 'utf8'))

    const again = await call('run', 'a.yaml', '--workers', '1')
    expect(again.out).toContain(`MLflow: ${tracked[0]}`)
    expect(await runsAt(url, 'tracked')).toHaveLength(3)
  })

  test('an experiment over several datasets is a parent for each, and one for the macro mean', async () => {
    const { call } = callsInTowns(
      trackingConfig(urlOf(), 'several').replace('dataset: towns', 'dataset: [towns, more]'),
    )
    expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
    const runs = await runsAt(urlOf(), 'several')
    const parents = runs.filter(({ tags }: { tags: object }) => 'touchstone.result' in tags)
    expect(parents.map(({ name }: { name: string }) => name)).toEqual([
      'several macro mean',
      'several more',
      'several towns',
    ])
    expect(runs).toHaveLength(9)
  })
}
