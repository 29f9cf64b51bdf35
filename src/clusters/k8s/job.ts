import { dirname, sep } from 'node:path'
import { stringify } from 'yaml'
import { UserError } from '../../errors.ts'
import type { StoredPlan } from '../../experiment/plan/plan.ts'
import { shardsOf } from '../../experiment/plan/shards.ts'

interface K8sOptions {
  /** Container image with touchstone, built as in docs/scale.md. */
  readonly image: string
  /** Persistent volume claim with experiment, store and dataset. */
  readonly claim: string
  /** Maximum number of pods at once. */
  readonly parallelism: number
}

/** Attempts per shard. */
const ATTEMPTS = 3

/**
 * YAML of a Kubernetes Job (batch/v1) with one pod per shard (`completionMode: Indexed`): pod i reads its shard number i from
 * JOB_COMPLETION_INDEX. The volume is mounted at the same path as on this machine, since the plan stores the store's path.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/
 */
export function k8sJob(folder: string, plan: StoredPlan, { image, claim, parallelism }: K8sOptions): string {
  const shards = shardsOf(plan).length
  const mount = sharedFolder(folder, plan.store)
  if (mount === sep)
    throw new UserError({
      file: folder,
      message: `and the store ${plan.store} share no folder that could be one volume. Plan again with another --store`,
    })
  return stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: jobName(plan.experiment.name) },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: Math.min(parallelism, shards),
      // Without a limit per index, one broken shard would end the whole job.
      backoffLimitPerIndex: ATTEMPTS - 1,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'shard',
              image,
              args: ['run-shard', '--plan', folder],
              volumeMounts: [{ name: 'data', mountPath: mount }],
            },
          ],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
        },
      },
    },
  })
}

/** Deepest folder that contains both paths. */
function sharedFolder(a: string, b: string): string {
  let shared = dirname(a)
  while (shared !== dirname(shared) && !`${b}${sep}`.startsWith(`${shared}${sep}`)) shared = dirname(shared)
  return shared
}

/** DNS label: at most 63 lower-case letters, digits and hyphens. */
function jobName(name: string): string {
  const label = `touchstone-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return label.slice(0, 63).replace(/(?<!-)-+$/, '')
}
