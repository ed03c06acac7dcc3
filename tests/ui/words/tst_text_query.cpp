// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/text_query.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;
using headscope::ui::TextQuery;
using headscope::ui::TextSpan;
using Spans = std::vector<TextSpan>;

class TestTextQuery : public QObject
{
    Q_OBJECT

private:
    static TextQuery words(const QString& text) { return *TextQuery::parse(text, TextQuery::Kind::Words); }
    static TextQuery pattern(const QString& text) { return *TextQuery::parse(text, TextQuery::Kind::Pattern); }

private Q_SLOTS:
    void wordsAndPhrases()
    {
        const TextQuery query = words(QStringLiteral("  Sleep \"older   adults\" sleep "));
        QCOMPARE(query.words(), (QStringList{QStringLiteral("sleep"), QStringLiteral("older adults")}));
        const QString text = QStringLiteral("Regular sleep helps older\nadults; SLEEP well.");
        const auto match = query.match(text, {});
        QVERIFY(match.found);
        QCOMPARE(match.inText.size(), 3U);
        QCOMPARE(text.mid(match.inText[1].start, match.inText[1].length), QStringLiteral("older\nadults"));
        QVERIFY(!query.match(QStringLiteral("older people, adults, sleep"), {}).found);
        // One word in the text, the other in the id.
        QVERIFY(words(QStringLiteral("sleep doc-7")).match(text, QStringLiteral("doc-71")).found);
        QVERIFY(!words(QStringLiteral("sleep doc-8")).match(text, QStringLiteral("doc-71")).found);
        QVERIFY(words(QStringLiteral(" \"\" ")).isEmpty());
        QVERIFY(!TextQuery().match(text, {}).found);
        // A quote that is still open while it is typed.
        QVERIFY(words(QStringLiteral("\"older adu")).match(text, {}).found);
    }

