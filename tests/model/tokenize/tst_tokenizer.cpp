// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/tokenizer.h"

#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace headscope;

namespace
{

using Ids = std::vector<TokenId>;

Tokenizer load(const char* name)
{
    auto tokenizer = Tokenizer::fromFolder(test::golden(std::string("tokenizers/") + name));
    if (!tokenizer)
        qFatal("%s", tokenizer.error().sentence().c_str());
    return std::move(*tokenizer);
}

Ids idsOf(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options = {})
{
    const auto encoding = tokenizer.encode(text, options);
    if (!encoding)
        qFatal("%s", encoding.error().sentence().c_str());
    return encoding->ids;
}

} // namespace

class TestTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void specialTokensMayStayText();
    void endToken();
    void fewTokens();
    void truncationFromTheLeft();
    void invalidBytesAreReplaced();
    void describesItself();
    void endTokenOfTheLlamaClasses_data();
    void endTokenOfTheLlamaClasses();
    void tokensOfOtherFiles_data();
    void tokensOfOtherFiles();
    void flagsOfOtherFiles();
    void optionsOfBertClasses();
    void vocabularyOfLines();
    void ownCodeOfGteQwen();
    void longLines_data();
    void longLines();
    void manyThreads();
};

void TestTokenizer::specialTokensMayStayText()
{
    const Tokenizer tokenizer = load("llama2");
    EncodeOptions asText;
    asText.specialTokens = SpecialTokens::Text;
    QCOMPARE(idsOf(tokenizer, "</s>"), (Ids{1, 2, 2}));
    const Ids spelled = idsOf(tokenizer, "</s>", asText);
    QVERIFY(spelled.size() > 4 && spelled.front() == 1 && spelled.back() == 2);
    QCOMPARE(std::count(spelled.begin(), spelled.end(), 2), 1);
    EncodeOptions bare;
    bare.addSpecialTokens = false;
    QCOMPARE(idsOf(tokenizer, "", bare), Ids{});
}

void TestTokenizer::endToken()
{
    EncodeOptions always;
    always.eos = EosPolicy::Always;
    EncodeOptions never;
    never.eos = EosPolicy::Never;
    const Tokenizer llama = load("llama2");
    QCOMPARE(idsOf(llama, "", always), (Ids{1, 2}));
    QCOMPARE(idsOf(llama, "", never), (Ids{1}));
    const Tokenizer metaspace = load("llama2_metaspace");
    QCOMPARE(idsOf(metaspace, ""), (Ids{1}));
    QCOMPARE(idsOf(metaspace, "", always), (Ids{1, 2}));
    // The template's own end token, not the one that the configuration calls eos_token.
    const Tokenizer qwen = load("qwen3_embedding");
    QCOMPARE(idsOf(qwen, "", always), (Ids{695}));
    QCOMPARE(idsOf(qwen, "", never), Ids{});
    const auto none =
        Tokenizer::fromJson(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})", "", "tokenizer.json");
    HEADSCOPE_VERIFY_OK(none);
    HEADSCOPE_VERIFY_ERROR(none->encode("a", always), ErrorCode::WrongUse, "has none");
}

void TestTokenizer::fewTokens()
{
    const Tokenizer tokenizer = load("llama2");
    EncodeOptions options;
    options.maxTokens = 1;
    const auto one = tokenizer.encode("hello", options);
    HEADSCOPE_VERIFY_OK(one);
    QCOMPARE(one->ids, Ids{2});
    QVERIFY(one->truncated && one->numPrefix == 0 && one->numSuffix == 1);
    options.maxTokens = 0;
    HEADSCOPE_VERIFY_ERROR(tokenizer.encode("hello", options), ErrorCode::WrongUse, "at least 1");
    options.maxTokens = 1'000'000;
    QVERIFY(!tokenizer.encode("hello", options)->truncated);
}

void TestTokenizer::truncationFromTheLeft()
{
    const char* json = R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}})";
    EncodeOptions options;
    options.maxTokens = 2;
    const auto right = Tokenizer::fromJson(json, "{}", "tokenizer.json");
    const auto left = Tokenizer::fromJson(json, R"({"truncation_side": "left"})", "tokenizer.json");
    HEADSCOPE_VERIFY_OK(right);
    HEADSCOPE_VERIFY_OK(left);
    QCOMPARE(idsOf(*right, "abc", options), (Ids{0, 1}));
    QCOMPARE(idsOf(*left, "abc", options), (Ids{1, 2}));
}

