// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a tokenizer is said in a sentence that names file and place.
#include "model/formats/gguf.h"
#include "model/tokenize/tokenizer.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

#include <fstream>
#include <iterator>

using namespace headscope;

namespace
{

std::string readAll(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A tokenizer.json around a model entry.
QByteArray withModel(const char* model, const char* more = "")
{
    return QByteArray(R"({"model": )") + model + more + "}";
}

constexpr const char* kGoodModel = R"({"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]})";

GgufValue stringValue(std::string text)
{
    return {GgufType::String, std::move(text)};
}

GgufValue stringList(const std::vector<std::string>& texts)
{
    GgufStrings strings;
    for (const std::string& text : texts)
        strings.append(text);
    return {GgufType::Array, std::move(strings)};
}

GgufValue floatList(const std::vector<float>& values)
{
    GgufNumbers numbers;
    numbers.element = GgufType::F32;
    const auto bytes = std::as_bytes(std::span(values));
    numbers.bytes.assign(bytes.begin(), bytes.end());
    return {GgufType::Array, std::move(numbers)};
}

GgufValue integerValue(std::uint64_t value)
{
    return {GgufType::U32, value};
}

} // namespace

class TestTokenizerFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void json_data();
    void json();
    void config_data();
    void config();
    void everyPrefixIsRefused();
    void folders();
    void gguf_data();
    void gguf();
};

/// Fault row 7.
void TestTokenizerFaults::json_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& text, ErrorCode code, const char* part) {
        QTest::newRow(name) << text << static_cast<int>(code) << QByteArray(part);
    };
    const auto bad = ErrorCode::BadFormat;
    const auto unsupported = ErrorCode::Unsupported;
    row("not JSON", "{", bad, "tokenizer.json");
    row("no object", "[]", bad, "expected an object");
    row("no model", "{}", bad, "\"model\"");
    row("unknown type", withModel(R"({"type": "WordLevel", "vocab": {}})"), unsupported, "WordLevel");
    row("no vocabulary", withModel(R"({"type": "BPE", "merges": []})"), bad, "vocab");
    row("empty vocabulary", withModel(R"({"type": "BPE", "vocab": {}, "merges": []})"), bad, "at least one");
    row("id no integer", withModel(R"({"type": "BPE", "vocab": {"a": "x"}, "merges": []})"), bad, "vocab[\"a\"]");
    row("id negative", withModel(R"({"type": "BPE", "vocab": {"a": -1}, "merges": []})"), bad, "found -1");
    row("id huge", withModel(R"({"type": "BPE", "vocab": {"a": 99999999999}, "merges": []})"), bad, "99999999999");
    row("id twice", withModel(R"({"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []})"), bad,
        "one token for each id");
    row("merge of a missing token", withModel(R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]})"), bad,
        "model.merges[0]");
    row("merge without result", withModel(R"({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [["a", "b"]]})"), bad,
        "where \"ab\" is not in it");
    row("merge of three", withModel(R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b c"]})"), bad, "two tokens");
    row("dropout", withModel(R"({"type": "BPE", "dropout": 0.1, "vocab": {"a": 0}, "merges": []})"), unsupported,
        "dropout");
    row("suffix", withModel(R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"a": 0}, "merges": []})"),
        unsupported, "end_of_word_suffix");
    row("unknown token missing", withModel(R"({"type": "BPE", "unk_token": "u", "vocab": {"a": 0}, "merges": []})"),
        bad, "unknown token");
    row("WordPiece without unknown", withModel(R"({"type": "WordPiece", "vocab": {"a": 0}})"), bad, "unk_token");
    row("Unigram without tokens", withModel(R"({"type": "Unigram", "unk_id": 0, "vocab": []})"), bad, "at least one");
    row("Unigram of an object", withModel(R"({"type": "Unigram", "unk_id": 0, "vocab": {"a": 0}})"), bad,
        "an array of tokens and their scores");
    row("Unigram without unknown", withModel(R"({"type": "Unigram", "vocab": [["a", 0]]})"), bad, "unk_id");
    row("unknown id beyond", withModel(R"({"type": "Unigram", "unk_id": 1, "vocab": [["a", 0]]})"), bad, "found 1");
    row("unknown id negative", withModel(R"({"type": "Unigram", "unk_id": -1, "vocab": [["a", 0]]})"), bad, "found -1");
    row("piece without score", withModel(R"({"unk_id": 0, "vocab": [["a", 0], ["b"]]})"), bad, "model.vocab[1]");
    row("score no number", withModel(R"({"unk_id": 0, "vocab": [["a", "0"]]})"), bad, "model.vocab[0]");
    row("piece no text", withModel(R"({"unk_id": 0, "vocab": [[1, 0]]})"), bad, "model.vocab[0]");
    const QByteArray longPiece = R"({"unk_id": 0, "vocab": [[")" + QByteArray(2049, 'a') + R"(", 0]]})";
    row("long piece", withModel(longPiece.constData()), unsupported, "2048 bytes");
    row("added token beyond", withModel(kGoodModel, R"(, "added_tokens": [{"id": 9, "content": "x"}])"), bad,
        "added_tokens[0]");
    row("added token elsewhere", withModel(kGoodModel, R"(, "added_tokens": [{"id": 3, "content": "a"}])"), bad,
        "its id in the vocabulary");
    row("template id", withModel(kGoodModel, R"(, "post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "A"}}], "special_tokens": {"x": {"ids": [7]}}})"),
        bad, "special_tokens.x.ids[0]");
    row("template without text", withModel(kGoodModel, R"(, "post_processor": {"type": "TemplateProcessing",
        "single": []})"),
        bad, "the text once");
    row("post-processor", withModel(kGoodModel, R"(, "post_processor": {"type": "Odd"})"), unsupported, "Odd");
    QByteArray nested = "null"; // JSON cannot hold a cycle; this is the nearest to one
    for (int i = 0; i < 200; ++i)
        nested = QByteArray(R"({"type": "Sequence", "normalizers": [)") + nested + "]}";
    nested.prepend(R"(, "normalizer": )");
    row("normalizers without end", withModel(kGoodModel, nested.constData()), bad, "levels");
    row("normalizer", withModel(kGoodModel, R"(, "normalizer": {"type": "Odd"})"), unsupported, "normalizer");
    row("pre-tokenizer", withModel(kGoodModel, R"(, "pre_tokenizer": {"type": "Odd"})"), unsupported, "pre_tokenizer");
}

