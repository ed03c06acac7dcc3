#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headscope against its peers: both sides in one call, interleaved, medians.

Prints one JSON line a figure: {"case", "value", "unit", "peer", "peer_value", "ratio"}. See
README.md in this folder for the peers, the rules and what ratio means.
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import CORES, Side, compare, interleave, line, run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "headscope"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"{', '.join(CASES)}; default all")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="build folder")
    parser.add_argument("--peers", type=Path, default=CACHE / "peers")
    parser.add_argument("--data", type=Path, default=CACHE / "bench", help="folder of the clouds")
    parser.add_argument("--model", type=Path,
                        default=CACHE / "models/SmolLM2-135M-Instruct.Q4_1.gguf")
    parser.add_argument("--documents", type=Path, default=CACHE / "packages-400.jsonl")
    parser.add_argument("--threads", type=int, default=CORES)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=int, default=0, help="documents of extract_400, for trials")
    parser.add_argument("--timeout", type=int, default=3600, help="seconds for one run")
    parser.add_argument("--record", type=Path, help="JSONL file that gets every run")
    options = parser.parse_args()
    for name in options.cases:
        if name not in CASES:
            parser.error(f"unknown case {name}; there are {', '.join(CASES)}")
    return options


class Bench:
    """Paths and settings of one call."""

    def __init__(self, options, scratch):
        self.options = options
        self.scratch = Path(scratch)
        self.python = options.peers / "bin/peer-python"

    def program(self, name):
        return self.options.build / "bin" / name

    def peer(self, script, *rest):
        return [self.python, HERE / "peers" / f"{script}.py", *rest,
                "--threads", self.options.threads]

    def record(self, row):
        if self.options.record:
            with self.options.record.open("a") as file:
                file.write(json.dumps({"case": self.case, **row}) + "\n")

    def measure(self, case, sides):
        """Ours first; None when ours failed, so that a case is never judged without us."""
        self.case = case
        ours = sides[0]
        print(f"{case}: {', '.join(side.name for side in sides)}", file=sys.stderr)
        alive = interleave(sides, self.options.repeat, self.options.threads, self.options.timeout,
                           self.record)
        return (ours, [side for side in alive if side is not ours]) if ours in alive else None

    def cloud(self, kind, rows, dims=128):
        """The folder with vectors.npy (and head.npy), made when it is not there."""
        folder = self.options.data / f"{kind}-{rows}x{dims}"
        if not (folder / "vectors.npy").exists():
            folder.mkdir(parents=True, exist_ok=True)
            maker = self.program("headscope_make_clouds")
            if not maker.exists():
                sys.exit(f"{maker}: expected the program that makes the clouds, found none; "
                         f"build it with: ninja -C {self.options.build} headscope_make_clouds")
            subprocess.run([maker, kind, str(rows), str(dims), "32", folder], check=True)
        return folder

    def call(self, *command):
        return run(command, self.options.threads, self.options.timeout)


def rate(result):
    seconds = result["seconds"]
    return result["tokens"] / (seconds["tokenize"] + seconds["compute"])


def extract_400(bench):
    """All layers, all stages of 400 package descriptions; and the time to a first vector."""
    options = bench.options
    limit = ["--limit", options.limit] if options.limit else []

    def ours(*more):
        return [bench.program("headscope-engine"), "extract", options.model, options.documents,
                "--layers", "all", "--stages", "1,2,3", "--text-column", "text",
                "--device", "cpu", "--dtype", "f32", "-o", bench.scratch / "ours.h5",
                "--overwrite", "--json", "--threads", options.threads, *more]

    def transformers(*more):
        return bench.peer("extract_transformers", options.documents, "--model", options.model, *more)

    measured = bench.measure("extract_400", [
        Side("headscope", ours(*limit)),
        Side("transformers, batches of 2048", transformers("--budget", 2048, *limit)),
        Side("transformers, batches of 512", transformers("--budget", 512, *limit))])
    if measured:
        side, peers = measured
        for peer in peers:
            compare("extract_400", "tokens/s", side, peer, rate)
            compare("extract_400_memory", "bytes", side, peer, lambda r: r["peak_rss"])

    # Ours is the whole run on one document, file written; theirs ends at the vector in memory.
    measured = bench.measure("first_vector", [
        Side("headscope", ours("--limit", 1)), Side("transformers", transformers("--limit", 1))])
    if measured:
        for peer in measured[1]:
            compare("first_vector", "s", measured[0], peer, lambda r: r["wall"],
                    lambda r: r["first_vector_seconds"])


