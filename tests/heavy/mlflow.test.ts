import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'
import { describeTracking, trackingConfig } from '../library/mlflow-contract.ts'
import { sharedFolder } from '../temporary.ts'

/** A real server of MLflow 3.17.2 from PyPI, in an environment of its own: its packages exclude those of other tests. */
const MLFLOW = fileURLToPath(new URL('../../.ci/mlflow/bin/mlflow', import.meta.url))
const installed = existsSync(MLFLOW)
const missing =
  'MLflow is not installed (python3 -m venv .ci/mlflow && .ci/mlflow/bin/pip install mlflow==3.17.2)'
if (!installed && process.env.CI) throw new Error(missing)
if (!installed) process.stderr.write(`left out: ${missing}\n`)

/** Apart from the ports of the engines, whose tests may run at the same time. */
const PORT = '9401'
const URL_ = `http://127.0.0.1:${PORT}`

describe.runIf(installed)('MLflow 3.17', () => {
  const root = sharedFolder()
  let server: ChildProcess
  beforeAll(async () => {
    const at = ['--host', '127.0.0.1', '--port', PORT, '--workers', '1']
    const stores = [
      '--backend-store-uri',
      'sqlite:///runs.db',
      '--artifacts-destination',
      join(root, 'artifacts'),
    ]
    server = spawn(MLFLOW, ['server', ...at, ...stores], { cwd: root, detached: true, stdio: 'ignore' })
    const answers = () =>
      fetch(`${URL_}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await answers())) {
      if (server.exitCode !== null) throw new Error(`MLflow ended with ${server.exitCode}`)
      await sleep(500)
    }
  }, 300_000)
  afterAll(() => {
    if (server.pid && server.exitCode === null) process.kill(-server.pid, 'SIGKILL')
  })

  describeTracking(() => URL_)
})

test('a tracker that is down costs seconds, a line, and nothing else', async () => {
  const { call } = callsInTowns(trackingConfig('http://127.0.0.1:9', 'down'))
  const { code, out, err } = await call('run', 'a.yaml', '--workers', '1')
  expect(code).toBe(0)
  expect(out).toContain('bm25 leads')
  expect(err.match(/is not in MLflow/g)).toHaveLength(1)
})
