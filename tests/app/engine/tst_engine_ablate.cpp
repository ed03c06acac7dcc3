// SPDX-License-Identifier: GPL-3.0-or-later
// extract --ablate and --regroup: what is switched off, what the cache says of it, and what it does not mix with.
#include "model/data/head_vectors.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>

using namespace headscope;
using namespace headscope::test;

class TestEngineAblate : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void wrongChoicesAreRefused_data();
    void wrongChoicesAreRefused();
    void headsAreOff();
    void headsAreTheirMeans();
    void sameBitsHoweverItRuns_data();
    void sameBitsHoweverItRuns();
    void regroupedToTheSameChangesNothing();
    void regroupedModelsSayIt();
    void encodersHaveGroups();
    void laterLayersAreTold();
    void nothingIsMixed_data();
    void nothingIsMixed();
    void addedToWithTheSame();
    void rangesAreMerged();
    void anInterruptedRunIsItsOwn();

private:
    /// Runs extract over the texts with these options; the name of the cache is the folder's.
    bool extract(const QStringList& options, const std::string& folder)
    {
        m_last = engine(words({"../texts.jsonl"}, options + QStringList{"-o", "c.h5"}), folder);
        return m_last.exitCode == 0;
    }
    [[nodiscard]] std::vector<float> vectors(const std::string& folder, std::int64_t layer, Stage stage) const
    {
        const auto cache = open(folder + "/c.h5");
        JobContext job;
        if (!cache)
            return {};
        const auto loaded = cache->load(LayerIndex(layer), stage, {}, job);
        return loaded ? std::vector<float>((*loaded)->values().begin(), (*loaded)->values().end())
                      : std::vector<float>();
    }
    [[nodiscard]] ModelInfo model(const std::string& folder) const
    {
        const auto cache = open(folder + "/c.h5");
        return cache ? cache->info().header.model : ModelInfo();
    }

    ProcessOutcome m_last;
};

void TestEngineAblate::initTestCase()
{
    qputenv("SOURCE_DATE_EPOCH", "1700000000");
    writeTexts("texts.jsonl", 0, kDocuments);
    writeTexts("other.jsonl", 20, 40);
    writeTexts("first.jsonl", 0, 30);
    QVERIFY2(extract({"--layers", "all"}, "plain"), m_last.err.constData());
}

void TestEngineAblate::wrongChoicesAreRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("head 0", {"--ablate", "1:0"}, 2, "--ablate: expected LAYER:HEADS such as \"29:1-3;12:g2\"");
    row("no heads", {"--ablate", "1"}, 2, "heads and KV groups from 1), found \"1\"");
    row("layer", {"--ablate", "3:1"}, 3, "--ablate: expected layers 0 to 2 (the model has 3), found 3");
    row("head", {"--ablate", "0:9"}, 3, "expected heads 1 to 8 (the model has 8), found 9");
    row("group", {"--ablate", "0:g3"}, 3, "expected KV groups 1 to 2 (the model has 2), found 3");
    row("group after regrouping", {"--ablate", "0:g2", "--regroup", "1"}, 3, "expected KV groups 1 to 1");
    row("kind", {"--ablate", "0:1", "--ablation", "random"}, 2, "zero");
    row("mean of nothing", {"--ablation", "mean"}, 2, "--ablation: mean needs --ablate with the heads");
    row("reference of zero", {"--ablate", "0:1", "--reference", "../other.jsonl"}, 2,
        "this option needs --ablation mean");
    row("reference that is not there", {"--ablate", "0:1", "--ablation", "mean", "--reference", "none.jsonl"}, 3,
        "none.jsonl");
    row("groups", {"--regroup", "3"}, 3,
        "--regroup: expected a divisor of 2 (the model's number of KV groups), or a multiple of it that divides 8, the "
        "number of heads (possible: 1, 2, 4, 8), found 3");
    row("no groups", {"--regroup", "0"}, 2, "--regroup");
}

void TestEngineAblate::wrongChoicesAreRefused()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    QVERIFY(!extract(options, "wrong"));
    HEADSCOPE_VERIFY_FAILED(m_last, code, part);
    QVERIFY(filesIn("wrong").isEmpty());
}

