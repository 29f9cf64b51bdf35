#!/usr/bin/env bash
# Ends what start.sh began in FOLDER: jobs, nodes, controller and munge.
set -uo pipefail
folder="$(realpath -m "$1")"
export SLURM_CONF="$folder/slurm.conf"
timeout 10 scancel --user="$(id -un)" 2>/dev/null
for name in n1 n2 slurmctld munge/pid; do
  file="$folder/$name"
  [ -e "$file.pid" ] && file="$file.pid"
  [ -f "$file" ] && kill "$(cat "$file")" 2>/dev/null
done
sleep 1
exit 0
