// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_tools.h"

#include "tests/ui/window_test.h"
#include "ui/window/shortcuts.h"
#include "ui/words/wording.h"

#include <QKeySequence>
#include <QSet>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>

using namespace headscope;
using headscope::ui::ScatterPicks;
using headscope::ui::ScatterTool;
using headscope::ui::ScatterTools;

class TestScatterTools : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A row stands where its tool says, and keys and names lead back to it alone.
    void rowsOfTheTable()
    {
        const auto rows = ui::scatterToolRows();
        QSet<QString> names;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            QCOMPARE(static_cast<std::size_t>(rows[i].tool), i);
            QCOMPARE(&ui::rowOf(rows[i].tool), &rows[i]);
            QCOMPARE(ui::toolOfKey(rows[i].key), std::optional(rows[i].tool));
            QVERIFY(rows[i].key != ui::kPicksKey);
            names.insert(QLatin1StringView(rows[i].name));
        }
        QCOMPARE(names.size(), static_cast<qsizetype>(rows.size()));
        QVERIFY(!ui::toolOfKey(Qt::Key_Q));
    }

    /// The tip of a tool names its key, and so does the window's table of keys, which keeps actions from taking it.
    void keysAreToldAndKept()
    {
        QStringList kept;
        for (const ui::ViewKey& view : ui::viewKeys())
            if (view.place == "the map")
                kept += ui::toQString(view.keys).split(u' ');
        QVERIFY(kept.contains(QKeySequence(ui::kPicksKey).toString(QKeySequence::PortableText)));
        for (const ui::ScatterToolRow& row : ui::scatterToolRows())
        {
            const QString key = QKeySequence(row.key).toString(QKeySequence::PortableText);
            QVERIFY2(QString::fromLatin1(row.tip).contains(u'(' + key), row.tip);
            QVERIFY2(kept.contains(key), qPrintable(key));
        }
    }

    void buttonsAndCursorFollowTheTool()
    {
        QWidget canvas;
        ScatterTools tools(&canvas);
        QSignalSpy changed(&tools, &ScatterTools::changed);
        QVERIFY(!tools.picks());
        for (const ui::ScatterToolRow& row : ui::scatterToolRows())
        {
            tools.findChild<QToolButton*>(QLatin1StringView(row.name))->click();
            QCOMPARE(tools.tool(), row.tool);
            QCOMPARE(canvas.cursor().shape(), row.cursor);
            QCOMPARE(tools.picks(), row.shape.has_value());
            QCOMPARE(tools.units()->isHidden(), !tools.picks());
            for (const ui::ScatterToolRow& other : ui::scatterToolRows())
                QCOMPARE(tools.findChild<QToolButton*>(QLatin1StringView(other.name))->isChecked(),
                         other.tool == row.tool);
        }
        QCOMPARE(changed.count(), static_cast<qsizetype>(ui::scatterToolRows().size()));
    }

    void pointsAreRefusedWhereThereAreNone()
    {
        QWidget canvas;
        ScatterTools tools(&canvas);
        QSignalSpy changed(&tools, &ScatterTools::changed);
        tools.setPicked(ScatterPicks::Points);
        tools.setPicked(ScatterPicks::Points);
        QCOMPARE(changed.count(), 1);
        tools.setPointsOffered(false);
        QCOMPARE(tools.picked(), ScatterPicks::Documents);
        tools.setPicked(ScatterPicks::Points);
        QCOMPARE(tools.picked(), ScatterPicks::Documents);
    }

    void stepsAreEnabledAsFarAsTheHistoryGoes()
    {
        QWidget canvas;
        ScatterTools tools(&canvas);
        auto* back = tools.findChild<QToolButton*>(QStringLiteral("toolBack"));
        auto* forward = tools.findChild<QToolButton*>(QStringLiteral("toolForward"));
        QVERIFY(!back->isEnabled() && !forward->isEnabled());
        tools.setHistory(true, false);
        QVERIFY(back->isEnabled() && !forward->isEnabled());
        QSignalSpy asked(&tools, &ScatterTools::backRequested);
        back->click();
        forward->click();
        QCOMPARE(asked.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterTools)
#include "tst_scatter_tools.moc"
