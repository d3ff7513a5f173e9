#!/usr/bin/env bash
# Debian's Slurm of one node, without an installation, and runs that the studio places there. Writes its verdict to $VERDICT.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
stop() { kill $(cat "$folder"/run/*.pid1 2>/dev/null) 2>/dev/null || true; sleep 3; rm -rf "$folder"; }
trap stop EXIT
mkdir -p "$folder"/{debs,root,run/state,run/spool,run/log,run/munge}
(cd "$folder/debs" && apt-get download -q slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge libmunge2 \
  libslurm38 libhttp-parser2.9 liblua5.3-0 libhwloc15 libjson-c5)
for deb in "$folder"/debs/*.deb; do dpkg-deb -x "$deb" "$folder/root"; done
root=$folder/root
chmod 700 "$folder/run/munge"
head -c 128 /dev/urandom >"$folder/run/munge/key"
chmod 600 "$folder/run/munge/key"
cat >"$folder/slurm.conf" <<CONF
ClusterName=try
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge/sock
CryptoType=crypto/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=16827
SlurmdPort=16828
StateSaveLocation=$folder/run/state
SlurmdSpoolDir=$folder/run/spool
SlurmctldPidFile=$folder/run/ctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
PluginDir=$root/usr/lib/x86_64-linux-gnu/slurm-wlm
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu/slurm-wlm:$root/usr/lib/x86_64-linux-gnu
export SLURM_CONF=$folder/slurm.conf PATH=$root/usr/bin:$PATH
"$root/usr/sbin/munged" -F --key-file="$folder/run/munge/key" --socket="$folder/run/munge/sock" \
  --pid-file="$folder/run/munge/pid" --log-file="$folder/run/munge/log" --seed-file="$folder/run/munge/seed" --force \
  >"$folder/run/log/munged" 2>&1 &
echo $! >"$folder/run/1.pid1"
sleep 1
"$root/usr/sbin/slurmctld-wlm" -D -f "$SLURM_CONF" >"$folder/run/log/ctld" 2>&1 &
echo $! >"$folder/run/2.pid1"
sleep 2
"$root/usr/sbin/slurmd-wlm" -D -f "$SLURM_CONF" -d "$root/usr/sbin/slurmstepd-wlm" >"$folder/run/log/slurmd" 2>&1 &
echo $! >"$folder/run/3.pid1"
sleep 3
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$here/../.." && npx tsx e2e/real/slurm.ts "$folder" "$port" "$folder/run/2.pid1")