def extract_400_llamacpp(bench):
    """What llama.cpp can give: stage 3 of the last layer of 400 package descriptions."""
    options = bench.options
    limit = ["--limit", options.limit] if options.limit else []
    measured = bench.measure("extract_400_llamacpp", [
        Side("headscope", [
            bench.program("headscope-engine"), "extract", options.model, options.documents,
            "--layers", "last", "--stages", "3", "--text-column", "text", "--device", "cpu",
            "--dtype", "f32", "-o", bench.scratch / "ours.h5", "--overwrite", "--json",
            "--threads", options.threads, *limit]),
        Side("llama.cpp Q8_0",
             bench.peer("extract_llamacpp", options.documents, "--model", options.model, *limit))])
    if measured:
        compare("extract_400_llamacpp", "tokens/s", measured[0], measured[1][0], rate)
        compare("extract_400_llamacpp_memory", "bytes", measured[0], measured[1][0],
                lambda r: r["peak_rss"])


def tsne_command(bench, rows, threads, *more):
    vectors = bench.cloud("headlike", rows) / "vectors.npy"
    return [bench.program("headscope"), "tsne", "--vectors", vectors, "--json",
            "--threads", threads, *more]


def gemm_share(bench):
    """Share of the rate that oneDNN's products reach alone, on the shapes of this model."""
    options = bench.options
    texts = options.documents
    if options.limit:
        texts = bench.scratch / "some.jsonl"
        with options.documents.open() as lines:
            texts.write_text("".join(lines.readline() for _ in range(options.limit)))
    ids = subprocess.run([bench.program("headscope-engine"), "tokenize", options.model, "--input", texts],
                         check=True, capture_output=True, text=True).stdout
    lengths = [len(json.loads(row)["ids"]) for row in ids.splitlines()]
    measured = bench.measure("gemm_share", [
        Side("headscope", [bench.program("headscope-engine"), "extract", options.model, texts,
                           "--layers", "all", "--stages", "1,2,3", "--device", "cpu", "-o",
                           bench.scratch / "share.h5", "--overwrite", "--json", "--threads",
                           options.threads, "--progress", "off"]),
        Side("dnnl_sgemm, one product a thread",
             [bench.program("bench_gemm"), options.model, "--threads", options.threads])])
    if not measured or not measured[1]:
        return
    roof = measured[1][0].runs[0]
    flops = (roof["flops_per_token"] * sum(lengths)
             + roof["attention_flops"] * sum(length * length for length in lengths))

    def achieved(result):
        # compute is that of texts and topic names; the rate counts the texts alone.
        return flops / sum(lengths) * result["tokens_per_second"] / 1e9

    compare("gemm_share", "GFLOP/s", measured[0], measured[1][0], achieved, lambda r: r["gflops"])


def memory_stream(bench):
    """The shape of a 7B model with four layers, in memory and streamed within 3 GB (ours alone)."""
    options = bench.options
    model = options.data / "mistral-7b-shape-4-layers"
    if not (model / "config.json").exists():
        subprocess.run([sys.executable, HERE / "make_big_model.py", model], check=True)
    texts = bench.scratch / "few.jsonl"
    with options.documents.open() as lines:
        rows = [json.loads(lines.readline())["text"] for _ in range(options.limit or 64)]
    texts.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows))  # no labels

    def extract(*more):
        return [bench.program("headscope-engine"), "extract", model, texts, "--max-tokens", 512,
                "--device", "cpu", "-o", bench.scratch / "big.h5", "--overwrite", "--json",
                "--threads", options.threads, "--progress", "off", *more]

    measured = bench.measure("memory_stream", [Side("headscope --memory 3G", extract("--memory", "3G")),
                                               Side("headscope, all in memory", extract())])
    if not measured:
        return
    for peer in measured[1]:
        compare("memory_stream_peak", "bytes", measured[0], peer, lambda r: r["peak_rss"])
        compare("memory_stream", "s", measured[0], peer, lambda r: r["seconds"]["total"])


