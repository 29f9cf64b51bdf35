import { z } from 'zod'

const slurm = z.strictObject({
  partition: z
    .string()
    .regex(/^[\w.,-]+$/, "must be a partition's name")
    .optional()
    .describe("the partition; default: the cluster's default"),
  timeoutMinutes: z.int().min(1).max(100_000).default(60).describe('time limit of one task'),
  cpusPerTask: z
    .int()
    .min(1)
    .max(1024)
    .default(1)
    .describe('cores of a task, which runs as many of its shards at once'),
  memoryGb: z
    .number()
    .gt(0)
    .max(100_000)
    .optional()
    .describe("memory of a task; default: the cluster's default"),
  arrayParallelism: z.int().min(1).max(100_000).default(256).describe('tasks at once'),
  shardsPerTask: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'shards of a task, which opens the experiment once for all of them; default: measured by one local shard, so that starting takes a tenth of a task',
    ),
  rounds: z.int().min(1).max(100).default(3).describe('submissions of a shard without a result'),
  setup: z
    .array(z.string())
    .default([])
    .describe('lines of shell that a task begins with, as `module load nodejs/20`'),
  command: z
    .string()
    .min(1)
    .optional()
    .describe(
      'command that runs touchstone in a task, as `apptainer exec touchstone.sif touchstone`; default: this installation',
    ),
})

/** Key `executor`: the machines that run shards. The result does not depend on it. */
export const executor = z.strictObject({
  slurm: slurm.describe("job arrays of Slurm; the names are those of Hydra's submitit launcher"),
})

export type SlurmSettings = z.output<typeof slurm>
