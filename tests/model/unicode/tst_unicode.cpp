// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/unicode/unicode.h"

#include "model/base/utf8.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class TestUnicode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void classes();
    void normalForms_data();
    void normalForms();
    void normalFormsAgreeWithQt();
    void manyMarksAreOrderedQuickly();
    void clusters_data();
    void clusters();
    void lowerCase_data();
    void lowerCase();
};

void TestUnicode::classes()
{
    QVERIFY(isLetter(U'a') && isLetter(U'\u00E9') && isLetter(U'\u6587') && !isLetter(U'1') && !isLetter(U'\u0301'));
    QVERIFY(isNumber(U'1') && isNumber(U'\u00BD') && isNumber(U'\u0663') && isNumber(U'\u2167') && !isNumber(U'a'));
    for (const char32_t space : {U'\t', U'\n', U'\v', U'\f', U'\r', U' ', U'\u0085', U'\u00A0', U'\u3000', U'\u2028'})
        QVERIFY(isWhitespace(space));
    QVERIFY(!isWhitespace(U'\u200B') && !isWhitespace(U'\uFEFF') && !isWhitespace(U'\x1C'));
    QVERIFY(isWordCharacter(U'_') && isWordCharacter(U'\u0301') && !isWordCharacter(U'\u00B2') &&
            !isWordCharacter(U'-'));
    QVERIFY(isBertPunctuation(U'$') && isBertPunctuation(U'\u3002') && !isBertPunctuation(U'\u20AC'));
    QVERIFY(isPunctuation(U'\u2E43') && !isBertPunctuation(U'\u2E43')); // came after Unicode 8
    QVERIFY(isBertControl(U'\0') && isBertControl(U'\u200D') && isBertControl(U'\uE000') && !isBertControl(U'\n'));
    QVERIFY(isBertIdeograph(U'\u4E2D') && !isBertIdeograph(U'\u3042') && !isBertIdeograph(0x2B820));
    QVERIFY(isReferenceMark(U'\u0301') && isReferenceNonspacingMark(U'\u0301') && !isReferenceMark(U'a'));
    QVERIFY(isMark(0x1DF6) && !isReferenceMark(0x1DF6));                    // Unicode 10
    QVERIFY(isReferenceMark(0x1DFB) && !isReferenceNonspacingMark(0x1DFB)); // Unicode 9
}

void TestUnicode::normalForms_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("nfc");
    QTest::addColumn<QString>("nfd");
    QTest::addColumn<QString>("nfkc");

    const auto row = [](const char* name, const char16_t* text, const char16_t* nfc, const char16_t* nfd,
                        const char16_t* nfkc) {
        QTest::newRow(name) << QString::fromUtf16(text) << QString::fromUtf16(nfc) << QString::fromUtf16(nfd)
                            << QString::fromUtf16(nfkc);
    };
    row("empty", u"", u"", u"", u"");
    row("ascii", u"a b", u"a b", u"a b", u"a b");
    row("composed", u"\u00E9", u"\u00E9", u"e\u0301", u"\u00E9");
    row("decomposed", u"e\u0301", u"\u00E9", u"e\u0301", u"\u00E9");
    row("order of marks", u"o\u0302\u0323", u"\u1ED9", u"o\u0323\u0302", u"\u1ED9");
    row("singleton", u"\u212B", u"\u00C5", u"A\u030A", u"\u00C5");
    row("hangul", u"\u1100\u1161", u"\uAC00", u"\u1100\u1161", u"\uAC00");
    row("excluded from composition", u"\u0958", u"\u0915\u093C", u"\u0915\u093C", u"\u0915\u093C");
    row("ligature", u"\uFB01", u"\uFB01", u"\uFB01", u"fi");
    row("long expansion", u"\uFDFA", u"\uFDFA", u"\uFDFA",
        u"\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064A\u0647 \u0648\u0633\u0644\u0645");
}

void TestUnicode::normalForms()
{
    QFETCH(QString, text);
    QFETCH(QString, nfc);
    QFETCH(QString, nfd);
    QFETCH(QString, nfkc);
    const std::string bytes = text.toStdString();
    QCOMPARE(QString::fromStdString(normalized(bytes, NormalForm::Nfc)), nfc);
    QCOMPARE(QString::fromStdString(normalized(bytes, NormalForm::Nfd)), nfd);
    QCOMPARE(QString::fromStdString(normalized(bytes, NormalForm::Nfkc)), nfkc);
}

