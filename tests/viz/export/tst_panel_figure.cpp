// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/panels/panel_figure.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/drawn_figure.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_values.h"
#include "viz/axis/text.h"
#include "viz/export/heatmap_figures.h"
#include "viz/export/panels/map_inset.h"

#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <memory>
#include <utility>
#include <vector>

using namespace headscope;
using namespace headscope::viz;
using headscope::test::wordsOfSvg;

/// Several figures as panels of one, and what is written or enlarged on top of figures.
class TestPanelFigure : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path path(const QString& name) const { return m_folder.filePath(name).toStdString(); }

    static FigureOptions wide(double mm)
    {
        FigureOptions options;
        options.sizeInches = {inchesOfMm(mm), 0};
        options.overwrite = true;
        return options;
    }

    static Legend headLegend(const QString& title, const QString& name, QRgb color)
    {
        Legend legend;
        legend.title = title;
        HeadLegendRow row;
        row.name = name;
        row.range = QStringLiteral("1-2");
        row.colors = {color, 0xff00ff00};
        row.shapes = {MarkerShape::Circle, MarkerShape::Square};
        legend.content = HeadLegend{{row}};
        return legend;
    }

    /// A panel that writes its name, and another one without its legend.
    static FigureSpec panel(const QString& name, const Legend& legend)
    {
        const auto drawing = [](const QString& word) -> Drawing {
            return [word](QPainter& painter, const QRectF& box, double) {
                drawLine(painter, {box.left(), box.top(), box.width(), 12}, word, textFont(8), Qt::black);
            };
        };
        return {drawing(name), paper(80, QStringLiteral("All of %1.").arg(name)),
                SharedLegend{legend, {}, drawing(name + QStringLiteral("-bare")), 60}};
    }

    /// Of a panel that is so high, in points.
    static FigureOptions paper(double height, const QString& caption)
    {
        FigureOptions options = wide(77);
        followContent(options, height);
        options.caption = caption;
        return options;
    }