void TestEngineAblate::headsAreOff()
{
    QVERIFY2(extract({"--layers", "all", "--ablate", "1:2-3;2:g2", "--json"}, "off"), m_last.err.constData());
    const auto json = jsonOf(m_last);
    QCOMPARE(json["ablated"].toArray().size(), 2);
    const auto second = json["ablated"].toArray()[1].toObject();
    QCOMPARE(second["layer"].toInt(), 2);
    QCOMPARE(second["heads"].toArray(), (QJsonArray{5, 6, 7, 8}));
    QCOMPARE(json["ablation"].toString(), "zero");
    QVERIFY(json["regroup"].isNull());
    QCOMPARE(model("off").changes, (ModelChanges{"1:2-3;2:5-8", "zero", "", 0}));
    const auto before = vectors("off", 0, Stage::OutputSegment);
    QCOMPARE(before, vectors("plain", 0, Stage::OutputSegment));
    const auto heads = vectors("off", 1, Stage::HeadOutput); // [N, 8, 16]
    const auto whole = vectors("plain", 1, Stage::HeadOutput);
    QCOMPARE(heads.size(), static_cast<std::size_t>(kDocuments * 8 * 16));
    for (std::size_t i = 0; i < heads.size(); ++i)
        QCOMPARE(heads[i], i / 16 % 8 == 1 || i / 16 % 8 == 2 ? 0.0F : whole[i]);
    QVERIFY(vectors("off", 2, Stage::OutputSegment) != vectors("plain", 2, Stage::OutputSegment));
    // All heads of a layer: its output projection has nothing to project.
    QVERIFY2(extract({"--stages", "2", "--ablate", "2:all"}, "all"), m_last.err.constData());
    for (const float value : vectors("all", 2, Stage::ProjectedSegment))
        QCOMPARE(value, 0.0F);
}

void TestEngineAblate::headsAreTheirMeans()
{
    const QStringList options = {"--layers", "1", "--stages", "1", "--ablate", "1:3", "--ablation", "mean"};
    QVERIFY2(extract(options, "mean"), m_last.err.constData());
    QVERIFY(extract({"--layers", "1", "--stages", "1"}, "alone"));
    const auto own = vectors("mean", 1, Stage::HeadOutput);
    const auto whole = vectors("alone", 1, Stage::HeadOutput);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (i / 16 % 8 == 2)
            QCOMPARE(own[i], own[2 * 16 + i % 16]); // the same in every document
        else
            QCOMPARE(own[i], whole[i]);
    QVERIFY(own[2 * 16] != 0.0F);
    const auto changes = model("mean").changes;
    QVERIFY2(changes.reference.starts_with("90 documents, "), changes.reference.c_str());
    // The same texts by name are the same reference; others are another.
    QVERIFY(extract(options + QStringList{"--reference", "../texts.jsonl"}, "named"));
    QCOMPARE(model("named").changes, changes);
    QCOMPARE(vectors("named", 1, Stage::HeadOutput), own);
    QVERIFY(extract(options + QStringList{"--reference", "../other.jsonl"}, "elsewhere"));
    QVERIFY(model("elsewhere").changes.reference.starts_with("20 documents, "));
    QVERIFY(vectors("elsewhere", 1, Stage::HeadOutput) != own);
}

void TestEngineAblate::sameBitsHoweverItRuns_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("three threads") << QStringList{"--threads", "3"};
    QTest::newRow("layers read from disk") << QStringList{"--memory", "500M", "--threads", "1"};
}

void TestEngineAblate::sameBitsHoweverItRuns()
{
    QFETCH(QStringList, options);
    const QStringList edit = {"--layers", "all", "--ablate", "0:2;1:1-3", "--ablation", "mean", "--regroup", "1"};
    QVERIFY2(extract(edit + QStringList{"--threads", "1", "--overwrite"}, "once"), m_last.err.constData());
    QVERIFY2(extract(edit + options + QStringList{"--overwrite"}, "again"), m_last.err.constData());
    QCOMPARE(checksumsOf("again/c.h5"), checksumsOf("once/c.h5"));
    QVERIFY(!checksumsOf("once/c.h5").empty());
}

