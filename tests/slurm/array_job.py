# SPDX-License-Identifier: GPL-3.0-or-later
"""Fault row 38, on a real Slurm: an array of eight tasks by packaging/slurm, one requeued, one told of its time limit,
one on a node that is declared down while it runs, and the merge as a dependent job. The cache must be, byte for byte,
that of one undisturbed run.

    array_job.py SOURCE-FOLDER HEADSCOPE-ENGINE MODEL-FOLDER

Ends with 77 and one line where no Slurm can be run.
"""

import filecmp
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import one_machine

TASKS = 8
PER_TASK = 1500
DOCUMENTS = TASKS * PER_TASK - 25  # the last task has fewer
REQUEUED, TIMED_OUT, LOST_NODE = 1, 2, 3
LONGEST = 840  # seconds; ctest waits a minute longer
ACTIVE = ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED")


def write_inputs(folder, model, engine):
    with open(os.path.join(folder, "docs.jsonl"), "w") as file:
        for i in range(DOCUMENTS):
            text = f"Text {i}" + " says a little more" * (i * 7919 % 23)
            file.write(json.dumps({"id": f"d{i}", "text": text, "topic": f"t{i * 5 // DOCUMENTS}"}) + "\n")
    with open(os.path.join(folder, "run.env"), "w") as file:
        file.write(f"MODEL='{model}'\nDOCS=(docs.jsonl)\nOUT=c.h5\n"
                   f"DOCUMENTS={DOCUMENTS}\nPER_TASK={PER_TASK}\nOPTIONS=(--stages 1,2,3 --shard-mb 1)\n"
                   f"ENGINE='{engine}'\nRETRIES=60 RETRY_SECONDS=1\n")
    with open(os.path.join(folder, "site.env"), "w") as file:
        file.write("SBATCH_OPTIONS=(--time=00:20:00 --nodes=1 --ntasks=1 --cpus-per-task=1 --mem=1G)\n"
                   "MERGE_OPTIONS=(--time=00:10:00 --nodes=1 --ntasks=1 --mem=1G)\n"
                   "AT_ONCE=3\nDEVICE=cpu\nprepare() { :; }\n")


def check(condition, sentence):
    if not condition:
        raise RuntimeError(sentence)


class Run:
    """The array in its cluster."""

    def __init__(self, cluster, folder, source, engine):
        self.cluster, self.folder, self.source, self.engine = cluster, folder, source, engine
        self.held = {}  # task: its engine
        self.array = self.merge = ""

    def part(self, task):
        return os.path.join(self.folder, "c.h5.parts",
                            f"range_{task * PER_TASK}-{min(DOCUMENTS, (task + 1) * PER_TASK)}.h5")

    def log(self, task):
        with open(os.path.join(self.folder, f"headscope-extract_{self.array}_{task}.log")) as file:
            return file.read()

    def states(self):
        return self.cluster.jobs(self.array)

    def submit(self):
        out = self.cluster.run("bash", f"{self.source}/packaging/slurm/submit.sh", "run.env", "site.env", "--submit",
                               cwd=self.folder)
        found = re.match(r"array job (\d+) of 8 tasks, merge job (\d+); how far it is: (.*)", out)
        check(found, f"submit.sh said: {out}")
        self.array, self.merge = found.group(1), found.group(2)

    def hold(self, task):
        """Stops the engine of a task in the middle: parts are written, and until go_on it is as slow as can be."""
        place = self.part(task)
        lock = os.path.join(os.path.dirname(place), f".{os.path.basename(place)}.lock")

        def process():
            check(not os.path.exists(place), f"task {task} ended before anything could happen to it")
            try:
                with open(f"{place}.shards/manifest.jsonl") as file:
                    begun = len(file.read().splitlines()) > 1
                with open(lock) as file:
                    found = re.search(r"process (\d+)", file.read())
            except OSError:
                return 0
            return int(found.group(1)) if begun and found else 0

        pid = self.cluster.wait(f"task {task} at work", process, 200, 0.002)
        one_machine.send_signal(pid, signal.SIGSTOP)
        self.held[task] = pid
        check(not os.path.exists(place), f"task {task} ended while it was stopped")

    def go_on(self, task):
        one_machine.send_signal(self.held.pop(task), signal.SIGCONT)

    def start_now(self, task):
        """Slurm lets two minutes pass before it starts a job again that was requeued."""
        self.cluster.wait(f"task {task} in the queue again",
                          lambda: self.states().get(task, ("",))[0] == "PENDING")
        self.cluster.run("scontrol", "update", f"jobid={self.array}_{task}", "StartTime=now")

    def requeue(self):
        self.cluster.run("scontrol", "requeue", f"{self.array}_{REQUEUED}")
        self.go_on(REQUEUED)
        self.start_now(REQUEUED)

    def tell_of_the_time_limit(self):
        self.cluster.run("scancel", "--batch", "--signal=USR1", f"{self.array}_{TIMED_OUT}")
        self.go_on(TIMED_OUT)
        self.start_now(TIMED_OUT)

    def lose_a_node(self):
        """Its daemon dies and it is declared down; its task is slow, and does not know."""
        node = self.states()[LOST_NODE][1]
        self.cluster.end_daemon(f"slurmd.{node}.pid", signal.SIGKILL)
        self.cluster.run("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
        self.start_now(LOST_NODE)
        self.cluster.wait("the second copy of the task",
                          lambda: self.states()[LOST_NODE][0] == "RUNNING" and self.states()[LOST_NODE][1] != node, 180)
        self.cluster.wait("the second copy to find the output held",
                          lambda: "is already being written" in self.log(LOST_NODE))
        status = self.status()
        check([each["state"] for each in status["ranges"] if each["from"] == LOST_NODE * PER_TASK] == ["running"],
              f"status said: {status}")
        self.go_on(LOST_NODE)
        self.cluster.wait("the old copy", lambda: os.path.exists(self.part(LOST_NODE)), 120)

    def status(self):
        return json.loads(self.cluster.run(self.engine, "status", "--json", "c.h5.parts", cwd=self.folder))

    def finish(self):
        def ended():
            states = self.states()
            return states if all(each[0] not in ACTIVE for each in states.values()) else None

        states = self.cluster.wait("all tasks", ended, 400)
        check(sorted(states) == list(range(TASKS)) and all(each[0] == "COMPLETED" for each in states.values()),
              f"tasks ended as {states}")
        status = self.status()
        check(status["done"] == DOCUMENTS and not status["missing"] and len(status["ranges"]) == TASKS,
              f"status said: {status}")

        def merged():
            state = self.cluster.jobs(self.merge).get(-1, ("",))[0]
            return state if state not in ACTIVE else None

        state = self.cluster.wait("the merge", merged, 120)
        check(state == "COMPLETED", f"the merge ended as {state}")


def whole_run(folder, model, engine):
    """What an undisturbed run writes, in a folder of its own."""
    os.mkdir(folder)
    os.symlink("../run/docs.jsonl", os.path.join(folder, "docs.jsonl"))
    words = [engine, "extract", model, "docs.jsonl", "--stages", "1,2,3",
             "--shard-mb", "1", "--device", "cpu", "--threads", "1", "-o", "c.h5"]
    done = subprocess.run(words, cwd=folder, timeout=300, capture_output=True, text=True)
    check(done.returncode == 0, f"the undisturbed run: {done.stderr}")


def show_logs(folder):
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".log"):
                with open(os.path.join(base, name), errors="replace") as file:
                    print(f"--- {name}\n{file.read()[-3000:]}", file=sys.stderr)