void TestTokenizer::invalidBytesAreReplaced()
{
    const Tokenizer tokenizer = load("llama2");
    const auto encoding = tokenizer.encode("a\xFF\xE2\x82");
    HEADSCOPE_VERIFY_OK(encoding);
    QVERIFY(encoding->repaired);
    QCOMPARE(encoding->ids, idsOf(tokenizer, "a\xEF\xBF\xBD\xEF\xBF\xBD"));
    QVERIFY(!tokenizer.encode("a")->repaired);
}

void TestTokenizer::describesItself()
{
    const Tokenizer llama = load("llama2");
    QCOMPARE(llama.kind(), std::string("SentencePiece-style BPE, byte fallback"));
    QCOMPARE(llama.endRule(), std::string("</s> is appended (add_eos_token)"));
    QCOMPARE(llama.vocabularySize(), 900);
    QCOMPARE(llama.bosId().value_or(-1), 1);
    QCOMPARE(llama.eosId().value_or(-1), 2);
    QCOMPARE(llama.tokenText(3), std::string("<0x00>"));
    QCOMPARE(llama.sha256().size(), std::size_t{64});
    QVERIFY(llama.sha256() != load("llama2_metaspace").sha256());
    QCOMPARE(load("smollm2").kind(), std::string("byte-level BPE (GPT-2 pattern, single digits)"));
    QCOMPARE(load("llama3").kind(), std::string("byte-level BPE (Llama 3 pattern)"));
    QCOMPARE(load("bert").kind(), std::string("WordPiece, lowercase"));

    // Spaces and bytes of byte-level tokens read as what they are.
    const Tokenizer smol = load("smollm2");
    const auto space = smol.tokenId("\xC4\xA0");
    QVERIFY(space.has_value());
    QCOMPARE(smol.tokenText(*space), std::string(" "));
    QCOMPARE(smol.tokenText(-1), std::string());
    QCOMPARE(smol.tokenText(1 << 30), std::string());
}

void TestTokenizer::endTokenOfTheLlamaClasses_data()
{
    QTest::addColumn<QByteArray>("single"); // what the template of tokenizer.json has; "" = it has none
    QTest::addColumn<QByteArray>("flags");  // of tokenizer_config.json
    QTest::addColumn<QList<int>>("ids");    // of "a" = 2, with <s> = 0 and </s> = 1
    QTest::addColumn<QByteArray>("rule");
    const QByteArray text = R"({"Sequence": {"id": "A"}})";
    const QByteArray bos = R"({"SpecialToken": {"id": "<s>"}})";
    const QByteArray eos = R"({"SpecialToken": {"id": "</s>"}})";
    const auto row = [](const char* name, const QByteArray& single, const char* flags, const QList<int>& ids,
                        const char* rule) {
        QTest::newRow(name) << single << QByteArray(flags) << ids << QByteArray(rule);
    };
    const QByteArray both = bos + "," + text + "," + eos;
    // Saved by transformers 5: no flags, the template is right.
    row("template with both", both, "", {0, 2, 1}, "</s> is appended (post_processor)");
    row("template with an end", text + "," + eos, "", {2, 1}, "</s> is appended (post_processor)");
    row("template with a begin", bos + "," + text, "", {0, 2}, "nothing is appended (post_processor)");
    row("end by its flag", bos + "," + text, R"(, "add_eos_token": true)", {0, 2, 1},
        "</s> is appended (add_eos_token)");
    row("no end by its flag", both, R"(, "add_eos_token": false)", {0, 2}, "nothing is appended (add_eos_token)");
    row("no begin by its flag", both, R"(, "add_bos_token": false)", {2, 1}, "</s> is appended (post_processor)");
    row("no template", "", "", {0, 2}, "nothing is appended (add_eos_token)");
}

void TestTokenizer::endTokenOfTheLlamaClasses()
{
    QFETCH(const QByteArray, single);
    QFETCH(const QByteArray, flags);
    QFETCH(const QList<int>, ids);
    QFETCH(const QByteArray, rule);
    std::string json = R"({"model": {"type": "BPE", "vocab": {"<s>": 0, "</s>": 1, "a": 2}, "merges": []})";
    if (!single.isEmpty())
        json += R"(, "post_processor": {"type": "TemplateProcessing", "single": [)" + single.toStdString() +
                R"(], "special_tokens": {"<s>": {"ids": [0]}, "</s>": {"ids": [1]}}})";
    const auto tokenizer = Tokenizer::fromJson(
        json + "}", R"({"tokenizer_class": "LlamaTokenizer")" + flags.toStdString() + "}", "tokenizer.json");
    HEADSCOPE_VERIFY_OK(tokenizer);
    QCOMPARE(idsOf(*tokenizer, "a"), Ids(ids.begin(), ids.end()));
    QCOMPARE(tokenizer->endRule(), rule.toStdString());
}

