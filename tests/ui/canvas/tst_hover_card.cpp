// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/hover_card.h"

#include "tests/ui/window_test.h"
#include "ui/canvas/card_place.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"

using namespace headscope;
using headscope::ui::HoverCard;
using headscope::ui::HoverContent;

class TestHoverCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void marksHits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        const QString far = QStringLiteral("word ").repeated(60) + QStringLiteral("needle in the hay");
        QTest::newRow("at the beginning") << QStringLiteral("needle first") << QStringLiteral("needle");
        QTest::newRow("far inside") << far << QStringLiteral("needle");
        QTest::newRow("right to left") << QStringLiteral("שלום עולם needle") << QStringLiteral("needle");
        QTest::newRow("not there") << QStringLiteral("nothing of the kind") << QStringLiteral("needle");
    }
    void marksHits()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        QWidget window;
        window.resize(600, 400);
        HoverCard card(&window);
        HoverContent content;
        content.title = QStringLiteral("Head 3");
        content.text = text;
        const auto at = static_cast<int>(text.indexOf(wanted));
        if (at >= 0)
            content.hits = {{at, at + static_cast<int>(wanted.size())}};
        card.showAt(content, {20, 20});
        QCOMPARE(card.markedText(), at >= 0 ? QStringList{wanted} : QStringList());
        QVERIFY(!card.grab().isNull());
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            card.grab().save(QString::fromLocal8Bit(folder) +
                             QStringLiteral("/card-%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
    }

    /// A card is inside its view, and beside the place that it tells of, while it has room on any side.
    void cardsLieBesideTheirPlace()
    {
        const QSize room(500, 300);
        for (const QSize card : {QSize(120, 60), QSize(240, 290), QSize(490, 100)})
            for (int x = 0; x < room.width(); x += 20)
                for (int y = 0; y < room.height(); y += 20)
                {
                    const QPoint place(x, y);
                    const QRect at(headscope::ui::placeOfCard(place, card, room), card);
                    QVERIFY(QRect(QPoint(), room).contains(at));
                    const bool fits = x + card.width() + 6 <= room.width() || x - card.width() - 6 >= 0 ||
                                      y + card.height() + 6 <= room.height() || y - card.height() - 6 >= 0;
                    QVERIFY2(!fits || !at.contains(place),
                             qPrintable(QStringLiteral("%1, %2 under %3").arg(x).arg(y).arg(card.width())));
                }
    }

    /// Only the text may end in dots, and its quotation is closed.
    void longTextIsClosedAndFactsAreWhole()
    {
        QWidget window;
        window.resize(900, 400);
        HoverCard card(&window);
        HoverContent content;
        content.color = Qt::red;
        content.title = QStringLiteral("Segment 27");
        content.detail = QStringLiteral("KV7 · strength 4.405, top 100%");
        content.value = QStringLiteral("nearest: Segment 31");
        content.text = QStringLiteral("many words that go on ").repeated(30);
        card.showAt(content, {20, 20});
        const QStringList lines = card.textLines();
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines.front().startsWith(QChar(0x201C)));
        QVERIFY2(lines.back().endsWith(QStringLiteral("\u2026\u201D")), qPrintable(lines.back()));
        const QFontMetricsF bold(ui::Theme::bodyFont(true));
        const QFontMetricsF small(ui::Theme::smallFont());
        const double facts = 16 + bold.horizontalAdvance(content.title) + 8 + small.horizontalAdvance(content.detail) +
                             16 + bold.horizontalAdvance(content.value);
        QVERIFY(card.width() - 2 * (10 + 8) >= facts);
        content.text = QStringLiteral("short");
        card.showAt(content, {20, 20});
        QCOMPARE(card.textLines(), QStringList{QStringLiteral("\u201Cshort\u201D")});
    }

    /// A quotation is what the document says: cut at its end alone. Lines that end just at a space had lost a middle.
    void aQuotationIsCutAtItsEndAlone()
    {
        QWidget window;
        window.resize(900, 400);
        HoverCard card(&window);
        HoverContent content;
        content.title = QStringLiteral("Head 3");
        const QString words =
            QStringLiteral("Visitors need a badge only, and the telescope is shown to those who wait");
        for (qsizetype start = 0; start < 30; ++start)
            for (qsizetype length = 8; length <= words.size() - start; ++length)
            {
                content.text = words.mid(start, length).simplified();
                card.showAt(content, {20, 20});
                const QString said = QChar(0x201C) % content.text % QChar(0x201D);
                QString quoted;
                for (const QString& line : card.textLines())
                {
                    QCOMPARE(viz::elidedMiddle(line, ui::Theme::smallFont(), card.width() - 2 * (10 + 8)), line);
                    quoted +=
                        (quoted.isEmpty() || said.startsWith(quoted + line) ? QString() : QStringLiteral(" ")) % line;
                }
                QCOMPARE(quoted, said);
            }
    }

    void rangesOutsideTheTextAreLeftOut()
    {
        QWidget window;
        window.resize(600, 400);
        HoverCard card(&window);
        HoverContent content;
        content.title = QStringLiteral("Head 3");
        content.text = QStringLiteral("short");
        content.hits = {{3, 3}, {2, 90}};
        card.showAt(content, {20, 20});
        QVERIFY(card.markedText().isEmpty());
        QVERIFY(!card.grab().isNull());
    }
};

HEADSCOPE_WINDOW_TEST(TestHoverCard)
#include "tst_hover_card.moc"
