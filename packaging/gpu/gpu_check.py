#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks Headscope on the GPU of this machine, and measures it. One JSON object on stdout, progress on stderr;
exit code 0 where everything that must hold holds, 1 where something does not, 2 where it could not be tried.

    gpu_check.sh [--device cuda] [--layers 32] [--tokens 400000] [--golden FOLDER] [--work FOLDER] [--json FILE]

It needs the Python environment whose torch the engine uses; transformers too for the comparison. With --device cpu
the same steps run with a small model on the CPU: a rehearsal, whose figures mean nothing.

Steps: parity of every golden model with recorded truth; the rate of the card's own bfloat16 product; a model of the
shape of SFR-Embedding-Mistral with random weights (made on the device) through the engine and through transformers;
a full GPU; attention, ablation and importance against the CPU.
"""
import argparse
import ctypes
import importlib.util
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
COSINE = 0.999   # of rows in half precision
ERROR = 1e-4     # of rows in float32, in lengths of the row
STEP_TOKENS = 16384
WORDS = ("heads attend to words that came before and write what they found into the stream of every token "
         "while groups of queries share one key and one value so that memory stays small").split()


def note(text):
    print(text, file=sys.stderr, flush=True)


class Check:
    """What has been found, written after every step, so that a run that is cut off leaves what it has."""

    def __init__(self, path):
        self.path, self.found, self.failures = path, {}, []
        self.began = time.monotonic()

    def step(self, name, work):
        began = time.monotonic()
        note(f"[{began - self.began:5.0f} s] {name}")
        try:
            self.found[name] = work()
        except Exception as error:  # whatever it is, the other steps still say something
            self.found[name] = {"error": f"{type(error).__name__}: {error}"[:2000]}
            self.failures.append(f"{name}: {error}"[:400])
        if isinstance(self.found[name], dict):
            self.found[name]["step_seconds"] = round(time.monotonic() - began, 1)
        self.write()
        return self.found[name]

    def must(self, holds, text):
        if not holds:
            self.failures.append(text)
        return bool(holds)

    def write(self):
        self.found["failures"] = self.failures
        if self.path:
            self.path.write_text(json.dumps(self.found, indent=1))


def run(program, *arguments, limit=240, codes=(0,)):
    """A program of the bundle: its answer in JSON, and its exit code."""
    done = subprocess.run([str(HERE / program), *map(str, arguments)], capture_output=True, text=True, timeout=limit,
                          cwd=run.folder)
    if done.returncode not in codes:
        raise RuntimeError(f"{program} {' '.join(map(str, arguments))} ended with {done.returncode}: "
                           f"{done.stderr.strip()[-600:]}")
    lines = done.stdout.strip().splitlines()
    return (json.loads(lines[-1]) if lines else None), done


run.folder = HERE


class GpuMemory:
    """The most memory that all programs together used on the GPU, and how busy it was, looked at every 0.2 s."""

    def __init__(self, device):
        self.device, self.most, self.busy, self.ended = device, None, [], threading.Event()

    @staticmethod
    def look():
        answer = subprocess.run(["nvidia-smi", "--query-gpu=memory.used,utilization.gpu",
                                 "--format=csv,noheader,nounits"], capture_output=True, text=True)
        try:
            used, busy = (int(word) for word in answer.stdout.splitlines()[0].split(","))
        except (ValueError, IndexError):
            return None
        return used << 20, busy

    def watch(self):
        while not self.ended.is_set():
            now = self.look()
            if now is not None:
                self.most = max(self.most or 0, now[0])
                self.busy.append(now[1])
            self.ended.wait(0.2)

    def __enter__(self):
        if self.device != "cpu":
            self.thread = threading.Thread(target=self.watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        if self.device != "cpu":
            self.thread.join()


def unpack(packed, folder):
    """What the archives of tests/golden hold, below golden/ in a folder."""
    for archive in sorted(packed.glob("*/*.tar.xz")):
        if archive.parent.name in ("models", "gguf"):
            with tarfile.open(archive) as file:
                file.extractall(folder / "golden" / archive.parent.name)
    return folder


def facts(choices):
    import torch
    answer, _ = run("headscope-engine", "--devices")
    found = {"engine": answer, "torch": torch.__version__, "cpus": os.cpu_count()}
    if choices.device != "cpu":
        smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
                             capture_output=True, text=True)
        found["gpu"] = smi.stdout.strip()
        if not any(name.startswith("cuda") for name in answer["devices"]):
            raise RuntimeError(f"the engine sees no GPU: {answer['missing']}")
    return found


def parity(check, choices):
    run.folder = choices.golden
    try:
        answer, done = run("headscope-gpu-parity", "golden", choices.device, codes=(0, 1))
    finally:
        run.folder = HERE
    bad = [one for one in answer["results"] if not one["ok"]]
    worst = {}
    for one in answer["results"]:
        for name, value in one.items():
            if isinstance(value, float):
                key = f"{one['dtype']} {name}"
                worst[key] = (min if name.endswith("_cosine") else max)(worst.get(key, value), value)
    check.must(not bad, f"parity: {len(bad)} of {answer['cases']} cases differ, first {bad[:1]}")
    return {"cases": answer["cases"], "failed": len(bad), "worst": worst, "bad": bad[:20]}


def product_rate(device, tiny):
    """TFLOP/s of torch's bfloat16 products: of 8192 x 8192 x 8192, and of the shapes of a 7B model."""
    import torch
    kind = torch.float32 if device == "cpu" else torch.bfloat16

    def rate(m, k, n):
        a = torch.randn(m, k, device=device).to(kind)
        b = torch.randn(n, k, device=device).to(kind)
        seconds = []
        for i in range(13):
            if device != "cpu":
                torch.cuda.synchronize()
            began = time.perf_counter()
            torch.nn.functional.linear(a, b)
            if device != "cpu":
                torch.cuda.synchronize()
            seconds.append(time.perf_counter() - began)
        return 2 * m * k * n / statistics.median(seconds[3:]) / 1e12

    if tiny:
        return {"square": rate(512, 512, 512)}
    found = {"square": rate(8192, 8192, 8192)}
    shapes = {"q": (4096, 4096), "kv": (4096, 1024), "gate": (4096, 14336), "down": (14336, 4096)}
    found["model_shapes"] = {name: rate(STEP_TOKENS, *shape) for name, shape in shapes.items()}
    return found


