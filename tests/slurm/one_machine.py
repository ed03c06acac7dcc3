# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm of one machine with virtual nodes, in a folder of its own: no systemd, no cgroups, no accounting.

Its daemons are ended by their pid files, and whatever they have left running by its process number: this process adopts
what they leave behind.
"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")

CONFIGURATION = """
ClusterName=headscope
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=2
SlurmctldTimeout=600
SlurmdTimeout=600
MailProg=/bin/true
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[2]}] CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
"""


def why_not():
    """Why no Slurm can be run here, or an empty text."""
    if os.geteuid() != 0:
        return "a Slurm of one machine is run by root alone"
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (packaging/setup.sh slurm installs them)"
    try:
        pwd.getpwnam("munge")
    except KeyError:
        return "there is no user munge, as which munged runs"
    if not os.path.ismount("/sys/fs/cgroup"):
        return "nothing is mounted at /sys/fs/cgroup, without which slurmd does not start"
    return ""


def free_ports(count):
    """The first of `count` ports, one after another, that nobody listens on."""
    for first in range(17000 + os.getpid() % 1000 * 10, 60000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise RuntimeError("no free ports")


def children():
    """The processes that belong to this one, and to those."""
    found, queue = [], [os.getpid()]
    while queue:
        pid = queue.pop()
        for task in os.listdir(f"/proc/{pid}/task") if os.path.isdir(f"/proc/{pid}/task") else []:
            try:
                with open(f"/proc/{pid}/task/{task}/children") as file:
                    below = [int(word) for word in file.read().split()]
            except OSError:
                continue
            found += below
            queue += below
    return found


def send_signal(pid, number):
    """To a process that a test started; 0 and -1 would be the test run itself, and everybody."""
    if pid < 2:
        raise RuntimeError(f"signal {number} was not sent: {pid} is no process")
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def reap():
    """Forgets the children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


class Cluster:
    """Slurm with `nodes` virtual nodes below `folder`; use it in a with statement."""

    def __init__(self, folder, nodes):
        self.folder = folder
        self.nodes = nodes
        self.environment = dict(os.environ, SLURM_CONF=os.path.join(folder, "slurm.conf"))
        self.environment["PATH"] = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

    def __enter__(self):
        adopt = 36  # PR_SET_CHILD_SUBREAPER: what daemons leave behind becomes a child of this process
        if ctypes.CDLL(None, use_errno=True).prctl(adopt, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        names = [f"slurmd.n{i + 1}.pid" for i in range(self.nodes)] + ["slurmctld.pid", "munge/pid"]
        for name in names:
            self.end_daemon(name)
        for number in (signal.SIGTERM, signal.SIGKILL):
            end = time.monotonic() + 10
            while children() and time.monotonic() < end:
                for pid in children():
                    send_signal(pid, signal.SIGCONT)
                    send_signal(pid, number)
                time.sleep(0.1)
                reap()

    def run(self, *words, check=True, timeout=120, **options):
        """A command of Slurm, or of a job's user; its standard output. Errors that pass are in the exit code."""
        done = subprocess.run(words, env=self.environment, text=True, capture_output=True, timeout=timeout, **options)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip() if check else done

    def wait(self, what, condition, seconds=60, pause=0.2):
        """Until the condition gives something, which is returned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            reap()
            time.sleep(pause)
        raise RuntimeError(f"waited {seconds} s in vain: {what}")

    def jobs(self, job):
        """State, node and reason by the number of each task of an array; a job that is none has the number -1."""
        found = {}
        lines = self.run("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K|%T|%N|%r").splitlines()
        for line in lines:
            task, state, node, reason = line.split("|")
            found[int(task) if task.isdigit() else -1] = (state, node, reason)
        return found

    def end_daemon(self, pid_file, number=signal.SIGTERM):
        """Ends a daemon by its pid file, and waits until it is gone."""
        try:
            with open(os.path.join(self.folder, pid_file)) as file:
                pid = int(file.read())
        except (OSError, ValueError):
            return
        if pid not in children():
            return  # ended before, and the number may be somebody else's by now
        send_signal(pid, number)
        end = time.monotonic() + 10
        while pid in children() and time.monotonic() < end:
            reap()
            time.sleep(0.05)

    def _start(self):
        munge = os.path.join(self.folder, "munge")
        user = pwd.getpwnam("munge")
        os.chmod(self.folder, 0o755)
        os.mkdir(munge, 0o755)
        with open(os.path.join(munge, "key"), "wb", opener=lambda p, f: os.open(p, f, 0o600)) as file:
            file.write(os.urandom(128))
        for path in (munge, os.path.join(munge, "key")):
            os.chown(path, user.pw_uid, user.pw_gid)
        os.mkdir(os.path.join(self.folder, "state"))
        first = free_ports(self.nodes + 1)
        with open(os.path.join(self.folder, "slurm.conf"), "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.folder,
                                            nodes=self.nodes, ports=(first, first + 1, first + self.nodes)))
        with open(os.path.join(self.folder, "cgroup.conf"), "w") as file:
            file.write("IgnoreSystemd=yes\n")
        self.run("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "munged", "--force",
                 f"--key-file={munge}/key", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                 f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self._daemon("slurmctld")
        for i in range(self.nodes):
            self._daemon("slurmd", "-N", f"n{i + 1}")
        self.wait("nodes that are idle", lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D") == str(self.nodes))

    def _daemon(self, *words):
        # Its standard output stays open in what it becomes: a pipe would never end.
        subprocess.run(words, env=self.environment, check=True, timeout=30, cwd=self.folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