void TestTokenizerFaults::json()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto tokenizer = Tokenizer::fromJson(text.toStdString(), "", "model/tokenizer.json");
    HEADSCOPE_VERIFY_ERROR(tokenizer, static_cast<ErrorCode>(code), part.toStdString());
    QCOMPARE(tokenizer.error().file, std::string("model/tokenizer.json"));
}

void TestTokenizerFaults::config_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("not JSON") << QByteArray("{\"a\"") << QByteArray("tokenizer_config.json");
    QTest::newRow("no object") << QByteArray("3") << QByteArray("expected an object");
    QTest::newRow("flag") << QByteArray(R"({"add_eos_token": "yes"})") << QByteArray("add_eos_token");
    QTest::newRow("missing begin") << QByteArray(R"({"tokenizer_class": "LlamaTokenizer"})") << QByteArray("\"<s>\"");
    QTest::newRow("null begin") << QByteArray(R"({"tokenizer_class": "LlamaTokenizer", "bos_token": null})")
                                << QByteArray("bos_token");
    QTest::newRow("side") << QByteArray(R"({"truncation_side": "up"})") << QByteArray("truncation_side");
}

void TestTokenizerFaults::config()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    const auto tokenizer =
        Tokenizer::fromJson(withModel(kGoodModel).toStdString(), text.toStdString(), "tokenizer.json");
    HEADSCOPE_VERIFY_ERROR(tokenizer, ErrorCode::BadFormat, part.toStdString());
    QCOMPARE(tokenizer.error().file, std::string("tokenizer_config.json"));
}

void TestTokenizerFaults::everyPrefixIsRefused()
{
    const std::string whole = readAll(test::golden("tokenizers/added_flags/tokenizer.json"));
    HEADSCOPE_VERIFY_OK(Tokenizer::fromJson(whole, "", "tokenizer.json"));
    const std::size_t end = whole.find_last_of('}');
    for (std::size_t size = 0; size <= end; size += 37)
        QVERIFY(!Tokenizer::fromJson(whole.substr(0, size), "", "tokenizer.json"));
}

