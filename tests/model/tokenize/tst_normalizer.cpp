// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/normalizer_json.h"

#include "tests/model/tokenize/charsmap_table.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestNormalizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void steps_data();
    void steps();
    void configurationGoesFirst();
    void growthIsBounded();
    void precompiled_data();
    void precompiled();
    void precompiledGrowthIsBounded();
    void refuses_data();
    void refuses();
};

void TestNormalizer::steps_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* json, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(json) << QByteArray(text) << QByteArray(expected);
    };
    row("prepend", R"({"type": "Prepend", "prepend": "_"})", "a", "_a");
    row("prepend to nothing", R"({"type": "Prepend", "prepend": "_"})", "", "");
    row("replace text", R"({"type": "Replace", "pattern": {"String": " "}, "content": "_"})", "a  b", "a__b");
    row("replace matches", R"({"type": "Replace", "pattern": {"Regex": " +"}, "content": "\\0"})", "a  b", "a\\0b");
    row("strip both", R"({"type": "Strip", "strip_left": true, "strip_right": true})", " \xE3\x80\x80 a \n", "a");
    row("strip right", R"({"type": "Strip", "strip_left": false, "strip_right": true})", " a ", " a");
    row("strip all", R"({"type": "Strip"})", "  ", "");
    row("lowercase", R"({"type": "Lowercase"})", "AbC", "abc");
    row("NFC", R"({"type": "NFC"})", "e\xCC\x81", "\xC3\xA9");
    row("accents", R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})", "\xC3\xA9",
        "e");
    row("byte level", R"({"type": "ByteLevel"})", " a",
        "\xC4\xA0"
        "a");
    row("bert",
        R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true})",
        "\x01\xC3\x89\t\xE4\xB8\xAD", "e  \xE4\xB8\xAD ");
    row("bert cased keeps accents",
        R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": false})",
        "\xC3\x89", "\xC3\x89");
}

void TestNormalizer::steps()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto document = JsonDocument::parse(json.toStdString(), "test");
    HEADSCOPE_VERIFY_OK(document);
    Normalizer normalizer;
    HEADSCOPE_VERIFY_OK(addNormalizer(JsonPlace(document->root(), "normalizer"), {}, normalizer));
    std::string result = text.toStdString();
    bool keepsStart = true;
    HEADSCOPE_VERIFY_OK(normalizer.apply(result, keepsStart));
    QCOMPARE(QByteArray::fromStdString(result), expected);
    QCOMPARE(keepsStart,
             QByteArray(QTest::currentDataTag()) != "strip both" && QByteArray(QTest::currentDataTag()) != "strip all");
}

void TestNormalizer::configurationGoesFirst()
{
    const auto document = JsonDocument::parse(R"({"type": "BertNormalizer", "lowercase": true})", "test");
    HEADSCOPE_VERIFY_OK(document);
    BertOverrides overrides;
    overrides.lowercase = false;
    Normalizer normalizer;
    HEADSCOPE_VERIFY_OK(addNormalizer(JsonPlace(document->root(), ""), overrides, normalizer));
    std::string text = "A\xC3\x89";
    bool keepsStart = true;
    HEADSCOPE_VERIFY_OK(normalizer.apply(text, keepsStart));
    QCOMPARE(text, std::string("A\xC3\x89"));
}

