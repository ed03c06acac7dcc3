// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/window_layout.h"

#include <QtTest>

using namespace headscope::ui;

class TestWindowLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layoutRoundTrips()
    {
        WindowLayout layout;
        layout.widths = {264, 900, 280};
        layout.sideShown = false;
        layout.jobsShown = true;
        layout.jobsHeight = 310;
        layout.view = QStringLiteral("Heatmap");
        layout.sidePanel = QStringLiteral("find");
        QVERIFY(layoutFromBytes(toBytes(layout)) == layout);
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
