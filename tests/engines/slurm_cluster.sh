# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced: slurm_start FOLDER starts munged, slurmctld and two slurmd on loopback, with all their files in FOLDER;
# slurm_stop ends them. SLURM_CONF is exported, and two tasks fit on each node.
slurm_start() {
	slurm=$1
	mkdir -p "$slurm/state" "$slurm/munge"
	chmod 755 "$slurm"
	chmod 700 "$slurm/munge"
	head -c 1024 /dev/urandom >"$slurm/munge/key"
	chmod 400 "$slurm/munge/key"
	munged --force --socket="$slurm/munge/socket" --key-file="$slurm/munge/key" --pid-file="$slurm/munge/pid" \
		--log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" || return 1
	host=$(hostname)
	cat >"$slurm/slurm.conf" <<-END
		ClusterName=tests
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$slurm/munge/socket
		CredType=cred/munge
		SlurmctldPort=6917
		StateSaveLocation=$slurm/state
		SlurmdSpoolDir=$slurm/spool.%n
		SlurmctldPidFile=$slurm/slurmctld.pid
		SlurmdPidFile=$slurm/slurmd.%n.pid
		SlurmctldLogFile=$slurm/slurmctld.log
		SlurmdLogFile=$slurm/slurmd.%n.log
		ProctrackType=proctrack/pgid
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core_Memory
		SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
		MinJobAge=3600
		KillWait=2
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=6918 CPUs=2 RealMemory=1500
		NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=6919 CPUs=2 RealMemory=1500
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	export SLURM_CONF="$slurm/slurm.conf"
	slurmctld || return 1
	slurmd -N n1 && slurmd -N n2 || return 1
	for _ in $(seq 100); do
		[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && return 0
		sleep 0.2
	done
	sinfo
	tail -n 5 "$slurm"/slurmctld.log "$slurm"/slurmd.*.log
	return 1
}

# Until they are gone: slurmctld takes its pid file away first, and saves its state after that.
slurm_stop() {
	running=
	for pid in "$slurm"/slurmd.*.pid "$slurm/slurmctld.pid" "$slurm/munge/pid"; do
		[ ! -s "$pid" ] || running="$running $(cat "$pid")"
	done
	for pid in $running; do
		kill "$pid" 2>/dev/null || true
	done
	for pid in $running; do
		for _ in $(seq 100); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
	done
}

# slurm_wait JOB...: until none of them is queued or runs; for at most two minutes. Slurm has a job that is queued again
# wait for two minutes: here it does not.
slurm_wait() {
	jobs=$(echo "$*" | tr ' ' ,)
	for _ in $(seq 600); do
		squeue -h -j "$jobs" 2>/dev/null | grep -q . || return 0
		for job in $(squeue -h -r -t PENDING -o '%i %r' | awk '$2 == "BeginTime" { print $1 }'); do
			scontrol update "JobId=$job" StartTime=now || true
		done
		sleep 0.2
	done
	squeue
	return 1
}
