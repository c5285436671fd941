# A Slurm of one node, of this script's own: its daemons run as the current user, in $folder, and end with the script. Sourced after
# functions.sh. Debian's slurm-wlm and munge have all that it takes; they need not be configured, and nothing of theirs is touched.
skip() { echo "skipped: $*"; exit 77; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

start_slurm() {
  PATH=$PATH:/usr/sbin
  local tool
  for tool in munged slurmctld slurmd sbatch squeue scontrol sinfo; do
    command -v "$tool" > /dev/null || skip "there is no '$tool': tools/install-slurm installs it"
  done
  mkdir -m 700 munge state spool
  head -c 128 /dev/urandom > munge/key
  chmod 400 munge/key
  munged --force --foreground --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" > munge/output 2>&1 &
  daemons=($!)
  write_slurm_configuration
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -D -c > slurmctld.output 2>&1 &
  daemons+=($!)
  slurmd -D -N "$(hostname -s)" > slurmd.output 2>&1 &
  daemons+=($!)
  trap 'stop_slurm; rm -rf "$folder"' EXIT
  wait_for_node
}

write_slurm_configuration() {
  local host user
  host=$(hostname -s) user=$(id -un)
  # cred_expire: how long a requeued job rests before it starts again.
  cat > slurm.conf << CONFIGURATION
ClusterName=warpwright
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
MpiDefault=none
ReturnToService=2
KillWait=2
MessageTimeout=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ { print int($2 / 1024) - 64 }' /proc/meminfo) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
CONFIGURATION
}

wait_for_node() {
  local i
  for ((i = 0; i < 200; ++i)); do
    [[ $(sinfo --noheader --format=%T 2> /dev/null) == idle* ]] && return
    sleep 0.1
  done
  tail -n 5 munge/output munge/log slurmctld.output slurmctld.log slurmd.output slurmd.log 2> /dev/null || true
  skip "Slurm cannot be started here (see above)"
}

stop_slurm() {
  scancel --full --state=RUNNING,PENDING --user "$(id -un)" > /dev/null 2>&1 || true
  kill "${daemons[@]}" 2> /dev/null || true
  sleep 0.2
  kill -KILL "${daemons[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
}
