// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_card.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <map>

using namespace headscope;

namespace
{

namespace fs = std::filesystem;

Result<ModelCard> cardOf(const fs::path& model, const ModelCardOptions& options = {})
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(model));
    return makeModelCard(files, options, job);
}

/// The settings of a folder whose files hold these texts ("" = no such file).
Result<SentenceSettings> settingsOfFiles(const std::map<std::string, std::string>& texts)
{
    const QTemporaryDir folder;
    ModelFiles files;
    files.folder = folder.path().toStdString();
    files.root = files.folder;
    for (const auto& [name, text] : texts)
    {
        if (text.empty())
            continue;
        fs::create_directories((files.folder / name).parent_path());
        std::ofstream(files.folder / name) << text;
    }
    return readSentenceSettings(files);
}

Result<SentenceSettings> readSettings(const std::string& modules, const std::string& pooling,
                                      const std::string& sentence)
{
    return settingsOfFiles(
        {{"modules.json", modules}, {"1_Pooling/config.json", pooling}, {"sentence_bert_config.json", sentence}});
}

SentenceSettings settingsOf(const std::string& modules, const std::string& pooling, const std::string& sentence)
{
    auto settings = readSettings(modules, pooling, sentence);
    return settings ? std::move(*settings) : SentenceSettings();
}

constexpr const char* kModules = R"([{"type": "sentence_transformers.models.Transformer", "path": ""},
                                     {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}])";

} // namespace

class TestModelCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folder();
    void gguf();
    void everyGoldenModel();
    void hashes();
    void memoryGrowsWithLayersAndWorkers();
    void poolingModes_data();
    void poolingModes();
    void sentenceFilesThatAskForMore();
    void brokenSentenceFiles_data();
    void brokenSentenceFiles();
    void modulesThatAreNotApplied_data();
    void modulesThatAreNotApplied();
    void maxTokens();
    void longestText_data();
    void longestText();
    void prompts();
};

void TestModelCard::folder()
{
    const auto card = cardOf(test::golden("models/bert_f16"));
    HEADSCOPE_VERIFY_OK(card);
    QCOMPARE(card->info.name, std::string("bert_f16"));
    QCOMPARE(card->info.family, std::string("bert"));
    QCOMPARE(card->info.layers, 3);
    QCOMPARE(card->info.heads, 4);
    QCOMPARE(card->info.vocabulary, 416);
    QCOMPARE(card->dtype, std::string("F16"));
    QVERIFY(card->sentence.pooling == Pooling::First);
    QCOMPARE(card->defaultMaxTokens(), 128);
    QVERIFY(card->warnings.empty());
    QStringList names;
    for (const CardFile& file : card->files)
    {
        names << QString::fromStdString(file.name);
        QVERIFY(file.bytes > 0 && file.sha256.empty());
    }
    const QStringList expected = {QStringLiteral("config.json"), QStringLiteral("tokenizer.json"),
                                  QStringLiteral("tokenizer_config.json"), QStringLiteral("model.safetensors")};
    QCOMPARE(names, expected);
}

void TestModelCard::gguf()
{
    const auto card = cardOf(test::golden("gguf/qwen3/qwen3-Q8_0.gguf"));
    HEADSCOPE_VERIFY_OK(card);
    QCOMPARE(card->info.name, std::string("qwen3-Q8_0"));
    QCOMPARE(card->info.family, std::string("qwen3"));
    QVERIFY(card->sentence.pooling == Pooling::Last);
    QCOMPARE(card->dtype, std::string("Q8_0"));
    QCOMPARE(card->files.size(), 1U);
    std::uint64_t sum = 0;
    for (const auto& [type, count] : card->dtypes)
        sum += count;
    QCOMPARE(sum, card->parameters);
    QVERIFY(card->dtypes.size() == 2 && card->dtypes[1].first == "F32");
}

