// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_view.h"
#include "ui/canvas/picture_widget.h"

#include "app/views/layers/layers_chart.h"
#include "tests/ui/window_test.h"
#include "ui/charts/sweep_chart.h"
#include "ui/widgets/widgets.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::ui;

namespace
{

std::vector<std::shared_ptr<const LayerMeasures>> sampleMeasures(std::int64_t layers)
{
    std::vector<std::shared_ptr<const LayerMeasures>> all;
    for (std::int64_t layer = 0; layer < layers; ++layer)
    {
        for (const Stage stage : kStages)
        {
            auto one = std::make_shared<LayerMeasures>();
            const double depth = static_cast<double>(layer) / static_cast<double>(layers);
            const double own = 0.2 * static_cast<double>(stage);
            one->layer = LayerIndex(layer);
            one->stage = stage;
            one->heads = 32;
            one->documents = 400;
            one->accuracy = std::min(0.99, 0.4 + own + 0.3 * std::sin(3 * depth));
            one->accuracyCi95.low = one->accuracy - 0.01;
            one->accuracyCi95.high = one->accuracy + 0.01;
            one->accuracyChance = 1.0 / 32;
            one->testDocuments = 80;
            one->purity = 0.2 + 0.4 * depth;
            one->purityChance = 0.1;
            one->purityCi95 = {one->purity - 0.05, one->purity + 0.06};
            one->purityNull = {0.1, 0.15, 0.005, 200};
            one->redundancy = 0.7 - own;
            one->redundancyCi95 = {one->redundancy - 0.04, one->redundancy + 0.04};
            one->afterFinalNorm = stage == Stage::OutputSegment && layer == layers - 1;
            all.push_back(std::move(one));
        }
    }
    return all;
}

std::set<std::int64_t> firstLayers(std::int64_t count)
{
    std::set<std::int64_t> held;
    for (std::int64_t layer = 0; layer < count; ++layer)
        held.insert(layer);
    return held;
}

void keepPicture(QWidget& widget, const char* name)
{
    const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(folder + u'/' + QLatin1StringView(name) + QStringLiteral(".png"));
}

} // namespace

