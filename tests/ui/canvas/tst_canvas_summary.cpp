// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_summary.h"

#include "tests/ui/window_test.h"

#include <QAccessible>

using namespace headscope;
using namespace headscope::ui;

class TestCanvasSummary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void summaryIsOfTheMoment()
    {
        QWidget canvas;
        canvas.setAccessibleName(QStringLiteral("Map"));
        int points = 10;
        setCanvasSummary(&canvas, [&points] { return QStringLiteral("%1 points").arg(points); });
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&canvas);
        QVERIFY(accessible != nullptr);
        QCOMPARE(accessible->role(), QAccessible::Canvas);
        QCOMPARE(accessible->text(QAccessible::Name), QStringLiteral("Map"));
        QCOMPARE(accessible->text(QAccessible::Description), QStringLiteral("10 points"));
        points = 20;
        QCOMPARE(accessible->text(QAccessible::Description), QStringLiteral("20 points"));
        setCanvasSummary(&canvas, [] { return QStringLiteral("another"); });
        QCOMPARE(canvasSummary(&canvas), QStringLiteral("another"));
        noteCanvasChanged(&canvas);
    }

    void otherWidgetsAreLeftAlone()
    {
        QWidget canvas;
        setCanvasSummary(&canvas, [] { return QString(); });
        QWidget plain;
        plain.setAccessibleDescription(QStringLiteral("its own"));
        QVERIFY(canvasSummary(&plain).isEmpty());
        QCOMPARE(QAccessible::queryAccessibleInterface(&plain)->text(QAccessible::Description),
                 QStringLiteral("its own"));
    }

    void summaryGoesWithItsWidget()
    {
        auto canvas = std::make_unique<QWidget>();
        const QWidget* address = canvas.get();
        setCanvasSummary(canvas.get(), [] { return QStringLiteral("x"); });
        canvas.reset();
        QVERIFY(canvasSummary(address).isEmpty());
    }
};

HEADSCOPE_WINDOW_TEST(TestCanvasSummary)
#include "tst_canvas_summary.moc"
