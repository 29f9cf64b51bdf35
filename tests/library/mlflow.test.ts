import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { trackRun } from '../../src/library/mlflow.ts'
import { readManifest, readSummary } from '../../src/results/read.ts'
import { callsInTowns } from '../cli/calls.ts'
import { fakeClock } from '../models/fake-server.ts'
import { describeTracking, trackingConfig } from './mlflow-contract.ts'
import { startMlflow } from './mlflow-server.ts'

let server: Awaited<ReturnType<typeof startMlflow>>
beforeAll(async () => {
  server = await startMlflow()
})
afterAll(() => server.stop())

describeTracking(() => server.url)

test('results and report are those of a run without a tracker; the token is in no file and no message', async () => {
  const token = 'tok-canary-81f2'
  vi.stubEnv('MLFLOW_TRACKING_TOKEN', token)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { url, state, asked, stop } = await startMlflow()
  onTestFinished(stop)
  state.plan = ({ authorization = '' }) => ({ status: 403, body: `not with ${authorization}` })
  const { folder, call } = callsInTowns(trackingConfig(url, 'same'))
  const refused = await call('run', 'a.yaml', '--workers', '1')
  expect(refused.code).toBe(0)
  expect(refused.err).toContain('is not in MLflow')
  expect(refused.err).toContain('403 not with Bearer ***')
  expect(asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`])
  const result = () => ({
    hash: readManifest(join(folder, 'experiments/same')).result,
    report: readFileSync(join(folder, 'reports/same.html'), 'utf8'),
  })
  const with_ = result()
  state.plan = () => undefined
  expect((await call('run', 'a.yaml', '--workers', '1')).out).toContain(
    `MLflow: ${url}/#/experiments/1/runs/run0`,
  )
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(token)

  const plain = callsInTowns(trackingConfig(url, 'same').replace(/^track.*$/m, ''))
  await plain.call('run', 'a.yaml', '--workers', '1')
  expect(readManifest(join(plain.folder, 'experiments/same')).result).toBe(with_.hash)
  expect(result()).toEqual(with_)
})

test('a tracker that is down, that fails halfway, or that is none, is a UserError; the parent run is marked', async () => {
  const { url, state, asked, stop } = await startMlflow('s3://bucket')
  const { folder, call } = callsInTowns(trackingConfig(url, 'down').replace(/^track.*$/m, ''))
  await call('run', 'a.yaml', '--workers', '1')
  const experiment = join(folder, 'experiments/down')
  const ran = {
    folder: experiment,
    datasets: [
      { dataset: 'towns', folder: experiment, summary: readSummary(experiment), ran: 0, whole: true },
    ],
    summary: readSummary(experiment),
    whole: true,
  }
  const notices: string[] = []
  const track = () =>
    trackRun(url, ran, [join(folder, 'reports/down.html')], {
      signal: new AbortController().signal,
      notice: (line) => notices.push(line),
      progress() {},
      clock: fakeClock(),
    })
  state.plan = ({ path }) =>
    path.endsWith('log-batch') ? { status: 400, body: 'quota of this project' } : undefined
  await expect(track()).rejects.toThrow('quota of this project')
  expect(asked.at(-1)?.path).toContain('runs/update')
  state.plan = () => ({ status: 200, body: '<html>login' })
  await expect(track()).rejects.toThrow('not an answer of MLflow: <html>login')
  state.plan = () => undefined
  expect(await track()).toEqual([`${url}/#/experiments/1/runs/run2`])
  expect(notices).toEqual([expect.stringContaining('s3://bucket/1/run2/artifacts')])
  await stop()
  await expect(track()).rejects.toThrow('run the same command again when the server answers')
})
