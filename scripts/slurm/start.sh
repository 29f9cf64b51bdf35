#!/usr/bin/env bash
# Starts a Slurm of two nodes on this machine, for tests: its own munge, slurmctld and two slurmd, all below FOLDER.
#     scripts/slurm/start.sh FOLDER      then, in the shell that submits:  export SLURM_CONF=FOLDER/slurm.conf
# Needs Debian's packages slurm-wlm and munge, and root. scripts/slurm/stop.sh FOLDER ends it.
set -euo pipefail
folder="$(realpath -m "$1")"
port="${SLURM_TEST_PORT:-17817}"
mkdir -p "$folder"/{state,n1,n2,log}
host="$(hostname -s)"

# Munge refuses folders that others may write, so its socket and key lie below a folder of root's own.
munge="$folder/munge"
mkdir -p "$munge"
chmod 0755 "$munge"
if [ ! -e "$munge/key" ]; then
  head -c 1024 /dev/urandom >"$munge/key"
  chmod 0400 "$munge/key"
fi
# (Re)started each time; --force: its folders are below one that a test made.
munged --force --key-file="$munge/key" --socket="$munge/socket" --pid-file="$munge/pid" \
  --log-file="$munge/log" --seed-file="$munge/seed"

cat >"$folder/slurm.conf" <<CONF
ClusterName=touchstone
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=200000,bf_interval=1,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=5
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=4 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=60 State=UP
CONF
export SLURM_CONF="$folder/slurm.conf"
slurmctld
slurmd -N n1
slurmd -N n2
for _ in $(seq 100); do
  if [ "$(sinfo --noheader --format='%T' --nodes=n1,n2 2>/dev/null | sort -u)" = idle ]; then
    echo "SLURM_CONF=$SLURM_CONF"
    exit 0
  fi
  sleep 0.2
done
echo 'the nodes did not come up' >&2
sinfo >&2 || true
tail -n 20 "$folder"/log/*.log >&2 || true
exit 1