private Q_SLOTS:
    void columnsThatFit_data()
    {
        QTest::addColumn<int>("panels");
        QTest::addColumn<double>("mm");
        QTest::addColumn<int>("columns");
        QTest::newRow("one") << 1 << 160.0 << 1;
        QTest::newRow("three on a page") << 3 << 160.0 << 3;
        QTest::newRow("four leave no gap") << 4 << 160.0 << 2;
        QTest::newRow("five") << 5 << 160.0 << 3;
        QTest::newRow("a column") << 3 << 77.0 << 1;
        QTest::newRow("twelve") << 12 << 171.45 << 3;
    }
    void columnsThatFit()
    {
        QFETCH(int, panels);
        QFETCH(double, mm);
        QFETCH(int, columns);
        QCOMPARE(fittingColumns(panels, wide(mm)), columns);
        FigureOptions one = wide(mm);
        one.sizeInches.setWidth(panelInches(columns, one));
        const double all = columns * contentWidth(one) + (columns - 1) * 12;
        QVERIFY(std::abs(all - contentWidth(wide(mm))) < 1e-9);
    }

    void everyPanelHasItsPlaceAndLetter()
    {
        std::vector<QRectF> boxes(3);
        std::vector<FigureSpec> panels;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            panels.push_back({[&boxes, i](QPainter&, const QRectF& box, double) { boxes[i] = box; },
                              paper(40 + 30 * static_cast<double>(i), QStringLiteral("Caption %1.").arg(i))});
        const FigureOptions options = wide(160);
        const auto written = writeFigure(figureOfPanels(panels, {2}), path(QStringLiteral("p.svg")), options);
        HEADSCOPE_VERIFY_OK(written);
        QCOMPARE(boxes[0].top(), boxes[1].top()); // one line, whatever their heights
        QVERIFY(boxes[0].right() < boxes[1].left());
        QCOMPARE(boxes[2].left(), boxes[0].left());
        QVERIFY(boxes[2].top() >= boxes[1].bottom());
        QCOMPARE(boxes[1].height(), 70.0);
        QCOMPARE(written->caption, QStringLiteral("(a) Caption 0. (b) Caption 1. (c) Caption 2."));
        const auto svg = wordsOfSvg(path(QStringLiteral("p.svg")));
        for (const char* letter : {"(a)", "(b)", "(c)"})
            QVERIFY(svg.has(QString::fromLatin1(letter)));
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfPanels(panels, {2, PanelLetters::Plain}), path(QStringLiteral("p.svg")), options));
        QVERIFY(wordsOfSvg(path(QStringLiteral("p.svg"))).has(QStringLiteral("b")));
        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfPanels(panels, {2, PanelLetters::None}), path(QStringLiteral("p.svg")), options));
        QVERIFY(wordsOfSvg(path(QStringLiteral("p.svg"))).words.isEmpty());
        QVERIFY(!writeFigure(figureOfPanels({}, {}), path(QStringLiteral("p.svg")), options));
    }

    void oneLegendWhereAllAreAlike()
    {
        const Legend heads = headLegend(QStringLiteral("Head"), QStringLiteral("KV1"), 0xffff0000);
        const Legend segments = headLegend(QStringLiteral("Segment"), {}, 0xffff0000);
        const Legend others = headLegend(QStringLiteral("Head"), QStringLiteral("KV1"), 0xff0000ff);
        const auto wordsWith = [this](const Legend& second, bool share) {
            const std::vector<FigureSpec> panels = {
                panel(QStringLiteral("one"), headLegend(QStringLiteral("Head"), QStringLiteral("KV1"), 0xffff0000)),
                panel(QStringLiteral("two"), second)};
            const PanelStyle style{2, PanelLetters::None, share};
            if (!writeFigure(figureOfPanels(panels, style), path(QStringLiteral("l.svg")), wide(160)))
                return QStringList();
            return wordsOfSvg(path(QStringLiteral("l.svg"))).words;
        };
        const QStringList same = wordsWith(heads, true);
        QVERIFY(same.contains(QStringLiteral("one-bare")) && same.contains(QStringLiteral("two-bare")));
        QCOMPARE(same.count(QStringLiteral("Head")), 1);
        QVERIFY(same.contains(QStringLiteral("KV1")));
        // Segments have the colours of heads, and no KV groups.
        const QStringList both = wordsWith(segments, true);
        QVERIFY(both.contains(QStringLiteral("Head / Segment")) && !both.contains(QStringLiteral("KV1")));
        for (const QStringList& apart : {wordsWith(others, true), wordsWith(heads, false)})
            QVERIFY(apart.contains(QStringLiteral("one")) && !apart.contains(QStringLiteral("one-bare")));
    }

    /// A panel is what its figure draws, with what was written onto it.
    void panelsKeepTheirAnnotations()
    {
        FigureOptions options = wide(77);
        followContent(options, 50);
        options.annotations = {{Annotation::Kind::Label, {{0.5, 0.5}}, {}, QStringLiteral("here")}};
        const auto spec = specOf(test::drawnFigure([](QPainter&, const QRectF&, double) {}), options);
        HEADSCOPE_VERIFY_OK(spec);
        QVERIFY(spec->options.annotations.empty()); // they are drawn once
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfPanels({*spec, *spec}, {2}), path(QStringLiteral("n.svg")), wide(160)));
        QCOMPARE(wordsOfSvg(path(QStringLiteral("n.svg"))).words.count(QStringLiteral("here")), 2);
    }

    /// Heatmaps as a window shows them do without their colour bars where one stands for all; without a scale of their
    /// own, and with other limits, each keeps its own.
    void heatmapsOfAWindowShareTheirBar()
    {
        const ModelInfo info = test::sampleModel(8, 2);
        const auto wordsWith = [&](ScaleLimits first, ScaleLimits second, const QString& name) {
            std::vector<FigureSpec> drawn;
            for (const ScaleLimits& limits : {first, second})
            {
                auto panel = std::make_shared<HeatmapPanel>();
                panel->heatmap = std::make_shared<const Heatmap>(test::sampleHeatmap(8, 3, 20));
                HeatmapFigure figure;
                figure.scale = ScaleChoice{.limits = limits, .centre = 0};
                FigureOptions options = wide(160);
                options.sizeInches = {3, 0};
                auto spec = specOf(figureOfHeatmapPanels({panel}, info, figure), options);
                if (!spec)
                    return QStringList(QString::fromStdString(spec.error().message));
                drawn.push_back(std::move(*spec));
            }
            const auto written =
                writeFigure(figureOfPanels(drawn, {2, PanelLetters::Parentheses, true}), path(name), wide(160));
            return written ? wordsOfSvg(path(name)).words
                           : QStringList(QString::fromStdString(written.error().message));
        };
        const QStringList shared = wordsWith({-1, 1}, {-1, 1}, QStringLiteral("shared.svg"));
        QVERIFY2(shared.contains(QStringLiteral("Cosine")) && !shared.contains(QStringLiteral("cosine")),
                 qPrintable(shared.join(u'|')));
        const QStringList own = wordsWith({-1, 1}, {-0.5, 0.5}, QStringLiteral("own.svg"));
        QVERIFY2(own.count(QStringLiteral("cosine")) == 2 && !own.contains(QStringLiteral("Cosine")),
                 qPrintable(own.join(u'|')));
    }

    void annotations()
    {
        const Drawing drawing = [](QPainter&, const QRectF&, double) {};
        FigureOptions options = wide(100);
        followContent(options, 120);
        const QString hostile = QStringLiteral("a<b & \u0645\u0631\u062d\u0628\u0627 %");
        options.annotations = {{Annotation::Kind::Label, {{0.5, 0.5}}, {}, hostile},
                               {Annotation::Kind::Arrow, {{0, 0}}, {{1, 1}}, QStringLiteral("from the corner")},
                               {Annotation::Kind::Box, {{0.2, 0.9}}, {{0.1, 0.1}}, {}}};
        HEADSCOPE_VERIFY_OK(writeFigure(test::drawnFigure(drawing), path(QStringLiteral("a.svg")), options));
        const auto svg = wordsOfSvg(path(QStringLiteral("a.svg")));
        // Pieces of either direction are texts of their own.
        for (const QString& piece : {QStringLiteral("a<b &"), QStringLiteral("\u0645\u0631\u062d\u0628\u0627")})
            QVERIFY2(svg.has(piece), qPrintable(svg.words.join(u'|')));
        QVERIFY(svg.has(QStringLiteral("from the corner")));
        for (const Annotation& outside :
             {Annotation{Annotation::Kind::Label, {{1.2, 0.5}}, {}, QStringLiteral("out")},
              Annotation{Annotation::Kind::Arrow, {{0.5, 0.5}}, {{0.5, -0.1}}, QStringLiteral("out")},
              Annotation{Annotation::Kind::Label, {{3, 4}, true}, {}, QStringLiteral("out")}})
        {
            options.annotations = {outside};
            const auto refused = writeFigure(test::drawnFigure(drawing), path(QStringLiteral("out.svg")), options);
            QVERIFY(!refused && refused.error().message.find("\"out\"") != std::string::npos);
        }
        QVERIFY(!std::filesystem::exists(path(QStringLiteral("out.svg"))));
    }

    /// The inset stands where it hides the fewest points, and says how many.
    void insetsHideLittle()
    {
        // Three corners are full, the fourth holds one point; what is shown lies in the middle.
        std::vector<float> xy;
        for (int i = 0; i < 30; ++i)
            for (const std::array corner : {std::array{0.F, 0.F}, std::array{90.F, 0.F}, std::array{0.F, 90.F}})
                xy.insert(xy.end(), {corner[0] + static_cast<float>(i % 6), corner[1] + static_cast<float>(i) / 6});
        xy.insert(xy.end(), {95.F, 95.F, 50.F, 50.F, 52.F, 51.F});
        ScatterData data;
        data.xy = xy;
        const QRectF canvas(10, 20, 300, 300);
        const MapLayer layer(data, ScatterMode::Dots, {}, canvas.size());
        const MapInset inset{QRectF(48, 48, 6, 5), QStringLiteral("heads 2")};
        const PlacedInset place = placeInset(inset, layer, canvas);
        QCOMPARE(place.corner, QStringLiteral("top right")); // large y is above
        QCOMPARE(place.hidden, 1);
        QCOMPARE(place.shown, 2);
        QVERIFY(place.times > 2 && canvas.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(place.box));
        QVERIFY(canvas.contains(place.part) && !place.box.intersects(place.part));
        QVERIFY(insetSentence(inset, place, 93).contains(QStringLiteral("it covers 1 of the map\u2019s 93 points")));
    }
};

HEADSCOPE_TEST(TestPanelFigure)
#include "tst_panel_figure.moc"
