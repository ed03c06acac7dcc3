// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of axes stand whole, however low, narrow or long the chart is.
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/charts/kl_chart.h"
#include "ui/charts/recall_chart.h"
#include "ui/charts/sweep_chart.h"

#include <QGraphicsTextItem>
#include <QGraphicsView>

using namespace headscope;

class TestChartLabels : public QObject
{
    Q_OBJECT

private:
    /// What is wrong with the labels of a chart that is shown.
    static QString faultOf(QWidget& widget)
    {
        test::passMs(2);
        const auto* view = widget.findChild<QGraphicsView*>();
        int labels = 0;
        for (const QGraphicsItem* item : view->scene()->items())
        {
            const auto* text = dynamic_cast<const QGraphicsTextItem*>(item);
            if (text == nullptr || !text->isVisible() || text->toPlainText().isEmpty())
                continue;
            ++labels;
            const QString label = text->toPlainText();
            if (label.contains(QStringLiteral("...")) || label.contains(QChar(0x2026)))
                return QStringLiteral("a label is cut: ") + label;
            if (!view->sceneRect().adjusted(-1, -1, 1, 1).contains(text->sceneBoundingRect()))
                return label + QStringLiteral(" is beyond the chart");
        }
        return labels < 4 ? QStringLiteral("there are only %1 labels").arg(labels) : QString();
    }

private Q_SLOTS:
    void theCurveOfARun_data()
    {
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("usual") << 750 << 1.2 << 2.5;
        QTest::newRow("six labels") << 750 << 2.0 << 21.0;
        QTest::newRow("many iterations") << 100'000 << 2.0 << 21.0;
        QTest::newRow("most iterations") << 1'000'000 << 0.01 << 0.09;
        QTest::newRow("hardly falling") << 5'000 << 1.23 << 1.26;
    }
    void theCurveOfARun()
    {
        QFETCH(int, iterations);
        QFETCH(double, low);
        QFETCH(double, high);
        ui::KlChart chart;
        chart.show();
        RunCurve curve;
        curve.iterations = iterations;
        curve.points = {{0, high}, {iterations / 2, (high + low) / 2}, {iterations, low}};
        chart.setCurve(curve);
        for (const int width : {180, 256, 300, 420})
        {
            chart.resize(width, chart.height());
            QCOMPARE(faultOf(chart), QString());
        }
    }

    void theSweepAndTheBars()
    {
        ui::SweepChart sweep;
        std::vector<ui::ProbeRow> rows;
        for (int layer = 0; layer < 30; ++layer)
            rows.push_back({test::sampleProbe(Stage::HeadOutput, 0.5 + 0.01 * layer, layer), nullptr, {}, false});
        sweep.setRows(rows, 30);
        sweep.show();
        ui::RecallChart bars;
        bars.setResult(rows.front().result, viz::HeadPalette(8, 4));
        bars.show();
        for (const QSize size : {QSize(260, 130), QSize(300, 180), QSize(700, 400)})
        {
            sweep.resize(size);
            QCOMPARE(faultOf(sweep), QString());
            bars.resize(size);
            QCOMPARE(faultOf(bars), QString());
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestChartLabels)
#include "tst_chart_labels.moc"