def map_case(bench, case, rows, peer_scripts):
    """t-SNE of the head-like cloud; the exact KL of every side by one evaluator."""
    vectors = bench.cloud("headlike", rows) / "vectors.npy"
    output = bench.scratch / f"{case}.h5"
    sides = [Side("headscope", tsne_command(bench, rows, bench.options.threads,
                                            "-o", output, "--overwrite"))]
    for name, script in peer_scripts.items():
        sides.append(Side(name, bench.peer(script, vectors, "-o", bench.scratch / f"{script}.npy")))
    measured = bench.measure(case, sides)
    if not measured:
        return
    side, peers = measured
    exact = exact_kl(bench, vectors, output, [peer_scripts[peer.name] for peer in peers])
    for peer in peers:
        compare(case, "s", side, peer, lambda r: r["seconds"]["total"])
        compare(f"{case}_memory", "bytes", side, peer, lambda r: r["peak_rss"])
        compare(f"{case}_memory_beside_input", "bytes", side, peer,
                lambda r: r["peak_rss"] - 4 * 128 * rows)
        line(f"{case}_kl", "KL", exact[0], peer.name, exact[1 + peers.index(peer)])
        if "ms_per_iteration" in peer.runs[0]:
            compare(f"{case}_iteration", "ms/iteration", side, peer,
                    lambda r: r["seconds"]["optimise"] * 1000 / r["iterations"],
                    lambda r: r["ms_per_iteration"])


def exact_kl(bench, vectors, ours, scripts):
    """Exact KL of our map and of each peer's, all by the same evaluator."""
    maps = [f"{ours}:/maps/map/xy", *(bench.scratch / f"{script}.npy" for script in scripts)]
    if "32k" in ours.name:
        found = bench.call(bench.python, HERE / "peers/exact_kl.py", vectors, *maps)
        return [row["kl_exact"] for row in found["maps"]]
    # Above, numpy would take hours: our own evaluator, which is compared with exact_kl.py at 32k.
    results = []
    for name in maps:
        if str(name).endswith(".npy"):
            name = bench.call(bench.python, HERE / "peers/npy_to_h5.py", f"{name}.h5", f"xy={name}")
            name = f"{name['output']}:/xy"
        found = bench.call(bench.program("headscope"), "quality", "--vectors", vectors,
                           "--map", name, "--json")
        results.append(found["kl_exact"])
    return results


def tsne_32k(bench):
    map_case(bench, "tsne_32k", 32000,
             {"openTSNE": "tsne_opentsne", "scikit-learn": "tsne_sklearn"})


def tsne_320k(bench):
    map_case(bench, "tsne_320k", 320000, {"openTSNE": "tsne_opentsne"})


def tsne_1m(bench):
    """How the whole run grows from 320,000 to 1,000,000 points; ours alone."""
    threads = bench.options.threads
    million = Side("1,000,000 points", tsne_command(bench, 1_000_000, threads))
    third = Side("320,000 points", tsne_command(bench, 320_000, threads))
    measured = bench.measure("tsne_1m", [million, third])
    if not measured or not measured[1]:
        return
    for name, measure in (("tsne_1m", lambda r: r["seconds"]["total"]),
                          ("tsne_1m_optimise", lambda r: r["seconds"]["optimise"])):
        compare(name, "s", million, third, measure)
        line(f"{name}_growth", "times", million.median(measure) / third.median(measure), None, None)
    memory = million.median(lambda r: r["peak_rss"] - 4 * 128 * 1_000_000)
    line("tsne_1m_memory_beside_input", "bytes", memory, None, None)


