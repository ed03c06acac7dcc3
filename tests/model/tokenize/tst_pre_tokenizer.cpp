// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/pre_tokenizer_json.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestPreTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cuts_data();
    void cuts();
    void firstOfTheDocumentOnly();
    void refuses_data();
    void refuses();
};

void TestPreTokenizer::cuts_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pieces"); // joined by |
    const auto row = [](const char* name, const char* json, const char* text, const char* pieces) {
        QTest::newRow(name) << QByteArray(json) << QByteArray(text) << QByteArray(pieces);
    };
    const auto split = [&](const char* behavior, bool invert, const char* pieces) {
        QByteArray json(R"({"type": "Split", "pattern": {"String": "-"}, "behavior": ")");
        json.append(behavior).append(R"(", "invert": )").append(invert ? "true}" : "false}");
        QByteArray name(behavior);
        name.append(invert ? " inverted" : "");
        row(name.constData(), json.constData(), "the-final--countdown", pieces);
    };
    split("Removed", false, "the|final|countdown");
    split("Isolated", false, "the|-|final|-|-|countdown");
    split("MergedWithPrevious", false, "the-|final-|-|countdown");
    split("MergedWithNext", false, "the|-final|-|-countdown");
    split("Contiguous", false, "the|-|final|--|countdown");
    split("Removed", true, "-|-|-");
    row("regex", R"({"type": "Split", "pattern": {"Regex": "\\d+"}, "behavior": "Isolated"})", "a12b", "a|12|b");
    row("digits", R"({"type": "Digits", "individual_digits": true})", "a12\xC2\xBD", "a|1|2|\xC2\xBD");
    row("digits together", R"({"type": "Digits", "individual_digits": false})", "a12b", "a|12|b");
    row("byte level", R"({"type": "ByteLevel", "add_prefix_space": true, "use_regex": true})", "it's me",
        "\xC4\xA0it|'s|\xC4\xA0me");
    row("byte level whole", R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false})", "a b",
        "a\xC4\xA0"
        "b");
    row("metaspace", R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": true})",
        "a b  c", "_a|_b|_|_c");
    row("metaspace old", R"({"type": "Metaspace", "replacement": "_", "add_prefix_space": false})", "a b", "a|_b");
    row("whitespace", R"({"type": "Whitespace"})", "a, b_2 !?\n", "a|,|b_2|!?");
    row("whitespace split", R"({"type": "WhitespaceSplit"})",
        " a, b\xE3\x80\x80"
        "c ",
        "a,|b|c");
    row("bert", R"({"type": "BertPreTokenizer"})", "Hi, it's $5.", "Hi|,|it|'|s|$|5|.");
    row("punctuation", R"({"type": "Punctuation", "behavior": "Contiguous"})", "a!?b", "a|!?|b");
    row("delimiter", R"({"type": "CharDelimiterSplit", "delimiter": "/"})", "a//b", "a|b");
    row("sequence",
        R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits", "individual_digits": true}]})",
        "a1 b", "a|1|b");
    row("empty", R"({"type": "ByteLevel"})", "", "");
}

void TestPreTokenizer::cuts()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pieces);
    const auto document = JsonDocument::parse(json.toStdString(), "test");
    HEADSCOPE_VERIFY_OK(document);
    PreTokenizer preTokenizer;
    PreTokenizerTraits traits;
    HEADSCOPE_VERIFY_OK(addPreTokenizer(JsonPlace(document->root(), ""), preTokenizer, traits));
    const std::string bytes = text.toStdString();
    PieceBuffer buffer;
    buffer.text = bytes;
    HEADSCOPE_VERIFY_OK(preTokenizer.apply(buffer));
    QByteArrayList found;
    for (const ByteRange piece : buffer.pieces)
        found << QByteArray::fromStdString(std::string(piece.of(buffer.text)));
    QCOMPARE(found.join('|'), pieces);
}

void TestPreTokenizer::firstOfTheDocumentOnly()
{
    PreTokenizer preTokenizer;
    preTokenizer.add(cut::Metaspace{"_", cut::Metaspace::Prefix::First});
    for (const bool atStart : {true, false})
    {
        PieceBuffer buffer;
        buffer.text = "a b";
        buffer.atStart = atStart;
        HEADSCOPE_VERIFY_OK(preTokenizer.apply(buffer));
        QCOMPARE(std::string(buffer.text), std::string(atStart ? "_a_b" : "a_b"));
    }
}

void TestPreTokenizer::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("unknown") << QByteArray(R"({"type": "UnicodeScripts"})") << QByteArray("UnicodeScripts");
    QTest::newRow("behaviour") << QByteArray(R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Odd"})")
                               << QByteArray("Odd");
    QTest::newRow("pattern") << QByteArray(R"({"type": "Split", "pattern": {"Regex": "["}, "behavior": "Isolated"})")
                             << QByteArray("pre_tokenizer.pattern");
    QTest::newRow("scheme") << QByteArray(R"({"type": "Metaspace", "prepend_scheme": "last"})") << QByteArray("last");
}

void TestPreTokenizer::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, part);
    const auto document = JsonDocument::parse(json.toStdString(), "test");
    HEADSCOPE_VERIFY_OK(document);
    PreTokenizer preTokenizer;
    PreTokenizerTraits traits;
    const auto added = addPreTokenizer(JsonPlace(document->root(), "pre_tokenizer"), preTokenizer, traits);
    HEADSCOPE_VERIFY_ERROR(added, ErrorCode::Unsupported, part.toStdString());
}

HEADSCOPE_TEST_GUILESS(TestPreTokenizer)
#include "tst_pre_tokenizer.moc"
