// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded token of tests/golden, id for id.
#include "model/formats/gguf.h"
#include "model/tokenize/tokenizer.h"
#include "tests/model/tokenize/golden_cases.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cstdlib>
#include <map>

using namespace headscope;
using test::idsText;
using test::TokenCase;

namespace
{

const Tokenizer& tokenizerOf(const std::string& name)
{
    static std::map<std::string, Tokenizer> loaded;
    const auto found = loaded.find(name);
    if (found != loaded.end())
        return found->second;
    auto tokenizer = Tokenizer::fromFolder(test::golden("tokenizers/" + name));
    if (!tokenizer)
        qFatal("%s", tokenizer.error().sentence().c_str());
    return loaded.emplace(name, std::move(*tokenizer)).first->second;
}

/// "" when the encoding is as recorded, else what differs.
std::string difference(const Tokenizer& tokenizer, const TokenCase& expected, const EncodeOptions& options)
{
    const auto found = tokenizer.encode(expected.text, options);
    if (!found)
        return found.error().sentence();
    const bool sameFrame =
        (!expected.numPrefix || *expected.numPrefix == static_cast<std::int64_t>(found->numPrefix)) &&
        (!expected.numSuffix || *expected.numSuffix == static_cast<std::int64_t>(found->numSuffix)) &&
        (!expected.truncated || *expected.truncated == found->truncated);
    if (found->ids == expected.ids && sameFrame)
        return {};
    return expected.tokenizer + " \"" + expected.text.substr(0, 200) + "\"\nexpected " + idsText(expected.ids) +
           "\nfound    " + idsText(found->ids) + (sameFrame ? "" : "\nand other added or cut tokens");
}

std::string textOf(const std::string& name)
{
    std::ifstream file(test::golden(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::filesystem::path demoModel()
{
    if (const char* named = std::getenv("HEADSCOPE_DEMO_MODEL"); named != nullptr && *named != '\0')
        return named;
    std::filesystem::path cache;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0')
        cache = xdg;
    else if (const char* home = std::getenv("HOME"); home != nullptr)
        cache = std::filesystem::path(home) / ".cache";
    return cache / "headscope/models/SmolLM2-135M-Instruct.Q4_1.gguf";
}

/// What texts are cut to: max_seq_length of sentence_bert_config.json; without that file what the model has positions
/// for, where its texts were cut.
std::optional<std::size_t> mostTokens(const std::filesystem::path& folder, const test::GoldenFile& expected)
{
    const std::filesystem::path file = folder / "sentence_bert_config.json";
    if (!std::filesystem::exists(file))
        return expected.hasAttribute("/", "max_seq_length")
                   ? std::optional(static_cast<std::size_t>(expected.number("/", "max_seq_length")))
                   : std::nullopt;
    const auto settings = JsonDocument::parseFile(file);
    const auto length = settings.value().root().find("max_seq_length");
    if (!length || length->isNull())
        return std::nullopt;
    return static_cast<std::size_t>(length->asInt().value());
}

/// Compares the ids of a vector group of an expected.h5.
std::string groupDifference(const Tokenizer& tokenizer, const test::GoldenFile& file, const std::string& group,
                            std::optional<std::size_t> maxTokens)
{
    const auto texts = file.strings(group + "/text");
    const auto offsets = file.integers(group + "/offsets");
    const auto ids = file.integers(group + "/ids");
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        TokenCase expected;
        expected.tokenizer = group;
        expected.text = texts[i];
        for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k)
            expected.ids.push_back(static_cast<TokenId>(ids[k]));
        EncodeOptions options;
        options.maxTokens = maxTokens;
        if (auto message = difference(tokenizer, expected, options); !message.empty())
            return message;
    }
    return {};
}

} // namespace

class TestTokenizerGolden : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cases();
    void truncation();
    void flags();
    void models_data();
    void models();
    void gguf_data();
    void gguf();
    void miniLm();
    void demoVocabulary();
};

void TestTokenizerGolden::cases()
{
    const auto all = test::readTokenCases(test::golden("tokenizers/cases.jsonl.gz"));
    QCOMPARE(all.size(), std::size_t{3271});
    for (const TokenCase& expected : all)
    {
        const std::string message = difference(tokenizerOf(expected.tokenizer), expected, {});
        QVERIFY2(message.empty(), message.c_str());
    }
}

void TestTokenizerGolden::truncation()
{
    const auto all = test::readTokenCases(test::golden("tokenizers/truncation.jsonl.gz"));
    QCOMPARE(all.size(), std::size_t{636});
    for (const TokenCase& expected : all)
    {
        EncodeOptions options;
        options.maxTokens = static_cast<std::size_t>(*expected.maxLength);
        const std::string message = difference(tokenizerOf(expected.tokenizer), expected, options);
        QVERIFY2(message.empty(), message.c_str());
    }
}