def tsne_threads(bench):
    """One thread against two: efficiency is time(1) / (2 time(2)), and the map is the same."""
    for rows, name in ((320_000, "320k"), (32_000, "32k")):
        two = Side("2 threads", tsne_command(bench, rows, 2))
        one = Side("1 thread", tsne_command(bench, rows, 1))
        measured = bench.measure(f"tsne_threads_{name}", [two, one])
        if not measured or not measured[1]:
            continue
        for part, measure in (("", lambda r: r["seconds"]["total"]),
                              ("_optimise", lambda r: r["seconds"]["optimise"]),
                              ("_neighbors", lambda r: r["seconds"]["neighbors"])):
            case = f"tsne_threads_{name}{part}"
            compare(case, "s", two, one, measure)
            line(f"{case}_efficiency", "share", one.median(measure) / (2 * two.median(measure)),
                 None, None)
        if len({each["hash"] for each in two.runs + one.runs}) != 1:
            sys.exit(f"tsne_threads_{name}: expected one map on 1 and 2 threads, found several")


class Competitors:
    """Two endless loops at our priority and two niced by 5, while it lives."""

    WEIGHTS = (1024, 1024, 335, 335)  # of the scheduler, which shares the cores by them; ours have 1024 a thread

    def __enter__(self):
        loop = ["sh", "-c", "while :; do :; done"]
        self.loops = [subprocess.Popen(command) for command in (loop, loop, ["nice", "-n", "5", *loop],
                                                                ["nice", "-n", "5", *loop])]
        return self

    def __exit__(self, *_):
        for each in self.loops:
            each.kill()
            each.wait()

    @classmethod
    def fair_share(cls, threads):
        """Of all cores, what the scheduler owes so many threads."""
        ours = 1024 * threads
        return min(ours / (ours + sum(cls.WEIGHTS)), threads / CORES)


def busy(bench):
    """A busy machine: seconds beside four competitors, over those that a fair share of the cores would take.

    Needs a machine with nothing else to do. Each setting once without and once with competitors a round. Without
    autogroups (kernel.sched_autogroup_enabled = 0), which would share the cores by session.
    """
    threads = bench.options.threads
    sides = {}
    for name, count in (("", threads), ("_one", 1)):
        sides[name] = (Side(f"{count} threads, quiet", tsne_command(bench, 32_000, count)),
                       Side(f"{count} threads, busy", tsne_command(bench, 32_000, count)))
    for _ in range(bench.options.repeat):
        for quiet, crowded in sides.values():
            bench.case = "busy"
            interleave([quiet], 1, threads, bench.options.timeout, bench.record)
            with Competitors():
                interleave([crowded], 1, threads, bench.options.timeout, bench.record)
    for name, (quiet, crowded) in sides.items():
        for part in ("neighbors", "optimise"):
            def seconds(result, part=part):
                return result["seconds"][part]
            compare(f"busy_{part}{name}", "s", crowded, quiet, seconds)
            if not name:  # what all threads take on quiet cores, stretched to what they are owed
                fair = quiet.median(seconds) * threads / (CORES * Competitors.fair_share(threads))
                line(f"busy_{part}_of_fair_share", "times", crowded.median(seconds) / fair, None, None)


def tsne_cancel(bench):
    """From the signal to the end of the program, in the optimisation of 320,000 points."""
    command = tsne_command(bench, 320_000, bench.options.threads, "--progress", "json")
    for name, state in (("tsne_cancel", []), ("tsne_cancel_state", ["--state"])):
        seconds = []
        for number in range(bench.options.repeat):
            rest = [*state, bench.scratch / f"state-{number}.h5"] if state else []
            seconds.append(seconds_to_stop([*map(str, command), *map(str, rest)]))
        line(name, "s", statistics.median(seconds), None, None)
        line(f"{name}_worst", "s", max(seconds), None, None)


