import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { callsIn } from '../../cli/calls.ts'
import { temporaryFolder } from '../../temporary.ts'
import { writeTowns } from '../experiments.ts'

async function planned() {
  const folder = temporaryFolder({
    'a.yaml': `name: A_b.c\ndataset: towns\ntrials: [bm25, naive]\nmeasures: [recall@5]\ncompare: {draws: 200}\n`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const calls = callsIn(folder, {})
  expect(await calls.run('a', '--detach', '--shard-size', '2')).toMatchObject({ code: 0 })
  return calls
}

const validator = spawnSync('kubernetes-validate', ['--version']).status === 0

test('a job of Kubernetes has a pod a shard, and its volume where the plan looks', async () => {
  const { folder, call } = await planned()
  expect((await call('export', 'a', '--to', 'k8s', '-o', 'job.yaml')).err).toContain('--image IMAGE')
  const words = ['export', 'a', '--to', 'k8s', '--image', 'registry/touchstone:1', '--claim', 'data']
  expect(await call(...words, '-o', 'job.yaml')).toMatchObject({ code: 0 })
  const job = parse(readFileSync(join(folder, 'job.yaml'), 'utf8'))
  const [container] = job.spec.template.spec.containers
  expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'touchstone-a-b-c' } })
  expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 7, parallelism: 7 })
  // Three attempts at each shard.
  expect(job.spec).toMatchObject({ backoffLimitPerIndex: 2 })
  expect(container).toMatchObject({
    image: 'registry/touchstone:1',
    args: ['run-shard', '--plan', join(folder, 'a')],
    volumeMounts: [{ name: 'data', mountPath: folder }],
  })
  // What the pods would do, each with its index.
  for (let index = 0; index < job.spec.completions; index++)
    expect(
      (await callsIn(folder, { JOB_COMPLETION_INDEX: String(index) }).call(...(container.args as string[])))
        .code,
    ).toBe(0)
  expect(await call('run', 'a.yaml', '--workers', '1', '--shard-size', '2', '--out', 'a')).toMatchObject({
    code: 0,
  })
})

test.skipIf(!validator)('it is valid by the official schema', async () => {
  const { folder, call } = await planned()
  await call('export', 'a', '--to', 'k8s', '--image', 'x', '-o', 'job.yaml')
  const checked = spawnSync('kubernetes-validate', ['--strict', join(folder, 'job.yaml')], {
    encoding: 'utf8',
  })
  expect(checked.stdout + checked.stderr).toContain('passed for resource job/')
})