void TestTokenizerGolden::flags()
{
    const auto all = test::readTokenCases(test::golden("tokenizers/flags.jsonl"));
    QCOMPARE(all.size(), std::size_t{120});
    for (const TokenCase& expected : all)
    {
        const std::string folder = "tokenizers/" + expected.tokenizer;
        QJsonObject config =
            QJsonDocument::fromJson(QByteArray::fromStdString(textOf(folder + "/tokenizer_config.json"))).object();
        const auto set = [&](const char* key, const std::optional<bool>& flag) {
            config.remove(QLatin1String(key));
            if (flag)
                config.insert(QLatin1String(key), *flag);
        };
        set("add_bos_token", expected.addBos);
        set("add_eos_token", expected.addEos);
        const auto tokenizer = Tokenizer::fromJson(textOf(folder + "/tokenizer.json"),
                                                   QJsonDocument(config).toJson().toStdString(), "tokenizer.json");
        HEADSCOPE_VERIFY_OK(tokenizer);
        const std::string message = difference(*tokenizer, expected, {});
        QVERIFY2(message.empty(), message.c_str());
    }
}

void TestTokenizerGolden::models_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("models")))
    {
        const QString name = QString::fromStdString(entry.path().filename().string());
        QTest::newRow(qPrintable(name)) << name;
    }
}

void TestTokenizerGolden::models()
{
    QFETCH(QString, name);
    const std::filesystem::path folder = test::golden("models/" + name.toStdString());
    const auto tokenizer = Tokenizer::open(folder / "config.json");
    HEADSCOPE_VERIFY_OK(tokenizer);
    const test::GoldenFile expected(folder / "expected.h5");
    const std::string message = groupDifference(*tokenizer, expected, "texts", mostTokens(folder, expected));
    QVERIFY2(message.empty(), message.c_str());
}

void TestTokenizerGolden::gguf_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("type");
    for (const char* family : {"kquant", "llama", "mistral", "qwen2", "qwen3"})
    {
        const test::GoldenFile file(test::golden(std::string("gguf/") + family + "/expected.h5"));
        for (const std::string& type : file.names("/"))
        {
            QTest::addRow("%s %s", family, type.c_str()) << QString::fromLatin1(family) << QString::fromStdString(type);
        }
    }
}

void TestTokenizerGolden::gguf()
{
    QFETCH(QString, family);
    QFETCH(QString, type);
    const std::filesystem::path folder = test::golden("gguf/" + family.toStdString());
    const auto tokenizer = Tokenizer::open(folder / (family.toStdString() + "-" + type.toStdString() + ".gguf"));
    HEADSCOPE_VERIFY_OK(tokenizer);
    const std::string message = groupDifference(*tokenizer, test::GoldenFile(folder / "expected.h5"),
                                                type.toStdString() + "/texts", std::nullopt);
    QVERIFY2(message.empty(), message.c_str());
}

void TestTokenizerGolden::miniLm()
{
    const char* folder = std::getenv("HEADSCOPE_MINILM_MODEL");
    if (folder == nullptr || *folder == '\0')
        QSKIP("HEADSCOPE_MINILM_MODEL names no folder of all-MiniLM-L6-v2");
    const auto tokenizer = Tokenizer::open(folder);
    HEADSCOPE_VERIFY_OK(tokenizer);
    const auto all = test::readTokenCases(test::golden("minilm/cases.jsonl"));
    QCOMPARE(all.size(), std::size_t{150});
    for (const TokenCase& expected : all)
    {
        EncodeOptions options;
        if (expected.maxLength)
            options.maxTokens = static_cast<std::size_t>(*expected.maxLength);
        const std::string message = difference(*tokenizer, expected, options);
        QVERIFY2(message.empty(), message.c_str());
    }
}

void TestTokenizerGolden::demoVocabulary()
{
    const std::filesystem::path path = demoModel();
    if (!std::filesystem::exists(path))
        QSKIP("the demo model is not here (HEADSCOPE_DEMO_MODEL)");
    const auto tokenizer = Tokenizer::open(path);
    HEADSCOPE_VERIFY_OK(tokenizer);
    QCOMPARE(tokenizer->vocabularySize(), 49152);
    QCOMPARE(tokenizer->kind(), std::string("byte-level BPE (smollm)"));
    const auto all = test::readTokenCases(test::golden("smollm2/cases.jsonl"));
    QVERIFY(!all.empty());
    for (const TokenCase& expected : all)
    {
        const std::string message = difference(*tokenizer, expected, {});
        QVERIFY2(message.empty(), message.c_str());
    }
    const std::string message =
        groupDifference(*tokenizer, test::GoldenFile(test::golden("smollm2/expected.h5")), "texts", std::nullopt);
    QVERIFY2(message.empty(), message.c_str());
}

HEADSCOPE_TEST_GUILESS(TestTokenizerGolden)
#include "tst_tokenizer_golden.moc"