class TestLayersView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void emptyUntilACacheIsOpen()
    {
        LayersView view;
        view.resize(900, 700);
        view.setEmpty(QStringLiteral("No layers yet"), QStringLiteral("why"));
        view.show();
        QVERIFY(view.emptyState()->isVisible());
        view.setLayers(32, firstLayers(32));
        QVERIFY(!view.emptyState()->isVisible());
        QVERIFY(view.chart()->isVisible());
        QCOMPARE(view.lackText(), QString());
        view.setLayers(32, {});
        QVERIFY(view.emptyState()->isVisible());
    }

    void withoutAHeadOrSegmentItSaysSo()
    {
        LayersView view;
        view.show();
        view.setLayers(32, firstLayers(32));
        view.setAnyHead(false);
        const auto title = [&view] {
            QStringList titles;
            for (const EmptyState* state : view.findChildren<EmptyState*>())
                if (state->isVisible())
                    titles << state->title();
            return titles.join(u'|');
        };
        QCOMPARE(title(), QStringLiteral("No head selected"));
        view.setStage(Stage::ProjectedSegment);
        QCOMPARE(title(), QStringLiteral("No segment selected"));
    }

    void lackingLayersAreSaid()
    {
        LayersView view;
        view.show();
        view.setLayers(32, {31});
        QVERIFY(view.lackText().contains(QStringLiteral("31")));
        QSignalSpy wanted(&view, &LayersView::extractRequested);
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("layersExtract")), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        view.setLayers(32, {3, 4});
        QVERIFY(view.lackText().contains(QStringLiteral("2 of 32")));
    }

    void pointingAndGoing()
    {
        LayersView view;
        view.resize(900, 700);
        view.setLayers(30, firstLayers(30));
        view.setMeasures(sampleMeasures(30));
        view.setCurrent(LayerIndex(29));
        view.show();
        QVERIFY(!view.grab().isNull());
        PictureOf<LayersChart>& chart = *view.chart();
        std::int64_t gone = -1;
        connect(&view, &LayersView::layerChosen, this, [&gone](LayerIndex layer) { gone = layer.value(); });
        const QPoint place(static_cast<int>(chart.picture().curves().xOf(12)), 200);
        QTest::mouseMove(&chart, place);
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(12));
        QCOMPARE(chart.picture().linesOf(12).size(), 3);
        QVERIFY(chart.accessibleDescription().startsWith(QStringLiteral("Layer 12: stage 1, Probe accuracy ")));
        keepPicture(view, "layers_hover");
        QTest::mouseClick(&chart, Qt::LeftButton, {}, place);
        QCOMPARE(gone, 12);
        QTest::keyClick(&chart, Qt::Key_End);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(28));
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(gone, 28);
    }

    /// Every number stands beside its interval, the purity beside p, and the last point beside what it is.
    void linesSayIntervalsAndTheFinalNorm()
    {
        LayersView view;
        view.resize(900, 700);
        view.setLayers(30, firstLayers(30));
        view.setMeasures(sampleMeasures(30));
        view.show();
        QVERIFY(!view.grab().isNull());
        const QStringList first = view.chart()->picture().linesOf(0);
        for (const char* part :
             {"Topic purity 20.0% (95%: 15.0–26.0)", "Redundancy 0.70 (95%: 0.66–0.74)", "purity p 0.005"})
            QVERIFY2(first[0].contains(QString::fromUtf8(part)), qPrintable(first[0]));
        QVERIFY(!first[2].contains(QStringLiteral("final norm")));
        QVERIFY(view.chart()->picture().linesOf(29)[2].endsWith(QStringLiteral("after the final norm")));
        QTest::keyClick(view.chart(), Qt::Key_End);
        keepPicture(view, "layers_final_norm");
        // The largest share is no best layer where another's interval reaches into its own.
        auto alike = sampleMeasures(2);
        QVERIFY(!partingText(alike).contains(QStringLiteral("overlaps")));
        QVERIFY2(partingText(alike).contains(QStringLiteral(
                     "The difference is not tested, because all layers are measured on the same documents.")),
                 qPrintable(partingText(alike)));
        for (auto& each : alike)
        {
            auto wide = std::make_shared<LayerMeasures>(*each);
            wide->accuracyCi95.low -= 0.2;
            wide->accuracyCi95.high += 0.2;
            each = wide;
        }
        QVERIFY2(
            partingText(alike).contains(QStringLiteral("because all layers are measured on the same documents; layers "
                                                       "with an interval that overlaps that of the highest layer: 0.")),
            qPrintable(partingText(alike)));
        // Of which documents the shares are, and that offsets alone may make them large, at stage 1 too.
        for (const char* part : {"Measured on the 80\u00a0documents of the probe’s test set",
                                 "High accuracy may come from fixed offsets only"})
            QVERIFY2(partingText(alike).contains(QString::fromUtf8(part)), qPrintable(partingText(alike)));
    }

    void theSweepMarksTheFinalNorm()
    {
        SweepChart chart;
        std::vector<ProbeRow> rows;
        for (const std::int64_t layer : {29, 30, 31})
            rows.push_back({test::sampleProbe(Stage::OutputSegment, 0.5, layer), nullptr, {}});
        chart.setRows(rows, 32);
        QCOMPARE(chart.curveCount(), 1U);
        QVERIFY(!chart.key().contains(QStringLiteral("norm")));
        chart.setFinalNorm(31);
        QCOMPARE(chart.curveCount(), 2U);
        QVERIFY(chart.key().contains(QStringLiteral("final&nbsp;norm")));
    }

    void layersThatAreNotThereCannotBeChosen()
    {
        LayersView view;
        view.resize(700, 500);
        view.setLayers(12, {2, 9});
        view.show();
        QVERIFY(!view.grab().isNull());
        PictureOf<LayersChart>& chart = *view.chart();
        QSignalSpy chosen(&view, &LayersView::layerChosen);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(static_cast<int>(chart.picture().curves().xOf(5)), 200));
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(9));
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.pointed(), std::optional<std::size_t>(9)); // the last
    }

    void measureAndStop()
    {
        LayersView view;
        view.setLayers(12, {2, 9});
        view.show();
        QSignalSpy measure(&view, &LayersView::measureRequested);
        QSignalSpy stop(&view, &LayersView::stopRequested);
        QSignalSpy options(&view, &LayersView::optionsChanged);
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("layersMeasure")), Qt::LeftButton);
        QCOMPARE(measure.count(), 1);
        view.setRunning(true);
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("layersStop")), Qt::LeftButton);
        QCOMPARE(stop.count(), 1);
        view.findChild<QSpinBox*>(QStringLiteral("layersNeighbors"))->setValue(25);
        QCOMPARE(options.count(), 1);
        QCOMPARE(view.options().neighbors, 25);
    }

    void darkAsLight()
    {
        Theme::instance().setScheme(Theme::Scheme::Dark);
        LayersView view;
        view.resize(900, 700);
        view.setLayers(30, firstLayers(30));
        view.setMeasures(sampleMeasures(12));
        view.show();
        const QImage picture = view.chart()->grab().toImage();
        QCOMPARE(QColor(picture.pixel(2, 2)), Theme::instance().colors().canvas);
        keepPicture(view, "layers_dark");
        Theme::instance().setScheme(Theme::Scheme::Light);
        QVERIFY(QColor(view.chart()->grab().toImage().pixel(2, 2)) == Theme::instance().colors().canvas);
    }
};

HEADSCOPE_WINDOW_TEST(TestLayersView)
#include "tst_layers_view.moc"
