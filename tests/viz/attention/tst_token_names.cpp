// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/token_names.h"

#include "tests/support/test_program.h"
#include "viz/axis/text.h"

#include <QGuiApplication>
#include <QTest>

using namespace headscope;
using namespace headscope::viz;

class TestTokenNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shown_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("exact");
        const auto row = [](const char* name, const char* token, const QString& shown, const QString& exact) {
            QTest::newRow(name) << QByteArray(token) << shown << exact;
        };
        row("a word", "keys", QStringLiteral("keys"), QStringLiteral("keys"));
        row("a word after a space", " keys", QStringLiteral("keys"), QStringLiteral("␣keys"));
        row("a space", " ", QStringLiteral("␣"), QStringLiteral("␣"));
        row("spaces", "    ", QStringLiteral("␣×4"), QStringLiteral("␣×4"));
        row("two spaces and a word", "  x", QStringLiteral("␣×2x"), QStringLiteral("␣×2x"));
        row("a new line", "\n", QStringLiteral("⏎"), QStringLiteral("⏎"));
        row("new lines", "\n\n", QStringLiteral("⏎×2"), QStringLiteral("⏎×2"));
        row("a tab", "\t", QStringLiteral("⇥"), QStringLiteral("⇥"));
        row("a bell", "\a", QStringLiteral("<U+0007>"), QStringLiteral("<U+0007>"));
        row("turns the text around",
            "\xE2\x80\xAE"
            "abc",
            QStringLiteral("<U+202E>abc"), QStringLiteral("<U+202E>abc"));
        row("nothing to see", "\xE2\x80\x8B", QStringLiteral("<U+200B>"), QStringLiteral("<U+200B>"));
        row("part of a character", "<F0>", QStringLiteral("<F0>"), QStringLiteral("<F0>"));
        row("an emoji of several", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC", QStringLiteral("👩‍🔬"),
            QStringLiteral("👩‍🔬"));
        row("a joiner alone", "\xE2\x80\x8D", QStringLiteral("<U+200D>"), QStringLiteral("<U+200D>"));
        row("chinese", "钥匙", QStringLiteral("钥匙"), QStringLiteral("钥匙"));
        row("hebrew after a space", " מפתח", QStringLiteral("מפתח"), QStringLiteral("␣מפתח"));
        row("nothing", "", QString(), QString());
    }
    void shown()
    {
        QFETCH(QByteArray, token);
        QTEST(shownToken({token.data(), static_cast<std::size_t>(token.size())}), "shown");
        QTEST(exactToken({token.data(), static_cast<std::size_t>(token.size())}), "exact");
    }

    /// In a sentence Hebrew must not turn what stands around it.
    void quotedIsIsolated()
    {
        QCOMPARE(quotedToken(" keys"), QStringLiteral("“keys”"));
        const QString hebrew = quotedToken(" מפתח");
        QCOMPARE(hebrew.at(1), QChar(0x2068));
        QCOMPARE(hebrew.at(hebrew.size() - 2), QChar(0x2069));
    }

    void namesAreMeasured()
    {
        const std::vector<std::string> tokens{"a", " longer word", "\n"};
        const TokenNames names(tokens, textFont(12));
        QCOMPARE(names.count(), 3);
        QCOMPARE(names.shown(1), QStringLiteral("longer word"));
        QVERIFY(names.width(1) > names.width(0));
        QCOMPARE(names.widest(), names.width(1));
    }
};

HEADSCOPE_TEST_UNDER(QGuiApplication, TestTokenNames)
#include "tst_token_names.moc"
