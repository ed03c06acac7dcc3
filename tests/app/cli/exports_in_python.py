# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs write, opened by the packages that others use, and compared with the cache bit by bit.

    exports_in_python.py HEADSCOPE HEADSCOPE-ENGINE MODEL-FOLDER

exports_in_python.sh makes the environment that it runs in.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import anndata
import h5py
import numpy as np
import pandas as pd
import scanpy
from safetensors import safe_open

DOCUMENTS = 30
HEADS, KV_HEADS, LAYER = 8, 2, 2  # of tests/golden/models/mistral_f32
TOPICS = {"Flüsse": "rivers", "猫, große": "cats", '"=stone"': "stone"}
IDS = ("Straße {}", "文書-{}", 'a,"b" 😀 {}', "=1+{}")


def documents():
    """Id, topic (one in seven has none) and language of each."""
    for i in range(DOCUMENTS):
        topic = list(TOPICS)[i % len(TOPICS)]
        yield {"id": IDS[i % len(IDS)].format(i), "text": f"Text {i} about {TOPICS[topic]} and {'more ' * (i % 5)}",
               "topic": None if i % 7 == 6 else topic, "lang": "de" if i % 2 else "fr"}


def strings(dataset):
    return [text.decode() for text in dataset[...]]


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.headscope, cls.engine, cls.model = PROGRAMS
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.docs = list(documents())
        with open(cls.file("docs.jsonl"), "w", encoding="utf-8") as file:
            for each in cls.docs:
                file.write(json.dumps({k: v for k, v in each.items() if v is not None}, ensure_ascii=False) + "\n")
        cls.cache = cls.file("cache.h5")
        cls.call(cls.engine, "extract", cls.model, cls.file("docs.jsonl"), "--label-columns", "topic,lang", "--stages",
                 "1,2,3", "--layers", "all", "--store", "f16", "-o", cls.cache)
        tsne = [cls.headscope, "tsne", cls.cache, "--iterations", "300", "--perplexity", "5"]
        cls.call(*tsne, "--quality", "--noise-floor", "1", "--save", "Karte/1")
        cls.call(*tsne, "--heads", "2-4", "--documents", "0-19", "--save", "part")
        cls.call(*tsne, "--stage", "3", "--save", "segments")
        cls.call(*tsne, "--aligned", "--save", "set")
        with h5py.File(cls.cache) as cache:
            cls.vectors = cache[f"embeddings/layer_{LAYER:03}/stage1"][...].astype(np.float32)
        cls.ids = [each["id"] for each in cls.docs]
        cls.topics = [each["topic"] for each in cls.docs]

    @classmethod
    def file(cls, name):
        return os.path.join(cls.folder.name, name)

    @staticmethod
    def call(*words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def verb(self, verb, *options, output):
        """Runs a verb on the cache; gives the file and what --json prints."""
        path = self.file(output)
        return path, json.loads(self.call(self.headscope, verb, self.cache, "--json", *options, "-o", path))

    def mapped(self, name, part="xy"):
        """A dataset of a map in the cache by document and head, NaN where it has no point."""
        with h5py.File(self.cache) as cache:
            group = cache["maps/" + name]
            values = group[part][...]
            placed = np.full((DOCUMENTS, HEADS) + values.shape[1:], np.nan, np.float32)
            heads = group["head"][...] if "head" in group else slice(None)
            if "head" in group:
                placed[group["document"][...], heads] = values
            else:
                placed[group["document"][...]] = values[:, None]
            return placed

    def same(self, a, b):
        """To the bit, but that a NaN is a NaN."""
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype))
        np.testing.assert_array_equal(a, b)

    def labels(self, values):
        return [None if pd.isna(value) or value == "" else value for value in values]

    # Vectors

    def test_npy(self):
        path, answer = self.verb("export", output="x.npy")
        self.same(np.load(path, allow_pickle=False), self.vectors)
        self.assertEqual([answer["documents"], answer["heads"], answer["dims"]], list(self.vectors.shape))
        path, _ = self.verb("export", "--heads", "2,5", "--documents", "3-5", output="some.npy")
        self.same(np.load(path), self.vectors[3:6][:, [1, 4]])

    def test_safetensors(self):
        path, answer = self.verb("export", "--stage", "1,3", "--map", "Karte/1", "part", output="x.safetensors")
        self.assertEqual(answer["maps"], ["Karte/1", "part"])
        with safe_open(path, "np") as file:
            self.same(file.get_tensor(f"layer_{LAYER:03}/stage1"), self.vectors)
            with h5py.File(self.cache) as cache:
                third = cache[f"embeddings/layer_{LAYER:03}/stage3"][...].astype(np.float32)
            self.same(file.get_tensor(f"layer_{LAYER:03}/stage3"), third)
            self.same(file.get_tensor("documents"), np.arange(DOCUMENTS))
            self.same(file.get_tensor("heads"), np.arange(HEADS))
            facts = file.metadata()
            names = json.loads(facts["categories/topic"])
            codes = file.get_tensor("labels/topic")
            self.assertEqual([names[code] if code >= 0 else None for code in codes], self.topics)
            self.same(file.get_tensor("maps/Karte/1"), self.mapped("Karte%2F1"))
            self.same(file.get_tensor("kept/Karte/1"), self.mapped("Karte%2F1", "noise_floor_by_point"))
            self.same(file.get_tensor("maps/part"), self.mapped("part"))
            self.assertNotIn("kept/part", file.keys())
            told = json.loads(facts["maps/Karte/1"])
            with h5py.File(self.cache) as cache:
                attributes = cache["maps/Karte%2F1"].attrs
                for name in ("kl", "kl_exact", "knn10", "trustworthiness", "seed", "noise_floor_kept"):
                    self.assertEqual(told[name], attributes[name], name)
            self.assertIsNone(json.loads(facts["maps/part"])["knn10"])
            self.assertEqual(facts["input_hash"], answer["input_hash"])

    def test_csv(self):
        path, _ = self.verb("export", "--map", "Karte/1", "part", output="x.csv")
        table = pd.read_csv(path, keep_default_na=False, na_values=[""])
        self.assertEqual(len(table), DOCUMENTS * HEADS)
        self.assertEqual(list(table["id"]), list(np.repeat(self.ids, HEADS)))
        self.assertEqual(self.labels(table["topic"]), list(np.repeat(np.array(self.topics, object), HEADS)))
        self.assertEqual(list(table["head"]), list(range(1, HEADS + 1)) * DOCUMENTS)
        self.assertEqual(list(table["group"]), list(np.repeat(range(1, KV_HEADS + 1), HEADS // KV_HEADS)) * DOCUMENTS)
        numbers = table[[f"v{d}" for d in range(self.vectors.shape[2])]].to_numpy(np.float32)
        self.same(numbers, self.vectors.reshape(-1, self.vectors.shape[2]))
        for name, step in (("Karte/1", "Karte%2F1"), ("part", "part")):
            places = table[[f"tsne_{name}_x", f"tsne_{name}_y"]].to_numpy(np.float32)
            self.same(places, self.mapped(step).reshape(-1, 2))
        self.same(table["tsne_Karte/1_kept"].to_numpy(np.float32),
                  self.mapped("Karte%2F1", "noise_floor_by_point").ravel())
        self.assertNotIn("tsne_part_kept", table)

    def test_jsonl(self):
        path, _ = self.verb("export", "--map", "part", "set/full", output="x.jsonl")
        table = pd.read_json(path, lines=True, dtype=False)
        self.assertEqual(list(table["id"]), list(np.repeat(self.ids, HEADS)))
        self.same(np.array(table["vector"].tolist(), np.float32), self.vectors.reshape(-1, self.vectors.shape[2]))
        self.assertEqual(self.labels(each["topic"] for each in table["labels"]),
                         list(np.repeat(np.array(self.topics, object), HEADS)))
        for name in ("part", "set/full"):
            places = np.array([each[name] for each in table["maps"]], np.float32)
            self.same(places, self.mapped(name).reshape(-1, 2))

    # AnnData

    def test_anndata(self):
        path, answer = self.verb("export", "--map", "all", output="x.h5ad")
        self.assertEqual(answer["maps"], ["Karte/1", "part"])  # the third is of another stage
        data = anndata.read_h5ad(path)
        self.same(data.X, self.vectors.reshape(-1, self.vectors.shape[2]))
        self.assertEqual(list(data.obs["id"]), list(np.repeat(self.ids, HEADS)))
        self.same(data.obs["document"].to_numpy(), np.repeat(np.arange(DOCUMENTS), HEADS))
        self.same(data.obs["head"].to_numpy(), np.tile(np.arange(HEADS), DOCUMENTS))
        self.same(data.obs["group"].to_numpy(), data.obs["head"].to_numpy() // (HEADS // KV_HEADS))
        self.assertTrue(data.obs_names.is_unique)
        for column, values in (("topic", self.topics), ("lang", [each["lang"] for each in self.docs])):
            self.assertIsInstance(data.obs[column].dtype, pd.CategoricalDtype)
            self.assertFalse(data.obs[column].cat.ordered)
            self.assertEqual(self.labels(data.obs[column]), list(np.repeat(np.array(values, object), HEADS)))
        self.assertEqual(set(data.obs["topic"].cat.categories), set(TOPICS))
        self.assertEqual(set(data.obsm), {"X_tsne_Karte%2F1", "X_tsne_part"})
        self.same(data.obsm["X_tsne_Karte%2F1"], self.mapped("Karte%2F1").reshape(-1, 2))
        self.same(data.obsm["X_tsne_part"], self.mapped("part").reshape(-1, 2))
        self.same(data.obs["tsne_Karte%2F1_kept"].to_numpy(), self.mapped("Karte%2F1", "noise_floor_by_point").ravel())
        facts = data.uns["headscope"]["value"]
        self.assertEqual(facts["input_hash"], answer["input_hash"])
        self.assertEqual(facts["maps"], "Karte/1, part")
        self.trust(data.uns["maps"])
        again = self.file("again.h5ad")
        data.write_h5ad(again)  # what it cannot write back it does not understand
        self.same(anndata.read_h5ad(again).obsm["X_tsne_part"], data.obsm["X_tsne_part"])

    def trust(self, table):
        """uns/maps against the attributes in the cache."""
        self.assertEqual(list(table.index), ["Karte/1", "part"])
        with h5py.File(self.cache) as cache:
            for name, step in (("Karte/1", "Karte%2F1"), ("part", "part")):
                attributes = cache["maps/" + step].attrs
                for fact in ("perplexity", "affinities", "metric", "seed", "iterations", "kl", "kl_exact", "knn10",
                             "trustworthiness", "continuity", "spearman", "noise_floor_kept", "hash", "input_hash"):
                    value = table.loc[name, fact]
                    if fact in attributes:
                        self.assertEqual(value, attributes[fact], f"{name} {fact}")
                    else:
                        self.assertTrue(np.isnan(value), f"{name} {fact}")

    def test_anndata_without_maps(self):
        """No map; what made it stands in uns, which hands over no attributes, and what is counted from 0."""
        path, answer = self.verb("export", output="plain.h5")
        data = anndata.read_h5ad(path)
        self.same(data.X, self.vectors.reshape(-1, self.vectors.shape[2]))
        self.assertEqual((len(data.obsm), list(data.uns)), (0, ["headscope"]))
        facts = data.uns["headscope"]["value"]
        self.assertEqual(facts["input_hash"], answer["input_hash"])
        self.assertEqual(facts["heads and groups count from"], "0")
        with h5py.File(path) as file:
            self.assertEqual(file["uns"].attrs["input_hash"], answer["input_hash"])

    def test_scanpy(self):
        """One head as scanpy takes it: neighbours, clusters of them and a picture's coordinates by its own names."""
        path, _ = self.verb("export", "--heads", "3", "--map", "part", output="head.h5ad")
        data = scanpy.read_h5ad(path)
        self.assertEqual(data.shape, (DOCUMENTS, self.vectors.shape[2]))
        scanpy.pp.pca(data, n_comps=5)
        scanpy.pp.neighbors(data, n_neighbors=5)
        self.assertEqual(data.obsp["distances"].shape, (DOCUMENTS, DOCUMENTS))
        frame = scanpy.get.obs_df(data, keys=["topic", "lang"], obsm_keys=[("X_tsne_part", 0), ("X_tsne_part", 1)])
        self.same(frame[["X_tsne_part-0", "X_tsne_part-1"]].to_numpy(), self.mapped("part")[:, 2])
        scanpy.tl.rank_genes_groups(data, "lang", method="t-test")
        self.assertEqual(set(data.uns["rank_genes_groups"]["names"].dtype.names), {"de", "fr"})

    def test_refused(self):
        for words, code in ((["--map", "Karte/1", "-o", "m.npy"], 2), (["--map", "none", "-o", "m.h5ad"], 3),
                            (["--map", "segments", "-o", "m.h5ad"], 3)):
            words[-1] = self.file(words[-1])
            done = subprocess.run([self.headscope, "export", self.cache, *words], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("--map" if "none" not in words else "none", done.stderr)
            self.assertFalse(os.path.exists(words[-1]))

    # Results

    def test_map_files(self):
        options = ("--iterations", "300", "--perplexity", "5")
        path, answer = self.verb("tsne", *options, output="map.h5")
        table = pd.read_csv(self.verb("tsne", *options, "--plain-csv", output="map.csv")[0])
        with h5py.File(path) as file:
            group = file["maps/map"]
            self.assertEqual(group.attrs["hash"], answer["hash"])
            self.same(table[["x", "y"]].to_numpy(np.float32), group["xy"][...])
            self.assertEqual(list(table["document"]), list(group["document"]))
            self.assertEqual(list(table["head"]), [head + 1 for head in group["head"]])
        self.assertEqual(list(table["id"]), [self.ids[document] for document in table["document"]])

    def test_quality(self):
        path, answer = self.verb("quality", "--map", f"{self.cache}:/maps/Karte%2F1/xy", output="quality.h5")
        with h5py.File(path) as file:
            self.assertEqual(file["quality/knn10"].shape, (DOCUMENTS * HEADS,))
            self.assertAlmostEqual(float(file["quality/kl_per_point"][...].sum()), answer["kl_exact"], places=5)
            self.assertAlmostEqual(float(file["quality/knn10"][...].mean()), answer["knn10"], places=5)

    def test_probe(self):
        path, answer = self.verb("probe", output="probe.h5")
        result = answer["results"][0]
        with h5py.File(path) as file:
            group = file["probe"]
            self.assertEqual(group.attrs["accuracy"], result["accuracy"])
            confusion = group["confusion"][...]
            self.assertEqual(confusion.tolist(), result["confusion"])
            rows, predictions = group["test_rows"][...], group["predictions"][...]
            self.assertAlmostEqual(float(np.mean(predictions == rows % HEADS)), result["accuracy"], places=12)
            # The weights are those of the vectors as they are: what they predict is what is in the file.
            vectors = self.vectors.reshape(-1, self.vectors.shape[2])[rows].astype(np.float64)
            scores = vectors @ group["weights"][...].T + group["intercepts"][...]
            self.assertEqual(scores.argmax(axis=1).tolist(), predictions.tolist())
        path, answer = self.verb("probe", "--layer", "all", output="sweep.csv")
        table = pd.read_csv(path)
        self.assertEqual(len(table), len(answer["results"]))

    def test_heads(self):
        path, answer = self.verb("heads", "--label", "topic", output="heads.h5")
        with h5py.File(path) as file:
            columns = {name: data[...] for name, data in file["heads"].items() if isinstance(data, h5py.Dataset)}
            redundancy = file["heads/redundancy/cka"][...]
            for name in file["heads/plane"]:
                self.assertEqual(file["heads/plane"][name].shape, (HEADS, 2))
        table = pd.DataFrame(columns)
        self.assertEqual(list(table["head"]), [each["head"] for each in answer["heads"]])
        for name in ("mean_norm", "spread", "match", "selectivity", "evenness"):
            self.assertEqual(list(table[name]), [each[name] for each in answer["heads"]], name)
        self.assertEqual([name.decode() for name in table["top_topic"]], [each["top_topic"] for each in answer["heads"]])
        self.same(redundancy, redundancy.T)
        self.assertEqual(len(pd.read_csv(self.verb("heads", "--label", "topic", output="heads.csv")[0])), HEADS)

    def test_results_beside_vectors(self):
        """The example of app/INTERFACE.md."""
        data = anndata.read_h5ad(self.verb("export", "--heads", "2,5", output="joined.h5ad")[0])
        path, answer = self.verb("heads", "--label", "topic", output="joined_heads.h5")
        with h5py.File(path) as file:
            heads = pd.DataFrame({name: part[...] for name, part in file["heads"].items()
                                  if isinstance(part, h5py.Dataset)})
        data.obs["match"] = heads.set_index("head")["match"].reindex(data.obs["head"] + 1).to_numpy()
        path, probe = self.verb("probe", output="joined_probe.h5")
        with h5py.File(path) as file:
            data.uns["probe"] = dict(file["probe"].attrs)
        again = self.file("joined_again.h5ad")
        data.write_h5ad(again)
        data = anndata.read_h5ad(again)
        matches = [each["match"] for each in answer["heads"]]
        self.assertEqual(list(data.obs["match"]), [matches[1], matches[4]] * DOCUMENTS)
        self.assertEqual(data.uns["probe"]["accuracy"], probe["results"][0]["accuracy"])
        self.assertEqual(data.uns["probe"]["input_hash"], probe["input_hash"])

    def test_match(self):
        path, answer = self.verb("match", "--label", "topic", output="match.h5")
        with h5py.File(path) as file:
            rows = strings(file["match/row"])
            top = file["match/top_1"][...]
        self.assertEqual(len(rows), len(set(rows)))
        self.assertEqual(top[0], answer["full"]["top1"])
        self.assertEqual(list(top[-HEADS:]), [each["top1"] for each in answer["heads"]])

    def test_heatmap(self):
        path, answer = self.verb("heatmap", "--label", "topic", output="heatmap.h5")
        with h5py.File(path) as file:
            values, rows = file["heatmap/values"][...], file["heatmap/document"][...]
            names, topic = strings(file["heatmap/topic_names"]), file["heatmap/topic"][...]
        self.assertEqual([names[code] for code in topic], [self.topics[row] for row in rows])
        table = pd.read_csv(self.verb("heatmap", "--label", "topic", "--plain-csv", output="heatmap.csv")[0])
        self.assertEqual(list(table["id"]), [self.ids[row] for row in rows])
        self.same(table[["full"] + [f"head {h + 1}" for h in range(HEADS)]].to_numpy(np.float32).T, values)
        self.assertEqual(answer["documents"], len(rows))

    def test_layers(self):
        path, answer = self.verb("layers", "--label", "topic", output="layers.h5")
        with h5py.File(path) as file:
            group = file["layers"]
            self.assertEqual(list(group["layer"]), [each["layer"] for each in answer["results"]])
            self.assertEqual(strings(group["stage"]), [str(each["stage"]) for each in answer["results"]])
            self.assertEqual(list(group["probe_accuracy"]), [each["accuracy"] for each in answer["results"]])

    def test_neighbors(self):
        path, _ = self.verb("neighbors", "-k", "5", output="neighbors.h5")
        vectors = self.vectors.reshape(-1, self.vectors.shape[2]).astype(np.float64)
        with h5py.File(path) as file:
            index, distance = file["neighbors/index"][...], file["neighbors/distance"][...]
        self.assertEqual((index.shape, index.dtype), ((DOCUMENTS * HEADS, 5), np.int32))
        measured = np.linalg.norm(vectors[:, None] - vectors[index], axis=2)
        np.testing.assert_allclose(distance, measured, rtol=1e-5)


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