void TestModelCard::everyGoldenModel()
{
    for (const auto& entry : fs::directory_iterator(test::golden("models")))
    {
        const auto card = cardOf(entry.path());
        HEADSCOPE_VERIFY_OK(card);
        // GPT-2 was never made to embed, and NV-Embed pools in a way that is not offered; the others say how.
        const std::string name = entry.path().filename().string();
        QCOMPARE(card->sentence.pooling.has_value(),
                 name != "gpt2_f32" && name != "gptneox_f16" && name != "mistral_nvembed");
        QCOMPARE(card->sentence.otherPooling, std::string(name == "mistral_nvembed" ? "latent attention" : ""));
        QVERIFY(card->memory.weights > 0 && card->memory.peak > card->memory.weights);
        QVERIFY(card->parameters > 0);
        // What the pooled vector goes through afterwards has tests of its own.
        std::vector<std::string> warnings = card->warnings;
        std::erase_if(warnings,
                      [](const std::string& each) { return each.starts_with("modules.json: the module Dense"); });
        if (name == "mistral_nvembed")
            QCOMPARE(warnings,
                     (std::vector<std::string>{"the sliding window is not used, because attention is bidirectional",
                                               "config.json: latent_attention_config is not applied"}));
        else
            QVERIFY2(warnings.empty(), warnings.empty() ? "" : warnings[0].c_str());
    }
}

void TestModelCard::hashes()
{
    const auto card = cardOf(test::golden("models/mistral_f16"), {.hashes = true});
    HEADSCOPE_VERIFY_OK(card);
    QCOMPARE(card->files.size(), 7U); // configuration, tokenizer, its configuration, index, three shards
    QCOMPARE(card->info.sha256.size(), card->files.size());
    for (const auto& [name, digest] : card->info.sha256)
        QCOMPARE(digest.size(), 64U);
    const auto files = openModel(test::golden("models/mistral_f16"));
    HEADSCOPE_VERIFY_OK(files);
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    QVERIFY(!makeModelCard(*files, {.hashes = true}, job));
}

void TestModelCard::memoryGrowsWithLayersAndWorkers()
{
    const auto files = openModel(test::golden("gguf/llama/llama-Q4_0.gguf"));
    HEADSCOPE_VERIFY_OK(files);
    const MemoryEstimate all = estimateMemory(*files, {});
    const MemoryEstimate first = estimateMemory(*files, {.lastLayer = 0});
    const MemoryEstimate more = estimateMemory(*files, {.threads = 4});
    QVERIFY(first.weights < all.weights && first.peak < all.peak);
    QVERIFY(more.weights == all.weights && more.peak > all.peak);
}

void TestModelCard::poolingModes_data()
{
    QTest::addColumn<QString>("pooling");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("other");
    const auto add = [](const char* pooling, const char* name, const char* other) {
        QTest::newRow(pooling) << QString::fromLatin1(pooling) << QString::fromLatin1(name)
                               << QString::fromLatin1(other);
    };
    add(R"({"pooling_mode_lasttoken": true, "pooling_mode_mean_tokens": false})", "last", "");
    add(R"({"pooling_mode_mean_tokens": true})", "mean", "");
    add(R"({"pooling_mode_cls_token": true})", "first", "");
    add(R"({"pooling_mode": "lasttoken"})", "last", "");
    add(R"({"pooling_mode_max_tokens": true})", "", "max");
    add(R"({"pooling_mode_weightedmean_tokens": true})", "", "weightedmean");
    add(R"({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true})", "", "cls and mean");
    add(R"({"pooling_mode": "attention"})", "", "attention");
    add(R"({})", "", "");
}

void TestModelCard::poolingModes()
{
    QFETCH(const QString, pooling);
    QFETCH(const QString, name);
    QFETCH(const QString, other);
    const SentenceSettings settings = settingsOf(kModules, pooling.toStdString(), "");
    QCOMPARE(settings.pooling ? std::string(poolingName(*settings.pooling)) : std::string(), name.toStdString());
    QCOMPARE(settings.otherPooling, other.toStdString());
    QVERIFY(settings.warnings.empty());
}

