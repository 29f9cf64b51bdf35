import { dirname, sep } from 'node:path'
import { stringify } from 'yaml'
import { UserError } from '../../errors.ts'
import type { StoredPlan } from '../plan/plan.ts'
import { shardsOf } from '../plan/shards.ts'

export interface K8sOptions {
  /** What holds touchstone, as docs/docker.md builds it. */
  readonly image: string
  /** The claim of the volume that holds experiment, store and dataset. */
  readonly claim: string
  /** Pods at once. */
  readonly parallelism: number
}

/** How often one shard is tried. */
const TRIES = 3

/**
 * A Kubernetes Job, batch/v1, of one pod a shard (`completionMode: Indexed`): pod i runs shard i, which it takes from
 * JOB_COMPLETION_INDEX. The volume is mounted where the folders lie here, since the plan names the store by its path.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/
 */
export function k8sJob(folder: string, plan: StoredPlan, { image, claim, parallelism }: K8sOptions): string {
  const shards = shardsOf(plan)
  if (shards.some(({ round }) => round > 0))
    throw new UserError({
      file: folder,
      message: 'is a race, whose shards come in rounds; a job of Kubernetes runs them in any order',
    })
  const mount = sharedFolder(folder, plan.store)
  if (mount === sep)
    throw new UserError({
      file: folder,
      message: `and the store ${plan.store} share no folder that could be one volume; name another --store`,
    })
  return stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: jobName(plan.experiment.name) },
    spec: {
      completionMode: 'Indexed',
      completions: shards.length,
      parallelism: Math.min(parallelism, shards.length),
      // Without a limit of its own one broken shard would end all.
      backoffLimitPerIndex: TRIES - 1,
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

/** The deepest folder that holds both. */
function sharedFolder(a: string, b: string): string {
  let shared = dirname(a)
  while (shared !== dirname(shared) && !`${b}${sep}`.startsWith(`${shared}${sep}`)) shared = dirname(shared)
  return shared
}

/** A DNS label: small letters, digits and hyphens, at most 63. */
function jobName(name: string): string {
  const label = `touchstone-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return label.slice(0, 63).replace(/-+$/, '')
}