void TestEngineAblate::regroupedToTheSameChangesNothing()
{
    QVERIFY2(extract({"--layers", "all", "--regroup", "2", "--json"}, "same"), m_last.err.constData());
    QCOMPARE(jsonOf(m_last)["regroup"].toInt(), 2);
    QCOMPARE(checksumsOf("same/c.h5"), checksumsOf("plain/c.h5"));
}

void TestEngineAblate::regroupedModelsSayIt()
{
    QVERIFY2(extract({"--layers", "all", "--regroup", "1"}, "one"), m_last.err.constData());
    QCOMPARE(model("one").kvHeads, 1);
    QCOMPARE(model("one").changes.regroupedFrom, 2);
    QVERIFY(vectors("one", 0, Stage::HeadOutput) != vectors("plain", 0, Stage::HeadOutput));
    QVERIFY2(extract({"--layers", "all", "--regroup", "8"}, "eight"), m_last.err.constData());
    QCOMPARE(model("eight").kvHeads, 8);
    const auto repeated = vectors("eight", 2, Stage::OutputSegment);
    const auto plain = vectors("plain", 2, Stage::OutputSegment);
    for (std::size_t i = 0; i < plain.size(); ++i)
        QVERIFY(std::abs(repeated[i] - plain[i]) <= 1e-4F);
    const auto card = jsonOf(runEngine({"inspect", text(base / "one/c.h5"), "--json"}));
    QCOMPARE(card["kv_heads"].toInt(), 1);
    QCOMPARE(card["regrouped_from"].toInt(), 2);
    QVERIFY(card["ablated"].isNull());
}