def write_safetensors(path, tensors):
    """bfloat16 tensors of the CPU, with nothing but torch."""
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + 2 * tensor.numel()
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write((ctypes.c_char * (2 * tensor.numel())).from_address(tensor.contiguous().data_ptr()))


def make_model(folder, device, layers, tiny):
    """A Mistral of the shape of SFR-Embedding-Mistral with random weights in bfloat16."""
    import torch
    dims, mlp, heads, kv, head, words = (256, 512, 8, 2, 32, 1000) if tiny else (4096, 14336, 32, 8, 128, 32000)
    folder.mkdir(parents=True)
    source = CHOICES.golden / "golden/models/mistral_f32"
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / name, folder)
    config = json.loads((source / "config.json").read_text())
    config.update(architectures=["MistralModel"], hidden_size=dims, intermediate_size=mlp, num_attention_heads=heads,
                  num_key_value_heads=kv, head_dim=head, num_hidden_layers=layers, vocab_size=words,
                  max_position_embeddings=32768, sliding_window=None, torch_dtype="bfloat16", dtype="bfloat16")
    config.pop("layer_types", None)
    (folder / "config.json").write_text(json.dumps(config))
    torch.manual_seed(1)

    def draw(*shape, scale=None):
        values = torch.randn(*shape, device=device, dtype=torch.float32) * (scale or shape[-1] ** -0.5)
        return values.to(torch.bfloat16).cpu()

    place, total = {}, 0
    groups = [{"embed_tokens.weight": draw(words, dims, scale=1.0), "norm.weight": torch.ones(dims).bfloat16()}]
    for index in range(layers + 1):
        if index > 0:
            at = f"layers.{index - 1}."
            groups = [{at + "input_layernorm.weight": torch.ones(dims).bfloat16(),
                       at + "post_attention_layernorm.weight": torch.ones(dims).bfloat16(),
                       at + "self_attn.q_proj.weight": draw(heads * head, dims),
                       at + "self_attn.k_proj.weight": draw(kv * head, dims),
                       at + "self_attn.v_proj.weight": draw(kv * head, dims),
                       at + "self_attn.o_proj.weight": draw(dims, heads * head),
                       at + "mlp.gate_proj.weight": draw(mlp, dims),
                       at + "mlp.up_proj.weight": draw(mlp, dims),
                       at + "mlp.down_proj.weight": draw(dims, mlp)}]
        name = f"model-{index + 1:05}-of-{layers + 1:05}.safetensors"
        write_safetensors(folder / name, groups[0])
        place.update(dict.fromkeys(groups[0], name))
        total += sum(tensor.numel() * 2 for tensor in groups[0].values())
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": total}, "weight_map": place}))
    linear = layers * (2 * dims * heads * head + 2 * dims * kv * head + 3 * dims * mlp)
    return {"bytes": total, "flops_per_token": 2 * linear, "layers": layers, "dims": dims, "heads": heads,
            "head_dim": head}


