// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/probe_view.h"

#include "tests/ui/window_test.h"
#include "ui/models/probe_table_model.h"
#include "ui/plots/recall_chart.h"
#include "ui/widgets.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>

#include <set>

using namespace headscope;
using namespace headscope::ui;

class TestProbeView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void emptyThenFilledThenEmpty()
    {
        ProbeView view;
        view.resize(900, 700);
        view.show();
        view.setEmpty(QStringLiteral("No probe yet"), QStringLiteral("why"), QStringLiteral("Train probe"));
        QVERIFY(view.emptyState()->isVisible());
        view.setResults({test::sampleProbe(Stage::HeadOutput, 0.783), test::sampleProbe(Stage::OutputSegment, 0.999)},
                        viz::HeadPalette(8, 4));
        QVERIFY(view.table()->isVisible());
        QCOMPARE(view.chart()->title(), QStringLiteral("Recall per head"));
        const QModelIndex second = view.model()->index(1, 0);
        QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, view.table()->visualRect(second).center());
        QCOMPARE(view.chart()->title(), QStringLiteral("Recall per segment"));
        view.setResults({}, {});
        QVERIFY(view.emptyState()->isVisible());
    }

    void chartShowsTheHeadsColours()
    {
        RecallChart chart;
        chart.resize(700, 300);
        const viz::HeadPalette palette(8, 4);
        chart.setResult(test::sampleProbe(Stage::HeadOutput, 0.9), palette);
        chart.show();
        const QImage picture = chart.grab().toImage();
        std::set<QRgb> seen;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                seen.insert(picture.pixel(x, y));
        for (std::int64_t head = 0; head < 32; ++head)
            QVERIFY2(seen.contains(palette.color(HeadIndex(head)).rgb()), qPrintable(QString::number(head)));
        chart.setResult(nullptr, palette);
        QVERIFY(!chart.grab().isNull());
    }

    void theSplitIsAskedFor()
    {
        ProbeView view;
        QCOMPARE(view.split(), ProbeSplit::Documents);
        view.findChild<QComboBox*>(QStringLiteral("probeSplit"))->setCurrentIndex(1);
        QCOMPARE(view.split(), ProbeSplit::Rows);
    }
};

HEADSCOPE_WINDOW_TEST_MAIN(TestProbeView)
#include "tst_probe_view.moc"
