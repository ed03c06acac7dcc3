// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/escape_controls.h"

#include "model/base/utf8.h"

#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <string>

using namespace headscope;
using namespace std::string_literals;

class TestVisibleText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shows_data();
    void shows();
    void breaksOfOneLine();
    void nothingThatActsIsLeft();
    void jsonKeepsItsMeaning();
};

void TestVisibleText::shows_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("shown");
    const auto row = [](const char* name, std::string text, std::string shown) {
        QTest::newRow(name) << std::move(text) << std::move(shown);
    };
    row("plain", "topic 1", "topic 1");
    row("other scripts", "日本 äöü עברית 😀", "日本 äöü עברית 😀");
    row("colour", "\x1b[31mred", "\\x1b[31mred");
    row("title", "\x1b]0;owned\x07", "\\x1b]0;owned\\x07");
    row("carriage return", "good\rbad", "good\\x0dbad");
    row("NUL", "a\0b"s, "a\\x00b");
    row("delete", "a\x7f", "a\\x7f");
    row("C1",
        "\xc2\x9b"
        "31m",
        "\\u009b31m");
    row("no-break space is no C1", "\xc2\xa0", "\xc2\xa0");
    row("override", "\xe2\x80\xaegnp.exe", "\\u202egnp.exe");
    row("isolate", "\xe2\x81\xa7x\xe2\x81\xa9", "\\u2067x\\u2069");
    row("line separator",
        "a\xe2\x80\xa8"
        "b",
        "a\\u2028b");
    row("dash beside them", "a–b\xe2\x80\xa7", "a–b\xe2\x80\xa7");
    row("not UTF-8",
        "a\xff"
        "b\x9b",
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
    row("lines", "a\n\tb\n", "a\n\tb\n");
    row("empty", "", "");
}

void TestVisibleText::shows()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, shown);
    QCOMPARE(escapeControls(text), shown);
    QCOMPARE(escapeControls(shown), shown); // again changes nothing
}

void TestVisibleText::breaksOfOneLine()
{
    QCOMPARE(escapeControls("a\n\tb", LineBreaks::Shown), std::string("a\\n\\tb"));
}

void TestVisibleText::nothingThatActsIsLeft()
{
    std::string all;
    for (char32_t c = 0; c <= 0xFFFF; ++c)
        appendUtf8(all, c);
    for (const LineBreaks breaks : {LineBreaks::Kept, LineBreaks::Shown})
    {
        const std::string shown = escapeControls(all, breaks);
        QVERIFY(isValidUtf8(shown));
        for (std::size_t at = 0; at < shown.size(); at += utf8At(shown, at).size)
        {
            const char32_t c = utf8At(shown, at).codePoint;
            const bool meant = breaks == LineBreaks::Kept && (c == U'\n' || c == U'\t');
            const bool acts =
                c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
            QVERIFY2(meant || !acts, std::to_string(static_cast<unsigned>(c)).c_str());
        }
    }
}

void TestVisibleText::jsonKeepsItsMeaning()
{
    const std::string json = "{\"id\": \"\\u001b[31m\x7f\xc2\x9b\xe2\x80\xae日\",\n\"n\": 1}";
    const std::string shown = visibleJson(json);
    QCOMPARE(shown, std::string("{\"id\": \"\\u001b[31m\\u007f\\u009b\\u202e日\",\n\"n\": 1}"));
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(shown)),
             QJsonDocument::fromJson(QByteArray::fromStdString(json)));
}

HEADSCOPE_TEST_GUILESS(TestVisibleText)
#include "tst_escape_controls.moc"
