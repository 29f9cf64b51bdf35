import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { k8sJob } from '../../src/clusters/k8s/job.ts'
import type { StoredPlan } from '../../src/experiment/plan/plan.ts'

const jobOf = (folder: string, { store = '/data/store', name = 'towns', parallelism = 9 } = {}) =>
  parse(
    k8sJob(folder, { experiment: { name }, queries: 100, shardSize: 32, store } as unknown as StoredPlan, {
      ...{ image: 'touchstone:1', claim: 'data', parallelism },
    }),
  )

test.each([
  ['/data/runs/a', '/data/store', '/data'],
  ['/data/a', '/data/a-store', '/data'],
  // The experiment is below the store, or next to a folder whose name begins alike.
  ['/data/store/runs/a', '/data/store', '/data/store'],
  ['/data/a', '/database/store', undefined],
])('the volume of %s and %s is %s', (folder, store, mount) => {
  if (mount === undefined) {
    expect(() => jobOf(folder, { store })).toThrow(
      `${folder}: and the store ${store} share no folder that could be one volume`,
    )
    return
  }
  const [container] = jobOf(folder, { store }).spec.template.spec.containers
  expect(container.volumeMounts).toEqual([{ name: 'data', mountPath: mount }])
  expect(container.args).toEqual(['run-shard', '--plan', folder])
})

test.each([
  [2, 2],
  [4, 4],
  [9, 4],
])('of at most %i pods at once, %i run four shards', (parallelism, pods) => {
  expect(jobOf('/data/a', { parallelism }).spec).toMatchObject({
    ...{ completions: 4, parallelism: pods, backoffLimitPerIndex: 2, completionMode: 'Indexed' },
  })
})

test.each([
  ['A_b.c', 'touchstone-a-b-c'],
  ['a!!b--', 'touchstone-a-b'],
  ['x'.repeat(80), `touchstone-${'x'.repeat(52)}`],
  [`${'x'.repeat(51)}-yz`, `touchstone-${'x'.repeat(51)}`],
])('the job of the experiment %s is %s', (name, label) => {
  expect(jobOf('/data/a', { name }).metadata.name).toBe(label)
})