void TestModelCard::sentenceFilesThatAskForMore()
{
    const std::string dense = R"([{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
                                  {"type": "sentence_transformers.models.Dense", "path": "2_Dense"},
                                  {"type": "sentence_transformers.models.Normalize", "path": "3_Normalize"}])";
    const SentenceSettings settings = settingsOf(
        dense, R"({"pooling_mode_mean_tokens": true, "include_prompt": false})", R"({"max_seq_length": 512})");
    QVERIFY(settings.pooling == Pooling::Mean && !settings.includePrompt);
    QCOMPARE(settings.maxSequenceLength, std::optional<std::int64_t>(512));
    QCOMPARE(settings.warnings.size(), 1U);
    QVERIFY(settings.warnings[0].find("2_Dense") != std::string::npos);
    QCOMPARE(settings.modules, (std::vector<std::string>{"Pooling", "Dense", "Normalize"}));
    const SentenceSettings own = settingsOf(R"([{"type": "custom_st.Transformer", "path": ""}])", "", "");
    QVERIFY(own.warnings.size() == 1 &&
            own.warnings[0].find("the module Transformer is not applied") != std::string::npos);
    // Without modules.json the usual place is looked at; a path that leads out of the folder is not followed.
    QVERIFY(settingsOf("", R"({"pooling_mode_cls_token": true})", "").pooling == Pooling::First);
    const std::string outside = R"([{"type": "x.Pooling", "path": "../1_Pooling"}])";
    QVERIFY(!settingsOf(outside, R"({"pooling_mode_cls_token": true})", "").pooling);
}

void TestModelCard::brokenSentenceFiles_data()
{
    QTest::addColumn<QByteArray>("modules");
    QTest::addColumn<QByteArray>("pooling");
    QTest::addColumn<QByteArray>("sentence");
    QTest::addColumn<QByteArray>("message");

    QTest::newRow("modules cut short") << QByteArray("[{") << QByteArray() << QByteArray()
                                       << QByteArray("modules.json");
    QTest::newRow("modules no array") << QByteArray("{}") << QByteArray() << QByteArray()
                                      << QByteArray("expected an array of modules, found an object");
    QTest::newRow("module no object") << QByteArray("[1]") << QByteArray() << QByteArray()
                                      << QByteArray("expected an object for each module");
    QTest::newRow("type of a module") << QByteArray(R"([{"type": 3}])") << QByteArray() << QByteArray()
                                      << QByteArray("type: expected a string");
    QTest::newRow("pooling cut short") << QByteArray() << QByteArray("{\"pooling_mode_cls_token\": tr") << QByteArray()
                                       << QByteArray("config.json");
    QTest::newRow("pooling no object") << QByteArray() << QByteArray("[]") << QByteArray()
                                       << QByteArray("expected an object, found an array");
    QTest::newRow("mode a number") << QByteArray() << QByteArray("{\"pooling_mode\": 7}") << QByteArray()
                                   << QByteArray("pooling_mode: expected a string");
    QTest::newRow("flag a string") << QByteArray() << QByteArray(R"({"pooling_mode_cls_token": "true"})")
                                   << QByteArray() << QByteArray("pooling_mode_cls_token: expected true or false");
    QTest::newRow("prompt a number") << QByteArray() << QByteArray(R"({"include_prompt": 1})") << QByteArray()
                                     << QByteArray("include_prompt: expected true or false");
    QTest::newRow("negative length") << QByteArray() << QByteArray() << QByteArray(R"({"max_seq_length": -4})")
                                     << QByteArray("max_seq_length: expected an integer of 1 or more");
}

void TestModelCard::brokenSentenceFiles()
{
    QFETCH(const QByteArray, modules);
    QFETCH(const QByteArray, pooling);
    QFETCH(const QByteArray, sentence);
    QFETCH(const QByteArray, message);
    const auto settings = readSettings(modules.toStdString(), pooling.toStdString(), sentence.toStdString());
    QVERIFY(!settings);
    QVERIFY(settings.error().code == ErrorCode::BadFormat);
    QVERIFY2(settings.error().sentence().find(message.toStdString()) != std::string::npos,
             settings.error().sentence().c_str());
}

void TestModelCard::modulesThatAreNotApplied_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("warning"); // "" = none
    const auto row = [](const char* type, const char* warning) {
        QTest::newRow(type) << QByteArray(type) << QByteArray(warning);
    };
    for (const char* type : {"Transformer", "Normalize", "Dropout"})
        row(type, "");
    for (const char* type : {"Dense", "LayerNorm", "WeightedLayerPooling", "Router", "SpladePooling", "LSTM"})
        row(type, type);
}

