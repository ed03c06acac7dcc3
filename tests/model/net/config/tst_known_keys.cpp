// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/known_keys.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace headscope;

/// Which keys of a model's configuration files are read, which do not matter, and what is said of all others.
class TestKnownKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachKeyHasOnePlace();
    void everyKeyOfEveryGoldenModel();
    void whatIsNotDoneIsSaid_data();
    void whatIsNotDoneIsSaid();
};

void TestKnownKeys::eachKeyHasOnePlace()
{
    for (std::size_t table = 0; table < kNumKeyTables; ++table)
    {
        std::set<std::string_view> keys;
        for (const KnownKey& known : knownKeys(static_cast<KeyTable>(table)))
            QVERIFY2(keys.insert(known.key).second, std::string(known.key).c_str());
        QVERIFY(keys.size() >= 2);
    }
}

void TestKnownKeys::everyKeyOfEveryGoldenModel()
{
    const std::vector<std::pair<const char*, KeyTable>> files = {{"config.json", KeyTable::Config},
                                                                 {"tokenizer_config.json", KeyTable::Tokenizer},
                                                                 {"sentence_bert_config.json", KeyTable::Sentence},
                                                                 {"1_Pooling/config.json", KeyTable::Pooling}};
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("models")))
        for (const auto& [name, table] : files)
        {
            // Models without files of sentence-transformers have the first two.
            if (table != KeyTable::Config && table != KeyTable::Tokenizer &&
                !std::filesystem::exists(entry.path() / name))
                continue;
            const auto document = JsonDocument::parseFile(entry.path() / name);
            HEADSCOPE_VERIFY_OK(document);
            QVERIFY(document->root().size() > 0);
            for (const std::string& notice : keyNotices(table, document->root(), name))
                if (notice != "config.json: latent_attention_config is not applied")
                    QFAIL((entry.path().string() + ": " + notice).c_str());
        }
}

void TestKnownKeys::whatIsNotDoneIsSaid_data()
{
    QTest::addColumn<int>("table");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QList<QByteArray>>("notices");
    const auto row = [](const char* name, KeyTable table, const char* json, const QList<QByteArray>& notices) {
        QTest::newRow(name) << static_cast<int>(table) << QByteArray(json) << notices;
    };
    row("read", KeyTable::Config, R"({"hidden_size": 3, "rope_theta": 1})", {});
    row("irrelevant", KeyTable::Config, R"({"use_cache": true, "top_p": 0.5, "id2label": {"0": "a"}})", {});
    row("unknown", KeyTable::Config, R"({"clip_qkv": 8, "hidden_size": 3, "\u0007": 1})",
        {"f: clip_qkv, ?: unknown, and not used"});
    row("asked", KeyTable::Config, R"({"pruned_heads": {"0": [1]}, "is_encoder_decoder": true})",
        {"f: pruned_heads is not applied", "f: is_encoder_decoder is not applied"});
    row("not asked", KeyTable::Config, R"({"pruned_heads": {}, "is_encoder_decoder": false})", {});
    row("prompts", KeyTable::Prompts, R"({"truncate_dim": 256, "similarity_fn_name": "dot"})", {});
    row("module", KeyTable::Step, R"({"in_features": 3, "dropout": 1})", {"f: dropout: unknown, and not used"});
    row("adapter", KeyTable::Adapter, R"({"r": 8, "lora_dropout": 0.1, "mystery": 1})",
        {"f: mystery: unknown, and not used"});
    row("sentence", KeyTable::Sentence, R"({"do_lower_case": true})", {"f: do_lower_case is not applied"});
    row("no object", KeyTable::Sentence, "[1]", {});
}

void TestKnownKeys::whatIsNotDoneIsSaid()
{
    QFETCH(const int, table);
    QFETCH(const QByteArray, json);
    QFETCH(const QList<QByteArray>, notices);
    const auto document = JsonDocument::parse(json.toStdString(), "f");
    HEADSCOPE_VERIFY_OK(document);
    QList<QByteArray> found;
    for (const std::string& notice : keyNotices(static_cast<KeyTable>(table), document->root(), "f"))
        found << QByteArray::fromStdString(notice);
    QCOMPARE(found, notices);
}

HEADSCOPE_TEST_GUILESS(TestKnownKeys)
#include "tst_known_keys.moc"