void TestTokenizerFaults::folders()
{
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path), ErrorCode::FileNotFound, "tokenizer.json");
    std::ofstream(path / "tokenizer.model") << "x";
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path), ErrorCode::FileNotFound, "only a tokenizer.model");
    std::ofstream(path / "tokenizer.json") << withModel(kGoodModel).toStdString();
    HEADSCOPE_VERIFY_OK(Tokenizer::open(path));
    std::ofstream(path / "tokenizer_config.json") << "{";
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path), ErrorCode::BadFormat, (path / "tokenizer_config.json").string());
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path / "none.gguf"), ErrorCode::FileNotFound, "none.gguf");
}

void TestTokenizerFaults::gguf_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* fault, const char* part) {
        QTest::newRow(fault) << QString::fromLatin1(fault) << QByteArray(part);
    };
    row("none", "");
    row("model missing", "tokenizer.ggml.model");
    row("model unknown", "\"rwkv\"");
    row("pre unknown", "\"kimi-k2\"");
    row("no tokens", "tokenizer.ggml.tokens");
    row("merge of a missing token", "tokenizer.ggml.merges[0]");
    row("scores too few", "tokenizer.ggml.scores");
    row("score not finite", "tokenizer.ggml.scores[1]: expected a finite score");
    row("long token", "tokenizer.ggml.tokens[2]: expected a token of at most 2048 bytes, found 2049 bytes");
    row("charsmap broken", "tokenizer.ggml.precompiled_charsmap: expected the size of a double array");
    row("no unknown token", "tokenizer.ggml.unknown_token_id: the vocabulary has no unknown token");
    row("end token out of range", "tokenizer.ggml.eos_token_id");
    row("end token missing", "tokenizer.ggml.eos_token_id");
}

void TestTokenizerFaults::gguf()
{
    QFETCH(QString, fault);
    QFETCH(QByteArray, part);
    GgufMetadata metadata;
    const bool isSpm = fault == QLatin1String("scores too few");
    const bool isUnigram = fault == QLatin1String("score not finite") || fault == QLatin1String("long token") ||
                           fault == QLatin1String("charsmap broken");
    const bool isWordPiece = fault == QLatin1String("no unknown token");
    const auto put = [&](const char* key, GgufValue value) {
        QVERIFY(metadata.insert(std::string("tokenizer.ggml.") + key, std::move(value)));
    };
    if (fault != QLatin1String("model missing"))
        put("model", stringValue(fault == QLatin1String("model unknown") ? "rwkv"
                                 : isSpm                                 ? "llama"
                                 : isUnigram                             ? "t5"
                                 : isWordPiece                           ? "bert"
                                                                         : "gpt2"));
    put("pre", stringValue(fault == QLatin1String("pre unknown") ? "kimi-k2" : "qwen2"));
    if (fault != QLatin1String("no tokens"))
        put("tokens", stringList({"a", "b", fault == QLatin1String("long token") ? std::string(2049, 'a') : "ab"}));
    put("merges", stringList({fault == QLatin1String("merge of a missing token") ? "a c" : "a b"}));
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    put("scores", fault == QLatin1String("score not finite") ? floatList({0, kInfinity, 0})
                  : isUnigram                                ? floatList({0, 0, 0})
                                                             : floatList({0, 0}));
    if (fault == QLatin1String("charsmap broken"))
        put("precompiled_charsmap", {GgufType::Array, GgufNumbers{GgufType::U8, std::vector<std::byte>(5)}});
    if (fault == QLatin1String("end token out of range"))
        put("eos_token_id", integerValue(3));
    if (fault == QLatin1String("end token missing"))
        put("add_eos_token", {GgufType::Bool, std::uint64_t{1}});
    const auto tokenizer = Tokenizer::fromGguf(metadata, "m.gguf");
    if (part.isEmpty())
    {
        HEADSCOPE_VERIFY_OK(tokenizer);
        QCOMPARE(tokenizer->encode("aba")->ids, (std::vector<TokenId>{2, 0}));
        return;
    }
    QVERIFY(!tokenizer);
    QVERIFY2(tokenizer.error().sentence().find(part.toStdString()) != std::string::npos,
             tokenizer.error().sentence().c_str());
    QCOMPARE(tokenizer.error().file, std::string("m.gguf"));
}

HEADSCOPE_TEST_GUILESS(TestTokenizerFaults)
#include "tst_tokenizer_faults.moc"