void TestNormalizer::growthIsBounded()
{
    // Each step doubles what the one before has doubled: 2^40 bytes of one.
    const std::string step = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
    const std::string byPattern = R"({"type": "Replace", "pattern": {"Regex": "a"}, "content": "aa"})";
    for (const std::string& one : {step, byPattern})
    {
        std::string json = R"({"type": "Sequence", "normalizers": [)" + one;
        for (int i = 1; i < 40; ++i)
            json += ", " + one;
        const auto document = JsonDocument::parse(json + "]}", "test");
        HEADSCOPE_VERIFY_OK(document);
        Normalizer normalizer;
        HEADSCOPE_VERIFY_OK(addNormalizer(JsonPlace(document->root(), ""), {}, normalizer));
        std::string text = "a";
        bool keepsStart = true;
        HEADSCOPE_VERIFY_ERROR(normalizer.apply(text, keepsStart), ErrorCode::BadFormat, "more than 64 times");
    }
    // The character that compatibility makes longest is far from the bound.
    const auto document = JsonDocument::parse(R"({"type": "NFKD"})", "test");
    HEADSCOPE_VERIFY_OK(document);
    Normalizer normalizer;
    HEADSCOPE_VERIFY_OK(addNormalizer(JsonPlace(document->root(), ""), {}, normalizer));
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += "\xEF\xB7\xBA"; // U+FDFA
    bool keepsStart = true;
    HEADSCOPE_VERIFY_OK(normalizer.apply(text, keepsStart));
    QCOMPARE(text.size(), std::size_t{100'000} * 33);
}

namespace
{

Normalizer normalizerOf(const std::map<std::string, std::string>& replacements)
{
    const std::string json = R"({"type": "Precompiled", "precompiled_charsmap": ")" +
                             test::charsmapTable(replacements).toStdString() + "\"}";
    const auto document = JsonDocument::parse(json, "test");
    Normalizer normalizer;
    [[maybe_unused]] const Status added = addNormalizer(JsonPlace(document.value().root(), ""), {}, normalizer);
    return normalizer;
}

} // namespace

void TestNormalizer::precompiled_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char16_t* text, const char16_t* expected) {
        QTest::newRow(name) << QString::fromUtf16(text) << QString::fromUtf16(expected);
    };
    row("empty", u"", u"");
    row("untouched", u"abc \u65E5", u"abc \u65E5");
    row("a character", u"x\uFF11y", u"x1y");
    row("dropped", u"a\u00ADb", u"ab");
    row("a cluster", u"e\u0301", u"\u00E9");
    row("the shortest front takes the whole cluster", u"\uFF11\u0301", u"1");
    row("a cluster of 6 bytes, character by character", u"\uFF11\u20DD", u"1\u20DD");
    row("so is a longer one", u"\uFF11\u0301\u0301", u"1\u0301\u0301");
    row("line end of DOS", u"a\r\nb", u"a b");
    row("line ends", u"\n\r", u"\n ");
}

void TestNormalizer::precompiled()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const Normalizer normalizer = normalizerOf({{"\xEF\xBC\x91", "1"},
                                                {"\xC2\xAD", ""},
                                                {"e\xCC\x81", "\xC3\xA9"},
                                                {"\xEF\xBC\x91\xCC\x81", "never"},
                                                {"\r", " "}});
    std::string result = text.toStdString();
    bool keepsStart = true;
    HEADSCOPE_VERIFY_OK(normalizer.apply(result, keepsStart));
    QCOMPARE(QString::fromStdString(result), expected);
}

void TestNormalizer::precompiledGrowthIsBounded()
{
    const Normalizer normalizer = normalizerOf({{"a", std::string(1000, 'b')}});
    std::string text(100'000, 'a');
    bool keepsStart = true;
    HEADSCOPE_VERIFY_ERROR(normalizer.apply(text, keepsStart), ErrorCode::BadFormat, "more than 64 times");
}

void TestNormalizer::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("unknown") << QByteArray(R"({"type": "Odd"})") << QByteArray("Odd");
    QTest::newRow("no table") << QByteArray(R"({"type": "Precompiled"})") << QByteArray("precompiled_charsmap");
    QTest::newRow("bad table") << QByteArray(R"({"type": "Precompiled", "precompiled_charsmap": "AAA="})")
                               << QByteArray("normalizer.precompiled_charsmap");
    QTest::newRow("nested") << QByteArray(R"({"type": "Sequence", "normalizers": [{"type": "Nmt"}]})")
                            << QByteArray("normalizer.normalizers[0]");
    QTest::newRow("no type") << QByteArray("{}") << QByteArray("type");
    QTest::newRow("no object") << QByteArray("[]") << QByteArray("expected an object");
    QTest::newRow("regex") << QByteArray(R"({"type": "Replace", "pattern": {"Regex": "("}, "content": ""})")
                           << QByteArray("normalizer.pattern");
    QTest::newRow("kind") << QByteArray(R"({"type": "Strip", "strip_left": 1})") << QByteArray("strip_left");
}

void TestNormalizer::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, part);
    const auto document = JsonDocument::parse(json.toStdString(), "test");
    HEADSCOPE_VERIFY_OK(document);
    Normalizer normalizer;
    const auto added = addNormalizer(JsonPlace(document->root(), "normalizer"), {}, normalizer);
    QVERIFY(!added);
    QVERIFY2(added.error().sentence().find(part.toStdString()) != std::string::npos, added.error().sentence().c_str());
}

HEADSCOPE_TEST_GUILESS(TestNormalizer)
#include "tst_normalizer.moc"
