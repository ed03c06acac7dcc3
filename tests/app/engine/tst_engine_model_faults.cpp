// SPDX-License-Identifier: GPL-3.0-or-later
// Models that change while they are used, that do not fit into memory, or whose numbers overflow, through
// the built program: a sentence and an exit code, never a crash, nothing left behind.
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QProcess>
#include <QTemporaryDir>

#include <cstring>
#include <limits>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

/// So many texts that a run is still at work when the model changes under it.
void writeManyTexts(const fs::path& path)
{
    std::ofstream file(path);
    for (int i = 0; i < 6'000; ++i)
        file << "{\"text\": \"Document " << i << " says much the same as all the others do, at some length.\"}\n";
}

/// A Mistral folder of the shape of a 7B model whose weights are one hole of the file system.
void writeSparseModel(const fs::path& folder, int layers)
{
    fs::create_directories(folder);
    auto config = test::contents(test::golden("models/mistral_f32/config.json"));
    const auto set = [&config](const std::string& key, int value) {
        const auto at = config.find("\"" + key + "\": ");
        QVERIFY2(at != std::string::npos, key.c_str());
        const auto begin = at + key.size() + 4;
        config.replace(begin, config.find_first_of(",\n}", begin) - begin, std::to_string(value));
    };
    set("hidden_size", 4096);
    set("intermediate_size", 14336);
    set("num_attention_heads", 32);
    set("num_key_value_heads", 8);
    set("num_hidden_layers", layers);
    set("vocab_size", 32000);
    if (config.find("\"head_dim\": ") != std::string::npos)
        set("head_dim", 128);
    test::writeFile(folder / "config.json", config);
    for (const char* name : {"tokenizer.json", "tokenizer_config.json"})
        fs::copy(test::golden("models/mistral_f32") / name, folder / name);
    std::string header = "{";
    std::uint64_t offset = 0;
    const auto tensor = [&](const std::string& name, std::uint64_t rows, std::uint64_t cols) {
        const auto end = offset + 2 * cols * std::max<std::uint64_t>(rows, 1);
        const std::string shape = rows == 0 ? std::to_string(cols) : std::to_string(rows) + "," + std::to_string(cols);
        header += (header.size() > 1 ? ",\"" : "\"") + name + "\":{\"dtype\":\"F16\",\"shape\":[" + shape +
                  "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
        offset = end;
    };
    tensor("embed_tokens.weight", 32000, 4096);
    tensor("norm.weight", 0, 4096);
    for (int layer = 0; layer < layers; ++layer)
    {
        const std::string prefix = "layers." + std::to_string(layer) + ".";
        tensor(prefix + "input_layernorm.weight", 0, 4096);
        tensor(prefix + "post_attention_layernorm.weight", 0, 4096);
        for (const auto& [name, rows, cols] :
             {std::tuple("self_attn.q_proj", 4096U, 4096U), std::tuple("self_attn.k_proj", 1024U, 4096U),
              std::tuple("self_attn.v_proj", 1024U, 4096U), std::tuple("self_attn.o_proj", 4096U, 4096U),
              std::tuple("mlp.gate_proj", 14336U, 4096U), std::tuple("mlp.up_proj", 14336U, 4096U),
              std::tuple("mlp.down_proj", 4096U, 14336U)})
            tensor(prefix + name + ".weight", rows, cols);
    }
    header += "}";
    const std::uint64_t length = header.size();
    std::string start(8, '\0');
    std::memcpy(start.data(), &length, 8);
    test::writeFile(folder / "model.safetensors", start + header);
    fs::resize_file(folder / "model.safetensors", 8 + length + offset);
}

} // namespace

class TestEngineModelFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_base = m_folder->path().toStdString();
    }

    /// Fault row 5, for weights that are mapped, copied, and streamed.
    void modelChangesWhileItIsUsed_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QStringList>("options");
        for (const char* change : {"truncated", "replaced", "removed"})
        {
            QTest::addRow("mapped, %s", change)
                << QStringLiteral("models/mistral_f32") << QString::fromLatin1(change) << QStringList();
            QTest::addRow("copied, %s", change)
                << QStringLiteral("models/mistral_f16") << QString::fromLatin1(change) << QStringList();
            QTest::addRow("streamed, %s", change) << QStringLiteral("models/mistral_f32") << QString::fromLatin1(change)
                                                  << QStringList{QStringLiteral("--memory"), QStringLiteral("250M")};
        }
    }

    void modelChangesWhileItIsUsed()
    {
        QFETCH(QString, model);
        QFETCH(QString, change);
        QFETCH(QStringList, options);
        const auto copy = test::copyOf(model.toStdString(), m_base);
        writeManyTexts(m_base / "d.jsonl");
        QProcess engine;
        engine.setProcessEnvironment(test::heldAt({.text = QStringLiteral("shard_000000.h5")})); // while it extracts
        engine.start(test::text(test::program("headscope-engine")),
                     QStringList{"extract", test::text(copy), test::text(m_base / "d.jsonl"), "-o",
                                 test::text(m_base / "c.h5"), "--progress", "json", "--threads", "2", "--shard-mb", "1",
                                 "--device", "cpu"} +
                         options);
        QVERIFY(test::waitUntilHeld(engine));
        for (const char* shard : {"model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors"})
        {
            if (change == QLatin1String("truncated"))
                fs::resize_file(copy / shard, 5000);
            else if (change == QLatin1String("removed"))
                fs::remove(copy / shard);
            else
            {
                test::writeFile(copy / "new", test::contents(copy / shard));
                fs::rename(copy / "new", copy / shard);
            }
        }
        QVERIFY(test::goOn(engine));
        QVERIFY(engine.waitForFinished(test::kPatienceMs));
        const QByteArray told = engine.readAllStandardError();
        QVERIFY2(told.contains("\"stage\":\"extracting\""), told.constData());
        QCOMPARE(engine.exitStatus(), QProcess::NormalExit);
        QVERIFY2(engine.exitCode() == 3, told.constData());
        QVERIFY2(told.contains("the model changed while it was used"), told.constData());
        QVERIFY(!fs::exists(m_base / "c.h5"));
        for (const auto& entry : fs::directory_iterator(m_base))
            QVERIFY2(entry.path().filename().string().find("c.h5") == std::string::npos ||
                         entry.path().filename() == "c.h5.shards",
                     entry.path().c_str());

        if (change != QLatin1String("truncated") || !options.isEmpty())
            return;
        // What is kept was computed before: with the model as it was it goes on to the right vectors.
        fs::remove_all(copy);
        test::copyOf(model.toStdString(), m_base);
        const auto extract = [&](const char* name, const QStringList& more) {
            return test::runEngine(QStringList{"extract", test::text(copy), test::text(m_base / "d.jsonl"), "-o",
                                               test::text(m_base / name), "--device", "cpu"} +
                                   options + more);
        };
        const auto rest = extract("c.h5", {});
        QVERIFY2(rest.exitCode == 0, rest.err.constData());
        const auto anew = extract("anew.h5", {"--no-resume"});
        QVERIFY2(anew.exitCode == 0, anew.err.constData());
        const test::GoldenFile found(m_base / "c.h5");
        const test::GoldenFile wanted(m_base / "anew.h5");
        for (const std::string& name : wanted.names("/embeddings"))
            for (const std::string& stage : wanted.names("/embeddings/" + name))
                QVERIFY(found.floats("/embeddings/" + name + "/" + stage) ==
                        wanted.floats("/embeddings/" + name + "/" + stage));
    }

    /// Fault row 24: 2.2 GB of weights on disk that would be 3.5 GB in memory.
    void refusedBeforeItIsLoaded()
    {
        writeSparseModel(m_base / "big", 4);
        test::writeFile(m_base / "d.jsonl", "{\"text\": \"a\"}\n");
        const auto outcome =
            test::run("/usr/bin/prlimit",
                      {"--as=2000000000", test::text(test::program("headscope-engine")), "extract",
                       test::text(m_base / "big"), test::text(m_base / "d.jsonl"), "-o", test::text(m_base / "c.h5"),
                       "--device", "cpu", "--threads", "1", "--progress", "json"});
        HEADSCOPE_VERIFY_FAILED(outcome, 4, "this run needs about 3.");
        QVERIFY2(outcome.err.contains("the address space limit"), outcome.err.constData());
        QVERIFY2(!outcome.err.contains("\"stage\":\"reading weights\""), outcome.err.constData());
        QVERIFY(!fs::exists(m_base / "c.h5"));
        const auto card = test::runEngine({"inspect", test::text(m_base / "big"), "--json"});
        QVERIFY2(card.exitCode == 0, card.err.constData());
        QVERIFY(test::jsonOf(card)["memory"].toObject()["peak"].toDouble() > 3.4e9);
    }

    /// Fault row 22: weights that overflow float32 in the second of two layers.
    void overflowIsCountedFlaggedAndTold()
    {
        const auto copy = test::copyOf("models/llama_mha", m_base);
        auto bytes = test::contents(copy / "model.safetensors");
        std::uint64_t header = 0;
        std::memcpy(&header, bytes.data(), 8);
        const auto name = bytes.find("\"layers.1.self_attn.o_proj.weight\"");
        QVERIFY(name != std::string::npos);
        const auto offsets = bytes.find("\"data_offsets\":[", name) + 16;
        const auto begin = 8 + header + std::stoull(bytes.substr(offsets, 20));
        const std::uint16_t infinity = 0x7C00; // float16
        std::memcpy(bytes.data() + begin, &infinity, 2);
        test::writeFile(copy / "model.safetensors", bytes);
        const auto outcome = test::runEngine({"extract", test::text(copy), "-", "-o", test::text(m_base / "c.h5"),
                                              "--layers", "all", "--json", "--device", "cpu"},
                                             "{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QCOMPARE(test::jsonOf(outcome)["non_finite"].toInt(), 2);
        QVERIFY2(outcome.err.contains("first in layer 1, stage 2, segment 1, document 0"), outcome.err.constData());
        QVERIFY2(outcome.err.contains("layer 1, stage 3, segment 1: NaN or infinity in 2 of 2 documents"),
                 outcome.err.constData());
        const test::GoldenFile cache(m_base / "c.h5");
        for (const std::uint8_t flags : cache.bytes("/documents/flags"))
            QVERIFY((flags & 8U) != 0);
        for (const float value : cache.floats("/embeddings/layer_001/stage1"))
            QVERIFY(std::isfinite(value));
        // Of a range its own documents are told, though the others of its step are computed too.
        const auto range = test::runEngine({"extract", test::text(copy), "-", "-o", test::text(m_base / "r.h5"),
                                            "--layers", "all", "--json", "--device", "cpu", "--range", "1:2"},
                                           "{\"text\": \"one\"}\n{\"text\": \"two\"}\n{\"text\": \"three\"}\n");
        QVERIFY2(range.exitCode == 0, range.err.constData());
        QCOMPARE(test::jsonOf(range)["non_finite"].toInt(), 1);
        QVERIFY2(range.err.contains("in vectors of 1 of 1 documents, first in layer 1, stage 2, segment 1, document 0"),
                 range.err.constData());
    }

    /// Fault row 22: numbers that float32 holds and float16 does not.
    void overflowOfTheStoreIsTold()
    {
        const auto copy = test::copyOf("models/llama_mha", m_base);
        auto bytes = test::contents(copy / "model.safetensors");
        std::uint64_t header = 0;
        std::memcpy(&header, bytes.data(), 8);
        const auto name = bytes.find("\"layers.0.self_attn.o_proj.weight\"");
        const auto offsets = bytes.find("\"data_offsets\":[", name) + 16;
        const auto begin = 8 + header + std::stoull(bytes.substr(offsets, 20));
        const std::uint16_t large = 0x7BFF; // 65504
        for (std::size_t i = 0; i < 64; ++i)
            std::memcpy(bytes.data() + begin + 2 * i, &large, 2);
        test::writeFile(copy / "model.safetensors", bytes);
        const QStringList extract = {
            "extract", test::text(copy), "-",      "-o", test::text(m_base / "c.h5"), "--layers", "0", "--device",
            "cpu",     "--overwrite",    "--store"};
        const QByteArray texts = "{\"text\": \"one\"}\n";
        const auto half = test::runEngine(extract + QStringList{"f16", "--json"}, texts);
        QVERIFY2(half.exitCode == 0, half.err.constData());
        QCOMPARE(test::jsonOf(half)["non_finite"].toInt(), 1);
        QVERIFY2(half.err.contains("1 document has values beyond 65,504"), half.err.constData());
        const auto full = test::runEngine(extract + QStringList{"f32"}, texts);
        QVERIFY2(full.exitCode == 0, full.err.constData());
        QVERIFY2(full.err.count('\n') == 1 && full.err.contains("append no end token"), full.err.constData());
        const auto range =
            test::runEngine(extract + QStringList{"f16", "--range", "1:3"}, texts + texts + texts + texts);
        QVERIFY2(range.exitCode == 0, range.err.constData());
        QVERIFY2(range.err.contains("note: 2 documents have values beyond 65,504"), range.err.constData());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_base;
};

HEADSCOPE_TEST_GUILESS(TestEngineModelFaults)
#include "tst_engine_model_faults.moc"
