// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/window/window_layout.h"

#include <QTest>

#include <cstdlib>

using namespace headscope::ui;

class TestWindowLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layoutRoundTrips()
    {
        WindowLayout layout;
        layout.widths = {264, 900, 280};
        layout.shown = {{QStringLiteral("actionShowInspector"), false}, {QStringLiteral("actionShowJobs"), true}};
        layout.jobsHeight = 310;
        layout.view = QStringLiteral("Heatmap");
        layout.sidePanel = QStringLiteral("find");
        QVERIFY(layoutFromBytes(toBytes(layout)) == layout);
    }

    void theFirstWindowFitsItsScreen()
    {
        // What panels leave of usual screens, in logical pixels; the last is 2560 x 1440 at twofold scale.
        for (const QSize available : {QSize(1920, 1040), QSize(1366, 768), QSize(1366, 728), QSize(1280, 720)})
        {
            const QSize first = firstWindowSize(available);
            QVERIFY(first.width() < available.width() && first.height() + 30 < available.height());
            QVERIFY(first.width() > available.width() / 2);
        }
        QCOMPARE(firstWindowSize(QSize(3840, 2160)), QSize(1440, 900));
        // In the middle, and a frame of 6 pixels with a title of 32 above is still on the screen.
        for (const QRect available : {QRect(0, 0, 1280, 720), QRect(100, 28, 1366, 700), QRect(0, 0, 3840, 2160)})
        {
            const QRect place = firstWindowPlace(available);
            QCOMPARE(place.size(), firstWindowSize(available.size()));
            QVERIFY(available.contains(place.adjusted(-6, -38, 6, 6)));
            QVERIFY(std::abs(place.center().x() - available.center().x()) <= 1);
        }
    }

    void damagedBytesAreRefused()
    {
        const QByteArray whole = toBytes({});
        QVERIFY(!layoutFromBytes({}));
        QVERIFY(!layoutFromBytes("something else altogether"));
        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY2(!layoutFromBytes(whole.left(length)), qPrintable(QString::number(length)));
        QVERIFY(!layoutFromBytes(whole + "x"));
        QByteArray newer = whole;
        newer[7] = 99;
        QVERIFY(!layoutFromBytes(newer));
        WindowLayout absurd;
        absurd.widths = {-4, 1'000'000, 3};
        QVERIFY(!layoutFromBytes(toBytes(absurd)));
    }
};

HEADSCOPE_TEST_GUILESS(TestWindowLayout)
#include "tst_window_layout.moc"