def make_texts(path, tokens):
    """Documents of made-up sentences, of the lengths of web pages: 60 to 1,500 tokens, most of 150 to 600."""
    draw = random.Random(7)
    held = 0
    with open(path, "w") as file:
        while held < tokens:
            words = max(12, min(320, int(draw.lognormvariate(4.3, 0.7))))
            text = " ".join(draw.choices(WORDS, k=words))
            file.write(json.dumps({"text": text}) + "\n")
            held += 4 * words
    return held


def flops(model, lengths):
    """Of the linear layers, and of causal attention, as the engine's own benchmark counts them."""
    linear = model["flops_per_token"] * sum(lengths)
    attention = 2 * model["layers"] * model["heads"] * model["head_dim"] * sum(n * n for n in lengths)
    return linear + attention


def busy_share(looks, seconds):
    """The mean of the looks at the GPU while the engine computed: the last so many seconds before it ended."""
    while looks and looks[-1] == 0:
        looks = looks[:-1]
    own = looks[-max(1, int(seconds / 0.25)):]
    return round(statistics.mean(own) / 100, 3) if own else None


def engine_speed(check, choices, model, folder, texts, square):
    extra = [] if choices.device == "cpu" else ["--dtype", "bf16"]
    out = folder / "engine.h5"
    with GpuMemory(choices.device) as memory:
        answer, _ = run("headscope-engine", "extract", folder / "model", texts, "-o", out, "--device", choices.device,
                        "--json", "--progress", "off", "--overwrite", *extra, limit=200)
    compute = answer["seconds"]["compute"]
    rate = answer["tokens"] / compute
    lengths = token_lengths(folder / "model", texts)
    work = flops(model, lengths)
    found = {"documents": answer["documents"], "tokens": answer["tokens"], "tokens_per_second": rate,
             "seconds": answer["seconds"], "tflops": work / compute / 1e12,
             "share_of_product_rate": work / compute / 1e12 / square, "gpu_memory": memory.most, "gpu_busy": busy_share(memory.busy, compute),
             "host_memory": answer["peak_bytes"], "mean_tokens": statistics.mean(lengths), "most_tokens": max(lengths)}
    if choices.device != "cpu":
        found["at_least_40_percent"] = check.must(found["share_of_product_rate"] >= 0.4,
                                                  "the engine reaches less than 40 % of the card's product rate")
    return found


def token_ids(model, texts):
    with open(texts) as lines:
        done = subprocess.run([str(HERE / "headscope-engine"), "tokenize", str(model)], stdin=lines,
                              capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-400:])
    return [json.loads(line)["ids"] for line in done.stdout.splitlines()]


def token_lengths(model, texts):
    if not hasattr(token_lengths, "ids"):
        token_lengths.ids = token_ids(model, texts)
    return [len(ids) for ids in token_lengths.ids]