void TestModelCard::modulesThatAreNotApplied()
{
    QFETCH(const QByteArray, type);
    QFETCH(const QByteArray, warning);
    const std::string modules = R"([{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
                                    {"type": "sentence_transformers.models.)" +
                                type.toStdString() + R"(", "path": "2_Other"}])";
    const SentenceSettings settings = settingsOf(modules, R"({"pooling_mode_mean_tokens": true})", "");
    QVERIFY(settings.pooling == Pooling::Mean);
    QCOMPARE(settings.warnings.size(), warning.isEmpty() ? 0U : 1U);
    QCOMPARE(settings.embedding.notDone.empty(), warning.isEmpty());
    if (!warning.isEmpty())
        QVERIFY(settings.warnings[0].find("the module " + warning.toStdString() + " (2_Other) is not applied") !=
                std::string::npos);
}

void TestModelCard::maxTokens()
{
    ModelCard card;
    card.maxPositions = 8192;
    QCOMPARE(card.defaultMaxTokens(), 4096);
    card.maxPositions = 512;
    QCOMPARE(card.defaultMaxTokens(), 512);
    card.sentence.maxSequenceLength = 256;
    QCOMPARE(card.defaultMaxTokens(), 256);
    QVERIFY(card.defaultPooling() == Pooling::Last);
    card.info.family = "bert";
    QVERIFY(card.defaultPooling() == Pooling::Mean);
    card.sentence.pooling = Pooling::First;
    QVERIFY(card.defaultPooling() == Pooling::First);
}

void TestModelCard::longestText_data()
{
    QTest::addColumn<QByteArray>("sentence");
    QTest::addColumn<QByteArray>("tokenizer");
    QTest::addColumn<qint64>("tokens"); // 0 = not said
    const auto row = [](const char* name, const char* sentence, const char* tokenizer, qint64 tokens) {
        QTest::newRow(name) << QByteArray(sentence) << QByteArray(tokenizer) << tokens;
    };
    row("neither", "", "", 0);
    row("sentence-transformers", R"({"max_seq_length": 256})", R"({"model_max_length": 512})", 256);
    row("tokenizer", "", R"({"model_max_length": 8})", 8);
    row("null", R"({"max_seq_length": null})", R"({"model_max_length": 8})", 8);
    row("no limit", "", R"({"model_max_length": 1000000000000000019884624838656})", 0);
}

void TestModelCard::longestText()
{
    QFETCH(const QByteArray, sentence);
    QFETCH(const QByteArray, tokenizer);
    QFETCH(const qint64, tokens);
    const auto settings = settingsOfFiles(
        {{"sentence_bert_config.json", sentence.toStdString()}, {"tokenizer_config.json", tokenizer.toStdString()}});
    HEADSCOPE_VERIFY_OK(settings);
    QCOMPARE(settings->maxSequenceLength.value_or(0), tokens);
}

void TestModelCard::prompts()
{
    const auto with = [](const std::string& text) {
        return settingsOfFiles({{"config_sentence_transformers.json", text}});
    };
    const auto both = with(R"({"prompts": {"query": "query: ", "document": ""}, "default_prompt_name": "query"})");
    HEADSCOPE_VERIFY_OK(both);
    QCOMPARE(both->prompts.size(), 2U);
    QCOMPARE(both->prompt(both->defaultPrompt)->text, std::string("query: "));
    QVERIFY(both->prompt("none") == nullptr);
    const auto none = with(R"({"prompts": {"query": "query: "}, "default_prompt_name": null})");
    HEADSCOPE_VERIFY_OK(none);
    QVERIFY(none->defaultPrompt.empty() && none->warnings.empty());
    HEADSCOPE_VERIFY_ERROR(with(R"({"prompts": {"a": "b"}, "default_prompt_name": "c"})"), ErrorCode::BadFormat,
                           "expected the name of one of the prompts, found c");
    HEADSCOPE_VERIFY_ERROR(with(R"({"prompts": {"a": 3}})"), ErrorCode::BadFormat, "expected a string");
    HEADSCOPE_VERIFY_ERROR(with(R"({"prompts": ["a"]})"), ErrorCode::BadFormat, "prompts: expected an object");
    const auto cut = with(R"({"truncate_dim": 256})");
    QVERIFY(cut && cut->warnings.empty() && cut->embedding.truncateDim == 256 && cut->embedding.any());
}

HEADSCOPE_TEST_GUILESS(TestModelCard)
#include "tst_model_card.moc"
