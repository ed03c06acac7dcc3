// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/closest_word.h"

#include "app/shell/parse_words.h"
#include "model/base/fields/fields.h"

#include "tests/support/test_program.h"

#include <array>
#include <string>
#include <vector>

using namespace headscope;
using namespace headscope::shell;

class TestClosestWord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneLetterForThree_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("closest");
        const auto row = [](const char* typed, const char* closest) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(closest);
        };
        row("heads", "heads");
        row("heds", "heads");
        row("haeds", "heads");
        row("heatmaps", "heatmap");
        row("simliarity", "similarity");
        row("qualty", "quality");
        row("hexeds", "heads");
        row("hq", "");
        row("wholly", "");
        row("", "");
    }

    void oneLetterForThree()
    {
        constexpr std::array<std::string_view, 4> kKnown = {"heads", "heatmap", "similarity", "quality"};
        QFETCH(const QString, typed);
        QTEST(QString::fromStdString(std::string(closestWord(typed.toStdString(), kKnown))), "closest");
    }

    void aVerb()
    {
        QCOMPARE(didYouMeanVerb("porbe"), std::string("; did you mean \"probe\"?"));
        QCOMPARE(didYouMeanVerb("cache.h5"), std::string());
    }

    void anOption()
    {
        Fields table;
        std::string palette;
        table.option("--palette", palette, "colours").valueName("NAME");
        const auto said = [&table](std::vector<std::string> words) {
            const auto reading = parseWords(table, words);
            return reading ? std::string() : reading.error().message;
        };
        QVERIFY(said({"--pallete", "x"}).ends_with("; did you mean \"--palette\"?"));
        QVERIFY(said({"--palete=x"}).ends_with("; did you mean \"--palette\"?"));
        QVERIFY(said({"--wholly-else"}).ends_with("--wholly-else")); // which says what was not expected, and no more
        QVERIFY(said({"--palette", "x"}).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestClosestWord)
#include "tst_closest_word.moc"
