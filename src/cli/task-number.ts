/** Where schedulers of job arrays number their tasks: Slurm, and Kubernetes' indexed jobs. */
export const TASKS = ['SLURM_ARRAY_TASK_ID', 'JOB_COMPLETION_INDEX'] as const

export function taskNumber(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return TASKS.map((name) => env[name]).find((number) => number !== undefined)
}
