// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/layer_curves.h"

#include "tests/support/test_program.h"
#include "viz/chart/layer_bands.h"
#include "viz/color/stage_colors.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::viz;

namespace
{

std::shared_ptr<const LayerMeasures> measured(std::int64_t layer, Stage stage, double accuracy, double purity,
                                              double redundancy)
{
    auto measures = std::make_shared<LayerMeasures>();
    measures->layer = LayerIndex(layer);
    measures->stage = stage;
    measures->heads = 9;
    measures->accuracy = accuracy;
    measures->accuracyCi95.low = accuracy - 0.02;
    measures->accuracyCi95.high = accuracy + 0.02;
    measures->accuracyChance = 1.0 / 9;
    measures->purity = purity;
    measures->purityChance = 0.1;
    measures->redundancy = redundancy;
    return measures;
}

QImage painted(const LayerCurvesLayout& layout, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    layout.paint(painter);
    painter.end();
    return image;
}

/// Whether a colour is found within a few pixels of a place.
bool colorNear(const QImage& image, QPointF place, const QColor& color, int reach = 2)
{
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
        {
            const QPoint at = place.toPoint() + QPoint(x, y);
            if (image.rect().contains(at) && QColor(image.pixel(at)) == color)
                return true;
        }
    return false;
}

} // namespace