def test(folder, source, engine, model):
    began = time.monotonic()

    def say(what):
        print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)

    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"  # the time in a cache
    work = os.path.join(folder, "run")
    os.mkdir(work)
    write_inputs(work, model, engine)
    whole_run(os.path.join(folder, "whole"), model, engine)
    say("an undisturbed run")
    with one_machine.Cluster(folder, 3) as cluster:
        say("three nodes are idle")
        run = Run(cluster, work, source, engine)
        run.submit()
        for task in (REQUEUED, TIMED_OUT, LOST_NODE):  # on a node each
            run.hold(task)
        say("three tasks are held in the middle")
        run.requeue()
        say("a task was requeued")
        run.tell_of_the_time_limit()
        say("a task was told of its time limit")
        run.lose_a_node()
        say("a node was lost, its task ended all the same")
        run.finish()
        say("all tasks and the merge have ended")
    check("documents were done by an earlier run" in run.log(REQUEUED), f"requeued: {run.log(REQUEUED)}")
    check("documents were done by an earlier run" in run.log(TIMED_OUT), f"time limit: {run.log(TIMED_OUT)}")
    lost = run.log(LOST_NODE)
    # The second copy finds the part between two tries, or the engine finds it when it has just begun one.
    check("is there already" in lost or "exists already" in lost, f"lost node: {lost}")
    check(os.path.getsize(os.path.join(work, "c.h5")) > 1_000_000, "the cache is too small to tell anything")
    check(filecmp.cmp(os.path.join(work, "c.h5"), os.path.join(folder, "whole", "c.h5"), shallow=False),
          "the merged cache is not that of the undisturbed run")
    say("the merged cache is that of the undisturbed run, byte for byte")


def main():
    reason = one_machine.why_not()
    if reason:
        print(f"Slurm is not tried here: {reason}")
        return 77

    def stop(*_):
        raise RuntimeError("the time is over, or somebody asked for the end")

    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # no signal to all of its group reaches ctest
    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGTERM, stop)
    signal.alarm(LONGEST)
    source, engine, model = (os.path.realpath(word) for word in sys.argv[1:4])
    with tempfile.TemporaryDirectory(prefix="headscope-slurm.") as folder:
        try:
            test(folder, source, engine, model)
        except BaseException:
            show_logs(folder)
            raise
    left = one_machine.children()
    check(not left, f"these processes are left: {left}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