void TestTokenizer::tokensOfOtherFiles_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("added");
    QTest::addColumn<QByteArray>("special");
    QTest::addColumn<QList<int>>("ids"); // of "a<x>b<p>", where "<x>" is no token of the vocabulary, "<p>" is
    const auto row = [](const char* name, const char* config, const char* added, const char* special,
                        const QList<int>& ids) {
        QTest::newRow(name) << QByteArray(config) << QByteArray(added) << QByteArray(special) << ids;
    };
    const char* decoder = R"({"added_tokens_decoder": {"6": {"content": "<x>"}}})";
    row("none", "", "", "", {0, 2, 4, 3, 1, 2, 2, 3});
    row("decoder", decoder, "", "", {0, 6, 1, 2, 2, 3});
    row("added_tokens.json", "{}", R"({"<x>": 6})", "", {0, 6, 1, 2, 2, 3});
    row("added_tokens.json alone", "", R"({"<x>": 6})", "", {0, 6, 1, 2, 2, 3});
    row("decoder before added_tokens.json", decoder, R"({"a": 0})", "", {0, 6, 1, 2, 2, 3});
    row("special by the configuration", R"({"pad_token": "<p>"})", "", "", {0, 2, 4, 3, 1, 5});
    row("special by the map", "{}", "", R"({"pad_token": {"content": "<p>"}})", {0, 2, 4, 3, 1, 5});
    row("additional by the map", "{}", "", R"({"additional_special_tokens": ["<p>"]})", {0, 2, 4, 3, 1, 5});
    row("null in the configuration", R"({"pad_token": null})", "", R"({"pad_token": "<p>"})", {0, 2, 4, 3, 1, 2, 2, 3});
    row("not in the vocabulary", R"({"pad_token": "<x>"})", "", "", {0, 2, 4, 3, 1, 2, 2, 3});
}

void TestTokenizer::tokensOfOtherFiles()
{
    QFETCH(const QByteArray, config);
    QFETCH(const QByteArray, added);
    QFETCH(const QByteArray, special);
    QFETCH(const QList<int>, ids);
    const QTemporaryDir folder;
    const std::filesystem::path path(folder.path().toStdString());
    const auto write = [&path](const char* name, const QByteArray& text) {
        if (!text.isEmpty())
            std::ofstream(path / name) << text.toStdString();
    };
    write("tokenizer.json", R"({"model": {"type": "BPE", "unk_token": "<",
        "vocab": {"a": 0, "b": 1, "<": 2, ">": 3, "x": 4, "<p>": 5}, "merges": []}})");
    write("tokenizer_config.json", config);
    write("added_tokens.json", added);
    write("special_tokens_map.json", special);
    const auto tokenizer = Tokenizer::open(path);
    HEADSCOPE_VERIFY_OK(tokenizer);
    QCOMPARE(idsOf(*tokenizer, "a<x>b<p>"), Ids(ids.begin(), ids.end()));
    QCOMPARE(tokenizer->warnings().size(), QByteArray(QTest::currentDataTag()) == "not in the vocabulary" ? 1U : 0U);
}

void TestTokenizer::flagsOfOtherFiles()
{
    const char* json = R"({"model": {"type": "BPE", "vocab": {"a": 0, " ": 1, "<x>": 2}, "merges": []},
        "added_tokens": [{"id": 2, "content": "<x>", "special": true}]})";
    const auto plain = Tokenizer::fromJson(json, "", "tokenizer.json");
    const auto strips = Tokenizer::fromJson(
        json, R"({"added_tokens_decoder": {"2": {"content": "<x>", "lstrip": true, "special": true}}})",
        "tokenizer.json");
    HEADSCOPE_VERIFY_OK(plain);
    HEADSCOPE_VERIFY_OK(strips);
    QCOMPARE(idsOf(*plain, "a <x>"), (Ids{0, 1, 2}));
    QCOMPARE(idsOf(*strips, "a <x>"), (Ids{0, 2}));
    HEADSCOPE_VERIFY_ERROR(
        Tokenizer::fromJson(json, R"({"added_tokens_decoder": {"9": {"content": "<y>"}}})", "tokenizer.json"),
        ErrorCode::BadFormat, "to have the id 3 (the next free id), found 9");
}