def transformers_speed(check, choices, folder, texts, ours):
    """The same documents by transformers: sdpa, batches of one length bucket, hooks on the last o_proj."""
    import torch
    if importlib.util.find_spec("transformers") is None:
        return {"left_out": "transformers is not in this environment"}
    from transformers import AutoModel
    began = time.perf_counter()
    kind = torch.float32 if choices.device == "cpu" else torch.bfloat16
    model = AutoModel.from_pretrained(folder / "model", dtype=kind, attn_implementation="sdpa").to(choices.device).eval()
    load = time.perf_counter() - began
    kept = {}
    last = model.layers[-1].self_attn.o_proj
    last.register_forward_pre_hook(lambda module, inputs: kept.update(stage1=inputs[0]))
    last.register_forward_hook(lambda module, inputs, output: kept.update(stage2=output))
    token_lengths(folder / "model", texts)
    documents = sorted(token_lengths.ids, key=len)
    batches, batch = [], []
    for ids in documents:
        if batch and (len(batch) + 1) * len(ids) > STEP_TOKENS:
            batches.append(batch)
            batch = []
        batch.append(ids)
    batches.append(batch)

    def compute(batch):
        longest = max(map(len, batch))
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        for row, own in enumerate(batch):
            ids[row, :len(own)] = torch.tensor(own)
        ends = torch.tensor([len(own) - 1 for own in batch], device=choices.device)
        with torch.inference_mode():
            kept["stage3"] = model(input_ids=ids.to(choices.device), use_cache=False).last_hidden_state
            rows = torch.arange(len(batch), device=choices.device)
            return [kept[name][rows, ends].float().cpu() for name in ("stage1", "stage2", "stage3")]

    compute(batches[len(batches) // 2])  # warm
    random.Random(3).shuffle(batches)
    tokens = padded = 0
    began = time.perf_counter()
    for batch in batches:
        compute(batch)
        tokens += sum(map(len, batch))
        padded += len(batch) * max(map(len, batch))
        if time.perf_counter() - began > choices.peer_seconds:
            break
    seconds = time.perf_counter() - began
    found = {"tokens": tokens, "tokens_per_second": tokens / seconds, "fill": tokens / padded, "load_seconds": load,
             "ours_to_theirs": ours / (tokens / seconds)}
    if choices.device != "cpu":
        found["gpu_memory"] = torch.cuda.max_memory_allocated()
        found["at_least_as_fast"] = check.must(found["ours_to_theirs"] >= 1, "transformers is faster")
    return found


HOG = """
import sys, time, torch
free, _ = torch.cuda.mem_get_info()
held = torch.empty(max(0, free - int(sys.argv[1])), dtype=torch.uint8, device="cuda")
print("held", flush=True)
sys.stdin.read()
"""


def full_gpu(check, choices, folder, texts):
    """Too little memory for a whole step: the engine goes on with smaller ones, and the vectors stay the same."""
    whole = folder / "whole.h5"
    tight = folder / "tight.h5"
    words = ["--device", choices.device, "--dtype", "bf16", "--layers", "1", "--limit", "400", "--json", "--progress",
             "off", "--overwrite"]
    with GpuMemory(choices.device) as memory:
        before = memory.look()[0]
        roomy, _ = run("headscope-engine", "extract", folder / "model", texts, "-o", whole, *words)
    used = memory.most - before
    found = {"needs": used, "tries": []}
    for share in (0.75, 0.5):
        hog = subprocess.Popen([sys.executable, "-c", HOG, str(int(used * share))], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
        try:
            hog.stdout.readline()
            answer, done = run("headscope-engine", "extract", folder / "model", texts, "-o", tight, *words,
                               codes=range(256))
        finally:
            hog.stdin.close()
            hog.wait()
        one = {"left": used * share, "exit": done.returncode, "says": done.stderr.strip()[-300:]}
        if done.returncode == 0:
            places, _ = run("headscope-gpu-parity", "caches", tight, whole)
            one["cosine"] = min(place["cosine"] for place in places)
            one["seconds"] = answer["seconds"]["compute"]
            check.must(one["cosine"] >= COSINE, f"with little memory the vectors differ: {one}")
        else:
            check.must(done.returncode == 5 or "memory" in one["says"], f"a full GPU is not told: {one}")
        found["tries"].append(one)
    found["roomy_seconds"] = roomy["seconds"]["compute"]
    check.must(any("cosine" in one for one in found["tries"]), "no run went on with little memory")
    return found


def numbers_of(value, at=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("seconds", "tokens_per_second", "peak_bytes", "sha256", "output", "device", "step_seconds"):
                yield from numbers_of(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from numbers_of(inner, f"{at}[{index}]")
    elif isinstance(value, bool) or value is None or isinstance(value, str):
        yield at, value
    else:
        yield at, float(value)


def difference(found, expected):
    """The largest difference of two answers' numbers; infinite where anything else differs, with its place."""
    a, b = dict(numbers_of(found)), dict(numbers_of(expected))
    if a.keys() != b.keys():
        return math.inf, str(sorted(a.keys() ^ b.keys())[:3])
    most, at = 0.0, ""
    for key, value in a.items():
        other = b[key]
        if isinstance(value, float) and isinstance(other, float):
            now = abs(value - other) / max(1.0, abs(other))
        else:
            now = 0.0 if value == other else math.inf
        if now > most:
            most, at = now, f"{key}: {value} and {other}"
    return most, at


def same_answers(check, choices, folder):
    """Attention, ablation and importance by the device and by our own arithmetic on the CPU."""
    golden = choices.golden / "golden/models"
    labelled = folder / "labelled.jsonl"
    draw = random.Random(5)
    labelled.write_text("".join(json.dumps({"text": " ".join(draw.choices(WORDS, k=6 + i)),
                                            "kind": ["even", "odd"][i % 2]}) + "\n" for i in range(24)))
    found = {}
    cases = []
    for name in ("mistral_f32", "bert_f32"):
        text = " ".join(draw.choices(WORDS, k=30))
        cases.append((f"attention {name}", ["attention", golden / name, text, "--statistics", "--no-weights"], 1e-3))
        cases.append((f"importance {name}", ["importance", golden / name, labelled, "--label", "kind", "--masks",
                                             "40"], 1e-3))
        cases.append((f"head over a corpus {name}", ["attention", golden / name, "--corpus", labelled,
                                                     "--activations", "1:2"], 1e-3))
        cases.append((f"ablation {name}", ["extract", golden / name, labelled, "--ablate", "0:1,3", "--ablation",
                                           "mean", "--stages", "1,2,3", "--layers", "all"], None))
    for label, words, tolerance in cases:
        answers = []
        for device in (choices.device, "cpu"):
            out = folder / f"{words[0]}-{device.replace(':', '')}.h5"
            answer, _ = run("headscope-engine", *words, "-o", out, "--device", device, "--json", "--overwrite",
                            "--progress", "off")
            answers.append((answer, out))
        if tolerance is None:
            places, _ = run("headscope-gpu-parity", "caches", answers[0][1], answers[1][1])
            worst = max(place["error"] for place in places)
            found[label] = {"error": worst}
            check.must(worst <= ERROR, f"{label}: {worst}")
        else:
            worst, at = difference(answers[0][0], answers[1][0])
            found[label] = {"difference": worst, "at": at}
            check.must(worst <= tolerance, f"{label}: {worst} at {at}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--tokens", type=int)
    parser.add_argument("--peer-seconds", type=float, default=15)
    parser.add_argument("--golden", type=pathlib.Path, default=HERE, help="the folder that holds tests/golden")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", help="steps by their first words, with commas")
    choices = parser.parse_args()
    global CHOICES
    CHOICES = choices
    tiny = choices.device == "cpu"
    layers = choices.layers or (2 if tiny else 32)
    if choices.json:
        choices.json = choices.json.resolve()
    choices.golden = choices.golden.resolve()
    if not (choices.golden / "tests/golden/models").is_dir():
        note(f"gpu_check: expected tests/golden in {choices.golden} (--golden names another folder)")
        return 2
    check = Check(choices.json)
    wanted = choices.only.split(",") if choices.only else None

    def step(name, work):
        if wanted is None or any(name.startswith(one) for one in wanted):
            return check.step(name, work)
        return {"error": "left out"}

    parent = choices.work
    if parent is None and shutil.disk_usage("/dev/shm").free > 40 << 30:
        parent = pathlib.Path("/dev/shm")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="headscope-gpu-", dir=parent))
    try:
        choices.golden = unpack(choices.golden / "tests/golden", folder)
        if "error" in check.step("facts", lambda: facts(choices)):
            print(json.dumps(check.found, indent=1))
            return 2
        step("parity", lambda: parity(check, choices))
        step("same answers", lambda: same_answers(check, choices, folder))
        rates = check.step("product rate", lambda: product_rate(choices.device, tiny))
        texts = folder / "texts.jsonl"
        made = step("model", lambda: make_model(folder / "model", choices.device, layers, tiny))
        if "error" not in made:
            make_texts(texts, choices.tokens or (2000 if tiny else 1000000))
            ours = step("engine", lambda: engine_speed(check, choices, made, folder, texts, rates["square"]))
            if not tiny:
                step("full gpu", lambda: full_gpu(check, choices, folder, texts))
            if "error" not in ours:
                step("transformers", lambda: transformers_speed(check, choices, folder, texts,
                                                                ours["tokens_per_second"]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    check.found["seconds"] = round(time.monotonic() - check.began, 1)
    check.write()
    print(json.dumps(check.found, indent=1))
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
