#!/bin/bash
#SBATCH --job-name=touchstone
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --time=60
# Runs an experiment as an array job, on a folder and a store that all nodes share:
#     sbatch docs/examples/slurm-array.sh mine.yaml 8       # the number of tasks, as in --array
#     touchstone run mine.yaml --collect                    # names the shards that are missing
#     sbatch --array=3 docs/examples/slurm-array.sh mine.yaml 8       # repeats the task 3
set -e
${TOUCHSTONE:-touchstone} run "$1" --shards "$SLURM_ARRAY_TASK_ID/$2" --workers "$SLURM_CPUS_PER_TASK" "${@:3}"