class TestLayerCurves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Where the curves are many or the box is narrow, the key takes more lines and the plots less.
    void theKeyWraps()
    {
        LayerBand band;
        band.title = QStringLiteral("Probe accuracy");
        band.chance = 0.1;
        for (int i = 0; i < 6; ++i)
        {
            LayerCurve curve;
            curve.name = QStringLiteral("stage %1, labels permuted").arg(i);
            curve.color = QColor(Qt::magenta);
            curve.points = {{0, 0.5, 0.5, 0.5}};
            band.curves.push_back(curve);
        }
        LayerAxis axis;
        axis.layers = 2;
        const LayerCurvesLayout wide({band}, axis, QRectF(0, 0, 2000, 300), {});
        const LayerCurvesLayout narrow({band}, axis, QRectF(0, 0, 420, 300), {});
        QVERIFY(narrow.plotOf(0).top() > wide.plotOf(0).top() + 20);
        QVERIFY(narrow.plotOf(0).height() > 50);
        // All six marks of the key stand in the picture, above the plot.
        const QImage image = painted(narrow, {420, 300});
        int lines = 0;
        for (int y = 0, inside = 0; y < int(narrow.plotOf(0).top()) - 8; ++y)
        {
            bool ink = false;
            for (int x = 0; x < image.width(); ++x)
                ink = ink || QColor(image.pixel(x, y)) == QColor(Qt::magenta);
            lines += ink && inside == 0 ? 1 : 0;
            inside = ink ? 1 : 0;
        }
        QVERIFY2(lines >= 3, qPrintable(QString::number(lines)));
    }

    void bandsOfMeasures()
    {
        const double none = std::nan("");
        const std::vector<std::shared_ptr<const LayerMeasures>> measures = {
            measured(7, Stage::OutputSegment, 0.9, none, 0.4), measured(3, Stage::OutputSegment, 0.5, none, 0.6),
            measured(3, Stage::HeadOutput, 0.3, none, none)};
        const auto bands = layerBands(measures, InkTheme::Light);
        QCOMPARE(bands.size(), std::size_t{3});
        QCOMPARE(bands[0].curves.size(), std::size_t{2});
        const LayerCurve& third = bands[0].curves[1];
        QCOMPARE(third.points.size(), std::size_t{2});
        QCOMPARE(third.points[0].layer, 3); // ascending, however they came
        QCOMPARE(third.points[0].value, 0.5);
        QCOMPARE(third.points[1].high, 0.92);
        QCOMPARE(*bands[0].chance, 1.0 / 9);
        QVERIFY(bands[1].curves[0].points.empty() && bands[1].curves[1].points.empty());
        QVERIFY(!bands[1].missing.isEmpty());
        QCOMPARE(bands[2].curves[0].points.size(), std::size_t{0});
        QVERIFY(!bands[2].chance.has_value());
    }

    void bandOfProbesHasItsControls()
    {
        std::vector<std::shared_ptr<const ProbeResult>> results;
        std::vector<std::shared_ptr<const ProbeResult>> controls;
        for (const std::int64_t layer : {2, 1})
        {
            auto result = std::make_shared<ProbeResult>();
            result->layer = layer;
            result->stage = Stage::HeadOutput;
            result->classes = 4;
            result->accuracy = 0.5;
            results.push_back(result);
            auto control = std::make_shared<ProbeResult>(*result);
            control->accuracy = 0.25;
            controls.push_back(control);
        }
        const LayerBand band = probeBand(results, controls, InkTheme::Light);
        QCOMPARE(band.curves.size(), std::size_t{2});
        QVERIFY(!band.curves[0].dashed && band.curves[1].dashed);
        QVERIFY(band.curves[0].name != band.curves[1].name);
        QCOMPARE(band.curves[1].points[0].layer, 1);
        QCOMPARE(*band.chance, 0.25);
    }

    void placesAndLayers()
    {
        const LayerAxis axis{30, {0, 10, 29}, 10};
        const LayerCurvesLayout layout(layerBands({}, InkTheme::Light), axis, QRectF(10, 10, 600, 400), {});
        for (std::int64_t layer = 0; layer < 30; ++layer)
            QCOMPARE(layout.layerAt({layout.xOf(layer), 200.0}).value_or(-1), layer);
        QVERIFY(!layout.layerAt({2, 200}).has_value());
        QVERIFY(!layout.layerAt({300, 5}).has_value());
        QCOMPARE(layout.placeOf(0, {4, 1.0}).y(), layout.plotOf(0).top());
        QCOMPARE(layout.placeOf(0, {4, 0.0}).y(), layout.plotOf(0).bottom());
        QVERIFY(layout.plotOf(0).bottom() < layout.plotOf(1).top());
        QVERIFY(layout.plotOf(2).bottom() < layout.strip().top());
    }

    void pointsStandWhereTheirNumbersSay()
    {
        const std::vector<std::shared_ptr<const LayerMeasures>> measures = {
            measured(0, Stage::HeadOutput, 0.25, 0.9, 0.5), measured(1, Stage::HeadOutput, 0.75, 0.1, 0.5)};
        const LayerAxis axis{4, {0, 1, 3}, {}};
        const LayerCurvesLayout layout(layerBands(measures, InkTheme::Light), axis, QRectF(0, 0, 400, 420), {});
        const QImage image = painted(layout, {400, 420});
        const QColor color = stageColor(Stage::HeadOutput, InkTheme::Light);
        QVERIFY(colorNear(image, layout.placeOf(0, {0, 0.25}), color));
        QVERIFY(colorNear(image, layout.placeOf(0, {1, 0.75}), color));
        QVERIFY(colorNear(image, layout.placeOf(1, {1, 0.1}), color));
        QVERIFY(!colorNear(image, layout.placeOf(0, {3, 0.75}), color)); // not measured
        // The two are joined, as no layer of the cache lies between them.
        QVERIFY(colorNear(image, (layout.placeOf(0, {0, 0.25}) + layout.placeOf(0, {1, 0.75})) / 2, color));
    }

    /// Stage 3 of a decoder's last layer stands after the final norm: no line joins it, and the key says why.
    void pointAfterTheFinalNormStandsApart()
    {
        const auto last = std::make_shared<LayerMeasures>(*measured(1, Stage::OutputSegment, 0.75, 0.1, 0.5));
        last->afterFinalNorm = true;
        last->redundancyCi95 = {0.4, 0.6};
        last->purityCi95 = {0.05, 0.2};
        const std::vector<std::shared_ptr<const LayerMeasures>> measures = {
            measured(0, Stage::OutputSegment, 0.25, 0.9, 0.5), last};
        const LayerAxis axis{2, {0, 1}, {}};
        const auto bands = layerBands(measures, InkTheme::Light);
        QVERIFY(bands[0].curves[0].points[1].apart && !bands[0].curves[0].points[0].apart);
        QCOMPARE(bands[1].curves[0].points[1].high, 0.2); // whiskers of purity and redundancy
        QCOMPARE(bands[2].curves[0].points[1].low, 0.4);
        const LayerCurvesLayout layout(bands, axis, QRectF(0, 0, 400, 420), {});
        const QImage image = painted(layout, {400, 420});
        const QColor color = stageColor(Stage::OutputSegment, InkTheme::Light);
        QVERIFY(!colorNear(image, (layout.placeOf(0, {0, 0.25}) + layout.placeOf(0, {1, 0.75})) / 2, color));
        QCOMPARE(QColor(image.pixel(layout.placeOf(0, {1, 0.75}).toPoint())), inks(InkTheme::Light).background);
    }

    void unmeasuredLayersBreakTheLine()
    {
        const std::vector<std::shared_ptr<const LayerMeasures>> measures = {
            measured(0, Stage::HeadOutput, 0.2, 0.9, 0.5), measured(2, Stage::HeadOutput, 0.8, 0.1, 0.5)};
        const LayerAxis axis{3, {0, 1, 2}, {}};
        const LayerCurvesLayout layout(layerBands(measures, InkTheme::Light), axis, QRectF(0, 0, 400, 420), {});
        const QImage image = painted(layout, {400, 420});
        QVERIFY(!colorNear(image, (layout.placeOf(0, {0, 0.2}) + layout.placeOf(0, {2, 0.8})) / 2,
                           stageColor(Stage::HeadOutput, InkTheme::Light)));
    }

    void heldLayersStandTall()
    {
        const LayerAxis axis{8, {2, 5}, 5};
        const LayerCurvesLayout layout(layerBands({}, InkTheme::Light), axis, QRectF(0, 0, 400, 300), {});
        const QImage image = painted(layout, {400, 300});
        const auto at = [&](std::int64_t layer) {
            return QColor(image.pixel(QPointF(layout.xOf(layer), layout.strip().top() + 3).toPoint()));
        };
        QCOMPARE(at(2), inks(InkTheme::Light).secondary);
        QCOMPARE(at(5), inks(InkTheme::Light).accent);
        QCOMPARE(at(3), QColor(Qt::white));
    }

    void nothingIsNothing()
    {
        QImage image = painted(LayerCurvesLayout(), {50, 50});
        QCOMPARE(image.pixel(20, 20), qRgb(255, 255, 255));
        QVERIFY(!LayerCurvesLayout().layerAt({5, 5}).has_value());
        // No room at all.
        painted(LayerCurvesLayout(layerBands({}, InkTheme::Light), {4, {0}, 0}, QRectF(0, 0, 20, 10), {}), {20, 10});
    }
};

HEADSCOPE_TEST(TestLayerCurves)
#include "tst_layer_curves.moc"