    void folding_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("hit");
        const auto row = [](const char* name, const QString& query, const QString& text, const QString& hit) {
            QTest::newRow(name) << query << text << hit;
        };
        row("sharp s", QStringLiteral("STRASSE"), QStringLiteral("die Straße dort"), QStringLiteral("Straße"));
        row("half a sharp s", QStringLiteral("stras"), QStringLiteral("Straße"), QStringLiteral("Straß"));
        row("composed", QStringLiteral("CAF\u00C9"), QStringLiteral("ein cafe\u0301 dort"),
            QStringLiteral("cafe\u0301"));
        row("decomposed", QStringLiteral("cafe\u0301"), QStringLiteral("ein Caf\u00E9"), QStringLiteral("Caf\u00E9"));
        row("no accent", QStringLiteral("cafe"), QStringLiteral("ein Caf\u00E9"), QString());
        row("greek", QStringLiteral("ΣΟΦΟΣ"), QStringLiteral("ο σοφος λέγει"), QStringLiteral("σοφος"));
        row("cyrillic", QStringLiteral("привет"), QStringLiteral("ПРИВЕТ"), QStringLiteral("ПРИВЕТ"));
        row("hebrew", QStringLiteral("שלום"), QStringLiteral("הוא אמר שלום"), QStringLiteral("שלום"));
        row("chinese", QStringLiteral("睡眠"), QStringLiteral("规律的睡眠更好"), QStringLiteral("睡眠"));
        row("hangul syllable", QStringLiteral("하"), QStringLiteral("한국"), QString());
        row("hindi prefix", QStringLiteral("हिन्द"), QStringLiteral("यह हिन्दी है"), QStringLiteral("हिन्द"));
        row("beyond the first plane", QStringLiteral("😀 x"), QStringLiteral("a 😀  X"), QStringLiteral("😀"));
        row("hard space", QStringLiteral("\"a b\""), QStringLiteral("a\u00A0b"), QStringLiteral("a\u00A0b"));
    }
    void folding()
    {
        QFETCH(QString, query);
        QFETCH(QString, text);
        QFETCH(QString, hit);
        const auto match = words(query).match(text, {});
        QCOMPARE(match.found, !hit.isEmpty());
        if (match.found)
            QCOMPARE(text.mid(match.inText[0].start, match.inText[0].length), hit);
    }

    void hitsAreApart()
    {
        const QString text = QStringLiteral("banana bandana");
        for (const auto* query : {"an ana", "a", "ban ana and"})
        {
            qsizetype end = 0;
            const Spans hits = words(QLatin1StringView(query)).hitsIn(text);
            QVERIFY(!hits.empty());
            for (const TextSpan& hit : hits)
            {
                QVERIFY(hit.start >= end && hit.length > 0);
                end = hit.start + hit.length;
            }
            QVERIFY(end <= text.size());
        }
    }

    void patterns()
    {
        const QString text = QStringLiteral("One 12\ntwo 345\n");
        QCOMPARE(pattern(QStringLiteral("\\d+")).hitsIn(text), (Spans{{4, 2}, {11, 3}}));
        QCOMPARE(pattern(QStringLiteral("^TWO")).hitsIn(text), (Spans{{7, 3}}));
        QVERIFY(pattern(QStringLiteral("(?-i)TWO")).hitsIn(text).empty());
        QVERIFY(!pattern(QStringLiteral("x*")).match(text, {}).found); // nothing is no hit
        QVERIFY(pattern(QStringLiteral("\\w+")).match(QStringLiteral("größe"), {}).inText.front().length == 5);
        const auto wrong = TextQuery::parse(QStringLiteral("ab(c"), TextQuery::Kind::Pattern);
        HEADSCOPE_VERIFY_ERROR(wrong, ErrorCode::InvalidArgument, "at character 5");
        QVERIFY(pattern({}).isEmpty());
    }

    /// What is ruled out from the bytes is never found; and most that is not found is ruled out.
    void rulesOutOnlyWhatIsNotFound()
    {
        const QStringList parts{QStringLiteral("Sleep"),       QStringLiteral("older  adults"),
                                QStringLiteral("o\u0301"),     QStringLiteral("caf"),
                                QStringLiteral("Stra\u00dfe"), QStringLiteral("\ufb01x"),
                                QStringLiteral("fix"),         QStringLiteral("k"),
                                QStringLiteral("\u212a")};
        const QStringList asked{QStringLiteral("sleep"), QStringLiteral("\"older adults\""), QStringLiteral("cafo"),
                                QStringLiteral("fix k"), QStringLiteral("strasse"),          QStringLiteral("\u00f3"),
                                QStringLiteral("zebra"), QStringLiteral("\"caf sleep\"")};
        const CounterRandom random(3);
        int ruledOut = 0;
        int notFound = 0;
        for (std::uint64_t i = 0; i < 400; ++i)
        {
            QString text;
            for (std::uint64_t j = 0; j < 3; ++j)
                text += parts.at(static_cast<qsizetype>(random.below(10 * i + j, 9))) + (j == 1 ? u' ' : u'\n');
            const QString id = i % 3 == 0 ? QStringLiteral("SLEEP-1") : QStringLiteral("x");
            for (const QString& question : asked)
            {
                const TextQuery query = words(question);
                const bool found = query.match(text, id).found;
                const bool out = query.rulesOut(text.toStdString(), id.toStdString());
                QVERIFY2(!(found && out), qPrintable(question + u'|' + text));
                ruledOut += out ? 1 : 0;
                notFound += found ? 0 : 1;
            }
        }
        QVERIFY2(ruledOut > notFound / 10, qPrintable(QStringLiteral("%1 of %2").arg(ruledOut).arg(notFound)));
        QVERIFY(!pattern(QStringLiteral("a")).rulesOut("b", "c")); // says nothing of expressions
    }

    void aQueryTypedFurtherNarrows()
    {
        QVERIFY(words(QStringLiteral("library")).narrows(words(QStringLiteral("libr"))));
        QVERIFY(words(QStringLiteral("libr new")).narrows(words(QStringLiteral("libr"))));
        QVERIFY(!words(QStringLiteral("lib")).narrows(words(QStringLiteral("libr"))));
        QVERIFY(!words(QStringLiteral("new")).narrows(words(QStringLiteral("libr"))));
        // "cafe" is not found in "caf\u00e9", which is.
        QVERIFY(!words(QStringLiteral("caf\u00e9")).narrows(words(QStringLiteral("cafe"))));
        QVERIFY(!pattern(QStringLiteral("library")).narrows(words(QStringLiteral("libr"))));
        QVERIFY(!words(QStringLiteral("library")).narrows(TextQuery()));
    }

    void aSlowExpressionGivesUp()
    {
        const auto match = pattern(QStringLiteral("(a+)+$")).match(QString(4000, u'a') + u'!', {});
        QVERIFY(!match.found);
    }

    void lines()
    {
        const QString text = QStringLiteral("first line\n  Regular sleep\tdoes more.\nlast");
        const auto line = ui::lineAround(text, words(QStringLiteral("sleep does")).hitsIn(text));
        QCOMPARE(line.text, QStringLiteral("Regular sleep does more."));
        QCOMPARE(line.hits, (Spans{{8, 5}, {14, 4}}));
        QVERIFY(ui::lineAround(text, {}).text.isEmpty());
        // In a megabyte without an end of line the hit stands in a third of the room.
        const QString longText = QString(500'000, u'x') + QStringLiteral(" needle ") + QString(500'000, u'y');
        const auto cut = ui::lineAround(longText, words(QStringLiteral("needle")).hitsIn(longText), 60);
        QVERIFY(cut.text.size() <= 63);
        QCOMPARE(cut.text.mid(cut.hits.front().start, cut.hits.front().length), QStringLiteral("needle"));
        QVERIFY(cut.text.startsWith(QChar(0x2026)) && cut.text.endsWith(QChar(0x2026)));
    }
};

HEADSCOPE_TEST_GUILESS(TestTextQuery)
#include "tst_text_query.moc"