void TestTokenizer::optionsOfBertClasses()
{
    const char* json = R"({"normalizer": {"type": "BertNormalizer", "lowercase": false},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "?", "vocab": {"?": 0, "a": 1, "A": 2}}})";
    for (const char* name : {"BertTokenizer", "DistilBertTokenizerFast", "MPNetTokenizer", "ElectraTokenizerFast"})
    {
        const auto lower = Tokenizer::fromJson(
            json, std::string(R"({"do_lower_case": true, "tokenizer_class": ")") + name + "\"}", "tokenizer.json");
        HEADSCOPE_VERIFY_OK(lower);
        QCOMPARE(idsOf(*lower, "A"), Ids{1});
    }
    const auto other = Tokenizer::fromJson(
        json, R"({"do_lower_case": true, "tokenizer_class": "PreTrainedTokenizerFast"})", "tokenizer.json");
    HEADSCOPE_VERIFY_OK(other);
    QCOMPARE(idsOf(*other, "A"), Ids{2});
}

void TestTokenizer::vocabularyOfLines()
{
    const QTemporaryDir folder;
    const std::filesystem::path path(folder.path().toStdString());
    const auto write = [&path](const char* name, const char* text) { std::ofstream(path / name) << text; };
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\r\n[SEP]\n[MASK]\n.\nshort\ntext\n##s\nA\n");
    const auto lower = Tokenizer::open(path);
    HEADSCOPE_VERIFY_OK(lower);
    QCOMPARE(idsOf(*lower, "Short texts. \"A\" [MASK]"), (Ids{2, 6, 7, 8, 5, 1, 1, 1, 4, 3}));
    write("tokenizer_config.json", R"({"do_lower_case": false, "tokenizer_class": "BertTokenizer"})");
    const auto cased = Tokenizer::open(path);
    HEADSCOPE_VERIFY_OK(cased);
    QCOMPARE(idsOf(*cased, "Short A text"), (Ids{2, 1, 9, 7, 3}));
    QVERIFY(cased->sha256() != lower->sha256());
    write("tokenizer_config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})");
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path), ErrorCode::Unsupported, "found BertJapaneseTokenizer");
    write("tokenizer_config.json", "{}");
    write("vocab.txt", "[UNK]\n[CLS]\n");
    HEADSCOPE_VERIFY_ERROR(Tokenizer::open(path), ErrorCode::BadFormat, "expected a line with [SEP], found none");
}

void TestTokenizer::ownCodeOfGteQwen()
{
    const char* json = R"({"model": {"type": "BPE", "vocab": {"a": 0, "e": 1}, "merges": []}})";
    const auto gte = Tokenizer::fromJson(json, R"({"eos_token": "e", "add_eos_token": true,
        "auto_map": {"AutoTokenizer": ["tokenization_qwen.A", "tokenization_qwen.B"]}})",
                                         "tokenizer.json");
    HEADSCOPE_VERIFY_OK(gte);
    QCOMPARE(idsOf(*gte, "a"), (Ids{0, 1}));
    const auto other = Tokenizer::fromJson(json, R"({"auto_map": {"AutoTokenizer": "custom.C"}})", "tokenizer.json");
    HEADSCOPE_VERIFY_OK(other);
    QCOMPARE(other->warnings().size(), std::size_t{1});
    QVERIFY(other->warnings().front().find("custom.C") != std::string::npos);
}

void TestTokenizer::longLines_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama2", "llama3", "qwen2", "bert"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestTokenizer::longLines()
{
    QFETCH(QString, name);
    const Tokenizer tokenizer = load(qPrintable(name));
    constexpr std::size_t size = 1'000'000;
    std::string words;
    while (words.size() < size)
        words += "the river was quiet, ";
    std::string marks;
    while (marks.size() < size)
        marks += "\xCC\x81\xCC\xA3";
    // Quadratic time would take minutes on each of these.
    for (const std::string& text :
         {words, std::string(size, 'a'), std::string(size, ' '), std::string(size, '\n'), marks})
    {
        const auto encoding = tokenizer.encode(text);
        HEADSCOPE_VERIFY_OK(encoding);
        for (const TokenId id : encoding->ids)
            QVERIFY(id >= 0 && id < tokenizer.vocabularySize());
    }
}

void TestTokenizer::manyThreads()
{
    const Tokenizer tokenizer = load("qwen2");
    const std::string text = "The letters' bridge, 1234 rivers \xE6\x97\xA5\xE6\x9C\xAC and <|endoftext|> more.";
    const Ids expected = idsOf(load("qwen2"), text);
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
    {
        threads.emplace_back([&] {
            for (int round = 0; round < 200; ++round)
                wrong += idsOf(tokenizer, text) == expected ? 0 : 1;
        });
    }
    threads.clear();
    QCOMPARE(wrong.load(), 0);
}

HEADSCOPE_TEST_GUILESS(TestTokenizer)
#include "tst_tokenizer.moc"