void TestEngineAblate::encodersHaveGroups()
{
    const auto outcome = runEngine({"extract", text(golden("models/bert_f32")), text(base / "texts.jsonl"), "-o",
                                    text(base / "bert.h5"), "--ablate", "0:g6", "--regroup", "6", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QCOMPARE(jsonOf(outcome)["ablated"].toArray()[0].toObject()["heads"].toArray(), (QJsonArray{6}));
}

void TestEngineAblate::laterLayersAreTold()
{
    QVERIFY2(extract({"--layers", "1", "--ablate", "2:1"}, "later"), m_last.err.constData());
    QVERIFY2(m_last.err.contains("ablated heads in layers after 1, the last stored layer, change nothing"),
             m_last.err.constData());
    QVERIFY(extract({"--layers", "1"}, "later without"));
    QCOMPARE(vectors("later", 1, Stage::OutputSegment), vectors("later without", 1, Stage::OutputSegment));
}

void TestEngineAblate::nothingIsMixed_data()
{
    QTest::addColumn<QStringList>("made");
    QTest::addColumn<QStringList>("added");
    QTest::addColumn<QByteArray>("part");
    const QStringList off = {"--ablate", "1:2"};
    const QStringList mean = {"--ablate", "1:2", "--ablation", "mean", "--reference"};
    const auto row = [](const char* name, const QStringList& made, const QStringList& added, const char* part) {
        QTest::newRow(name) << made << added << QByteArray(part);
    };
    row("into one without", {}, off, "--ablate is nothing in the cache and 1:2 here");
    row("into one with heads off", off, {}, "--ablate is 1:2 in the cache and nothing here");
    row("other heads", off, {"--ablate", "1:3"}, "--ablate is 1:2 in the cache and 1:3 here");
    row("mean into zero", off, mean + QStringList{"../other.jsonl"}, "--ablation is zero in the cache and mean here");
    row("another reference", mean + QStringList{"../texts.jsonl"}, mean + QStringList{"../other.jsonl"},
        "the reference of --ablation mean is 90 documents");
    row("no reference", mean + QStringList{"../texts.jsonl"}, {"--ablate", "1:2", "--ablation", "mean"},
        "--reference: --ablation mean needs this option with the documents for the mean");
    row("regrouped", {"--regroup", "1"}, {}, "--regroup is 1 in the cache and nothing here");
    row("into a regrouped one", {"--regroup", "1"}, {"--regroup", "4"}, "--regroup is 1 in the cache and 4 here");
}

void TestEngineAblate::nothingIsMixed()
{
    QFETCH(QStringList, made);
    QFETCH(QStringList, added);
    QFETCH(QByteArray, part);
    QVERIFY2(extract(made + QStringList{"--overwrite"}, "mixed"), m_last.err.constData());
    const auto before = contents(base / "mixed/c.h5");
    const auto outcome = engine(words({}, added + QStringList{"--layers", "0", "--into", "c.h5"}), "mixed");
    QVERIFY(outcome.exitCode == 2 || outcome.exitCode == 3);
    QVERIFY2(outcome.err.contains(part), outcome.err.constData());
    QVERIFY(contents(base / "mixed/c.h5") == before);
    QCOMPARE(filesIn("mixed"), QStringList{"c.h5"});
}

void TestEngineAblate::addedToWithTheSame()
{
    const QStringList edit = {"--ablate",       "1:2",       "--ablation", "mean", "--reference",
                              "../other.jsonl", "--regroup", "4"};
    QVERIFY2(extract(edit, "once whole"), m_last.err.constData());
    const auto first = engine(words({"../first.jsonl"}, edit + QStringList{"-o", "c.h5"}), "grown");
    QVERIFY2(first.exitCode == 0, first.err.constData());
    const auto outcome = engine(words({"../texts.jsonl"}, edit + QStringList{"--into", "c.h5"}), "grown");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QCOMPARE(checksumsOf("grown/c.h5"), checksumsOf("once whole/c.h5"));
    QCOMPARE(model("grown").changes, model("once whole").changes);
}

void TestEngineAblate::rangesAreMerged()
{
    const QStringList edit = {"--ablate", "1:2", "--ablation", "mean"};
    const auto part = [&](const QStringList& options, const char* range, const char* name) {
        return engine(words({"../texts.jsonl"}, options + QStringList{"--range", range, "-o", name}), "ranges");
    };
    QVERIFY(part(edit, "0:40", "a.h5").exitCode == 0);
    QVERIFY(part(edit, "40:90", "b.h5").exitCode == 0);
    QVERIFY(part({"--ablate", "1:2"}, "40:90", "other.h5").exitCode == 0);
    const auto merged = engine({"merge", "a.h5", "b.h5", "-o", "c.h5"}, "ranges");
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    QVERIFY(extract(edit, "whole"));
    QCOMPARE(checksumsOf("ranges/c.h5"), checksumsOf("whole/c.h5"));
    const auto mixed = engine({"merge", "a.h5", "other.h5", "-o", "d.h5"}, "ranges");
    QVERIFY(mixed.exitCode != 0);
    QVERIFY2(mixed.err.contains("--ablation"), mixed.err.constData());
    // Whole caches of other layers are joined only where the same heads were off.
    QVERIFY(extract({"--layers", "0", "--ablate", "0:1"}, "layer"));
    const auto joined = engine({"merge", "../layer/c.h5", "../whole/c.h5", "-o", "d.h5"}, "ranges");
    QVERIFY(joined.exitCode != 0);
    QVERIFY2(joined.err.contains("--ablat"), joined.err.constData());
}

void TestEngineAblate::anInterruptedRunIsItsOwn()
{
    // A topic file that is not there ends the run after the documents were computed.
    const auto run = [&](const QStringList& options) {
        return engine(words({"../texts.jsonl"}, options + QStringList{"--topics", "../lists.json", "-o", "c.h5"}),
                      "broken");
    };
    writeFile(base / "lists.json", "{\"no such column\": [\"a\"]}");
    const auto ended = run({"--ablate", "1:2"});
    QVERIFY(ended.exitCode != 0);
    QVERIFY2(filesIn("broken").contains("c.h5.shards"), ended.err.constData());
    const auto other = run({"--ablate", "1:3"});
    HEADSCOPE_VERIFY_FAILED(other, 4, "--ablate was 1:2, is 1:3");
    const auto regrouped = run({"--ablate", "1:2", "--regroup", "1"});
    HEADSCOPE_VERIFY_FAILED(regrouped, 4, "--regroup was nothing, is 1");
    writeFile(base / "lists.json", "{\"topic\": [\"t0\"]}");
    const auto same = run({"--ablate", "1:2"});
    QVERIFY2(same.exitCode == 0, same.err.constData());
    QVERIFY2(same.err.contains("90 of 90 documents were done by an earlier run"), same.err.constData());
}

HEADSCOPE_TEST_GUILESS(TestEngineAblate)
#include "tst_engine_ablate.moc"
