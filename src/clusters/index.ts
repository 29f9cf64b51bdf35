/** Job schedulers by name. The rest of the product reaches a scheduler through this table, which loads its modules on request. */
export const clusters = {
  slurm: () => import('./slurm/executor.ts'),
  k8s: () => import('./k8s/job.ts'),
}
