# Sourced: a Slurm cluster of one node with two slots, on loopback, that lives in one folder and as long as its processes do.
# Needs Debian's slurm-wlm and munge, and no accounting database.

# The daemons are where the PATH of plain users does not lead.
PATH=$PATH:/usr/sbin:/sbin

# cluster_start FOLDER: starts it there; Slurm's commands of this shell speak to it from then on.
cluster_start() {
  cluster=$1
  mkdir -p "$cluster/state" "$cluster/spool"
  # munged insists that nobody else can write to where its files are.
  chmod 755 "$cluster"
  dd if=/dev/urandom of="$cluster/munge.key" bs=128 count=1 status=none
  chmod 400 "$cluster/munge.key"
  export SLURM_CONF="$cluster/slurm.conf"
  cat >"$SLURM_CONF" <<END
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=${CLUSTER_PORT:-46817}
SlurmdPort=$((${CLUSTER_PORT:-46817} + 1))
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,default_queue_depth=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
# A node that does not answer is soon given up, and taken back as soon as it answers again.
SlurmdTimeout=5
SlurmctldTimeout=5
KillWait=1
ReturnToService=2
MinJobAge=300
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 RealMemory=$(awk '$1 == "MemTotal:" { print int($2 / 1024 * 0.9) }' /proc/meminfo) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  munged --foreground --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
    --seed-file="$cluster/munge.seed" 2>>"$cluster/munged.log" >&2 &
  munged_pid=$!
  local tries
  for tries in $(seq 50); do [[ -S "$cluster/munge.socket" ]] && break || sleep 0.1; done
  slurmctld -D -c 2>>"$cluster/out.log" >&2 &
  slurmctld_pid=$!
  node_start
  for tries in $(seq 150); do
    [[ "$(sinfo --noheader --format=%T 2>/dev/null)" == idle ]] && return 0
    sleep 0.2
  done
  echo "the cluster does not come up:" >&2
  tail -n 5 "$cluster"/*.log >&2
  return 1
}

node_start() {
  slurmd -D 2>>"$cluster/out.log" >&2 &
  slurmd_pid=$!
}

# node_kill: what pulling the plug does: the daemon and everything it started are gone at once.
node_kill() {
  local pids pid parent
  # On a busy machine there are moments between two jobs: the plug is pulled while something runs.
  for _ in $(seq 100); do
    pids=$(scontrol listpids 2>/dev/null | awk 'NR > 1 && $1 > 0 { print $1 }') || true
    [[ -z "$pids" ]] || break
    sleep 0.1
  done
  for pid in $pids; do
    # The step daemon that started the job goes first: it must not live to tell.
    # (ps pads a short number with blanks, and refuses it so.)
    parent=$(ps -o ppid= -p "$pid" | tr -d ' ') || true
    if [[ -n "$parent" && "$(ps -o comm= -p "$parent")" == slurmstepd* ]]; then pids="$parent $pids"; fi
  done
  kill -KILL "$slurmd_pid"
  for pid in $pids; do
    kill -KILL "$pid" 2>/dev/null || true
  done
  wait "$slurmd_pid" 2>/dev/null || true
}

cluster_stop() {
  scancel --user="$(id -un)" 2>/dev/null || true
  local pid
  for pid in "${slurmd_pid:-}" "${slurmctld_pid:-}" "${munged_pid:-}"; do
    [[ -n "$pid" ]] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  return 0
}