void TestUnicode::normalFormsAgreeWithQt()
{
    // Mixed marks and letters of the older blocks, where both know the same Unicode.
    std::uint32_t state = 7;
    const auto random = [&](std::uint32_t below) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    };
    for (int round = 0; round < 3000; ++round)
    {
        std::string text;
        for (int i = 0; i < 12; ++i)
        {
            const char32_t pick[] = {U'a' + random(26),     0xC0 + random(0x140),  0x300 + random(0x50),
                                     0x1E00 + random(0xFF), 0x1100 + random(0x13), 0x1161 + random(0x15),
                                     0xAC00 + random(500)};
            appendUtf8(text, pick[random(7)]);
        }
        const QString wide = QString::fromStdString(text);
        const std::pair<NormalForm, QString::NormalizationForm> forms[] = {
            {NormalForm::Nfc, QString::NormalizationForm_C},
            {NormalForm::Nfd, QString::NormalizationForm_D},
            {NormalForm::Nfkc, QString::NormalizationForm_KC},
            {NormalForm::Nfkd, QString::NormalizationForm_KD}};
        for (const auto& [ours, theirs] : forms)
            QCOMPARE(QString::fromStdString(normalized(text, ours)), wide.normalized(theirs));
    }
}

void TestUnicode::manyMarksAreOrderedQuickly()
{
    std::string text = "a";
    for (int i = 0; i < 200'000; ++i)
        appendUtf8(text, i % 2 == 0 ? 0x0302 : 0x0323);
    const std::string result = normalized(text, NormalForm::Nfc);
    QVERIFY(result.starts_with("\xE1\xBA\xAD")); // a with dot below and circumflex
    QCOMPARE(countCharacters(result), std::size_t{199'999});
}

void TestUnicode::clusters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("sizes"); // bytes
    const auto row = [](const char* name, const char16_t* text, const QList<int>& sizes) {
        QTest::newRow(name) << QString::fromUtf16(text) << sizes;
    };
    row("letters", u"ab", {1, 1});
    row("line ends", u"\r\n\r\r\n\n", {2, 1, 2, 1});
    row("accents", u"e\u0301\u0323a", {5, 1});
    row("accent of nothing", u"\u0301a", {2, 1});
    row("control keeps its accent away", u"\n\u0301", {1, 2});
    row("Hangul", u"\u1100\u1161\u11A8\u1100", {9, 3});
    row("spacing mark", u"\u0915\u093F\u0915", {6, 3});
    row("prepended", u"\u0600\u0661", {4});
    row("flags", u"\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1EE\U0001F1E9", {8, 8, 4});
    row("joined", u"\U0001F469\u200D\U0001F52C!", {11, 1});
    row("variation", u"\u2764\uFE0F\u2764", {6, 3});
}

void TestUnicode::clusters()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, sizes);
    const std::string bytes = text.toStdString();
    QList<int> found;
    for (std::size_t at = 0; at < bytes.size();)
    {
        const std::size_t end = clusterEnd(bytes, at);
        QVERIFY(end > at && end <= bytes.size());
        found.push_back(static_cast<int>(end - at));
        at = end;
    }
    QCOMPARE(found, sizes);
}

void TestUnicode::lowerCase_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("ascii") << QStringLiteral("Hello 1") << QStringLiteral("hello 1");
    QTest::newRow("latin") << QString::fromUtf16(u"\u00C5\u0178") << QString::fromUtf16(u"\u00E5\u00FF");
    QTest::newRow("dotted I") << QString::fromUtf16(u"\u0130") << QString::fromUtf16(u"i\u0307");
    QTest::newRow("sigma") << QString::fromUtf16(u"\u039F\u03A3") << QString::fromUtf16(u"\u03BF\u03C3");
}

void TestUnicode::lowerCase()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(headscope::lowerCase(text.toStdString())), expected);
}

HEADSCOPE_TEST_GUILESS(TestUnicode)
#include "tst_unicode.moc"