def seconds_to_stop(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    for text in process.stderr:
        progress = json.loads(text)
        if progress["stage"] == "optimising" and progress["done"] >= 20:
            break
    time.sleep(random.random() / 10)  # anywhere in an iteration
    process.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    process.stderr.read()
    process.wait()
    seconds = time.perf_counter() - begin
    if process.returncode != 130:
        sys.exit(f"tsne_cancel: expected exit code 130, found {process.returncode}")
    return seconds


def serve_cancel(bench):
    """From the request to cancel an extraction of `serve`, somewhere in it, to the answer that it was."""
    options = bench.options
    seconds = [seconds_to_cancel(bench.program("headscope-engine"), {
        "model": str(options.model), "documents": str(options.documents),
        "output": str(bench.scratch / f"cancelled-{number}.h5")}) for number in range(options.repeat)]
    line("serve_cancel", "s", statistics.median(seconds), None, None)
    line("serve_cancel_worst", "s", max(seconds), None, None)


def seconds_to_cancel(engine, params):
    process = subprocess.Popen([engine, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(number, method, params):
        process.stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
        process.stdin.flush()

    send(1, "extract", params)
    for text in process.stdout:
        if json.loads(text).get("progress", {}).get("stage") == "extracting":
            break
    time.sleep(random.random() / 10)  # anywhere in a step
    send(2, "cancel", {"request": 1})
    begin = time.perf_counter()
    answer = next(found for found in map(json.loads, process.stdout)
                  if found.get("id") == 1 and ("error" in found or "result" in found))
    seconds = time.perf_counter() - begin
    process.stdin.close()
    process.wait()
    if answer.get("error", {}).get("code") != "cancelled":
        sys.exit(f"serve_cancel: expected to be cancelled, found {answer}")
    return seconds


def own_program(name):
    """A case that is a program of ours, which prints its lines itself."""

    def case(bench):
        """Runs the program."""
        program = bench.program(name)
        if not program.exists():
            print(f"headscope_bench: {name} left out: ninja -C {bench.options.build} {name}",
                  file=sys.stderr)
            return
        subprocess.run([program, "--threads", str(bench.options.threads)], check=True)

    case.__name__ = name.removeprefix("bench_")
    return case


def seconds_to(steps, objective):
    """When a fit first stood no higher than this; its end where it never did."""
    return next((seconds for seconds, value in steps if value <= objective), steps[-1][0])


def probe_case(bench, case, dims, peers):
    """32 heads from `dims` numbers; whole documents held back, the same rows on both sides."""
    folder = bench.cloud("overlap", 32000, dims)
    data = folder / "probe.h5"
    if not data.exists():
        bench.call(bench.python, HERE / "peers/npy_to_h5.py", data, f"x={folder / 'vectors.npy'}",
                   f"y={folder / 'head.npy'}", "--last-rows", 6400)
    rest = ["--vectors", f"{data}:/x", "--labels", f"{data}:/y", "--test-rows", f"{data}:/test"]
    scikit = [bench.python, HERE / "peers/probe_sklearn.py", *rest]
    measured = bench.measure(case, [
        Side("headscope", [bench.program("headscope"), "probe", *rest, "--c", 1, "--json",
                           "--threads", bench.options.threads]),
        *(Side(name, [*scikit, *more]) for name, more in peers.items())])
    if not measured:
        return
    for peer in measured[1]:
        for unit, key in (("s", "seconds"), ("objective", "objective"), ("accuracy", "accuracy")):
            compare(case if unit == "s" else f"{case}_{unit}", unit, measured[0], peer,
                    lambda r: r["results"][0][key])
        # What ours needs to where the peer stopped; at once where a step leaps over it.
        theirs = peer.median(lambda r: r["results"][0]["objective"])
        compare(f"{case}_to_their_objective", "s", measured[0], peer,
                lambda r: seconds_to(r["results"][0]["steps"], theirs),
                lambda r: r["results"][0]["seconds"])


def neighbors_case(bench, case, kind, rows, *more):
    """90 neighbours against Annoy as openTSNE uses it; recall of both on one exact sample."""
    vectors = bench.cloud(kind, rows) / "vectors.npy"
    ours, theirs = bench.scratch / f"{case}.h5", bench.scratch / f"{case}.npy"
    measured = bench.measure(case, [
        Side("headscope", [
            bench.program("headscope"), "neighbors", "--vectors", vectors, "-k", 90, "-o", ours,
            "--overwrite", "--json", "--threads", bench.options.threads, *more]),
        Side("Annoy by openTSNE", bench.peer("neighbors_annoy", vectors, "-o", theirs))])
    if not measured:
        return
    side, peers = measured
    lists = [f"{ours}:/neighbors/index"] + [theirs] * len(peers)
    found = bench.call(bench.python, HERE / "peers/neighbor_recall.py", vectors, *lists)
    recalls = [row["recall"] for row in found["lists"]]
    for peer in peers:
        compare(case, "s", side, peer, lambda r: r["seconds"],
                lambda r: r["seconds"]["neighbors"])
        compare(f"{case}_memory", "bytes", side, peer, lambda r: r["peak_rss"])
        line(f"{case}_recall", "recall", recalls[0], peer.name, recalls[1])


def neighbors_320k(bench):
    neighbors_case(bench, "neighbors_320k", "headlike", 320000)


def neighbors_hard(bench):
    neighbors_case(bench, "neighbors_hard", "hard", 320000)
    neighbors_case(bench, "neighbors_hard_090", "hard", 320000, "--recall", 0.9)


def neighbors_exact(bench):
    """Every pair: what was computed, and what it stands for, against the machine's own products."""
    for rows in (32000, 100000):
        vectors = bench.cloud("headlike", rows) / "vectors.npy"
        case = f"neighbors_exact_{rows // 1000}k"
        measured = bench.measure(case, [Side("headscope", [
            bench.program("headscope"), "neighbors", "--vectors", vectors, "-k", 90, "--method",
            "exact", "--json", "--threads", bench.options.threads])])
        if not measured:
            continue
        side = measured[0]
        product = bench.call(bench.program("headscope"), "doctor", "--json",
                             "--threads", bench.options.threads)
        library = product["product_library"]
        computed = side.median(lambda r: 2e-9 * r["multiply_adds"] / r["seconds"])
        stands_for = side.median(lambda r: 2e-9 * r["points"] ** 2 * 128 / r["seconds"])
        line(case, "s", side.median(lambda r: r["seconds"]), None, None)
        line(f"{case}_computed", "GFLOP/s", computed, library, product["product_gflops"])
        line(f"{case}_symmetry_counted", "GFLOP/s", stands_for, library, product["product_gflops"])


SCIKIT_DEFAULTS = ["--dtype", "float32", "--tolerance", "1e-4", "--max-iterations", 100]


def probe_25600x128(bench):
    probe_case(bench, "probe_25600x128", 128, {
        "scikit-learn lbfgs, its defaults": SCIKIT_DEFAULTS,
        "scikit-learn lbfgs, converged": ["--tolerance", "1e-8"]})


def probe_25600x4096(bench):
    # Converged in float64 it takes ten minutes and more here: the defaults, in float32, are the peer.
    probe_case(bench, "probe_25600x4096", 4096, {
        "scikit-learn lbfgs, its defaults": SCIKIT_DEFAULTS})


def analyses(bench):
    """Binned cosine map of 10,000 x 10,000 x 128; statistics of 4,000 x 32 heads; 960 columns."""
    vectors = bench.cloud("headlike", 128000) / "vectors.npy"
    measured = bench.measure("analyses", [
        Side("headscope", [bench.program("bench_analysis"), vectors,
                           "--threads", bench.options.threads]),
        Side("numpy", bench.peer("analyses_numpy", vectors))])
    if not measured:
        return
    ours, peers = measured
    for peer in peers:
        for case, key, peer_key in (
                ("head_statistics", "heads", "heads"), ("heatmap_960", "heatmap", "heatmap")):
            compare(case, "s", ours, peer, lambda r: r[key], lambda r: r[peer_key])


CASES = {case.__name__: case for case in (
    extract_400,
    extract_400_llamacpp,
    gemm_share,
    memory_stream,
    tsne_32k,
    tsne_320k,
    tsne_1m,
    tsne_threads,
    busy,
    tsne_cancel,
    serve_cancel,
    own_program("bench_live"),
    own_program("bench_aligned"),
    own_program("bench_heatmap"),
    own_program("bench_scatter"),
    own_program("bench_views"),
    neighbors_320k,
    neighbors_hard,
    neighbors_exact,
    probe_25600x128,
    probe_25600x4096,
    analyses,
)}


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="headscope-bench-") as scratch:
        bench = Bench(options, scratch)
        for name in options.cases or CASES:
            CASES[name](bench)


if __name__ == "__main__":
    main()
