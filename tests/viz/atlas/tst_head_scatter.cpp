// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/head_scatter.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/atlas/head_sample.h"
#include "tests/viz/figure_text.h"
#include "viz/atlas/atlas_figure.h"
#include "viz/atlas/head_grid.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

using namespace headscope;
using namespace headscope::viz;

class TestHeadScatter : public QObject
{
    Q_OBJECT

private:
    ModelInfo m_info = test::modelOf(30, 9, 3);
    std::shared_ptr<const HeadMeasures> m_measures = test::sampleMeasures(30, 9);
    HeadPalette m_palette{3, 3};

    [[nodiscard]] HeadScatterLayout layout(const AtlasChoice& choice, QSizeF size = {900, 600}) const
    {
        return {headDots(*m_measures, choice, m_info, m_palette), QRectF(QPointF(), size), {}};
    }

private Q_SLOTS:
    void dotsAreAtTheirNumbers()
    {
        const HeadScatterLayout all = layout({"spread", "match", "", std::string(kColorByHead)});
        const HeadDots& dots = all.dots();
        QCOMPARE(dots.dots.size(), std::size_t{270});
        QCOMPARE(dots.all, std::int64_t{270});
        for (std::size_t dot = 0; dot < dots.dots.size(); ++dot)
        {
            const HeadPlace& head = dots.dots[dot].head;
            QCOMPARE(dots.dots[dot].x, m_measures->find("spread")->at(head.layer, head.head));
            QVERIFY(all.plot().contains(all.placeOf(dot)));
            QCOMPARE(dots.indexOf(head), std::optional(dot));
        }
        const auto right = std::ranges::max_element(dots.dots, {}, &HeadDot::x) - dots.dots.begin();
        for (std::size_t dot = 0; dot < dots.dots.size(); ++dot)
            QVERIFY(all.placeOf(dot).x() <= all.placeOf(static_cast<std::size_t>(right)).x());
        const auto top = std::ranges::max_element(dots.dots, {}, &HeadDot::y) - dots.dots.begin();
        for (std::size_t dot = 0; dot < dots.dots.size(); ++dot)
            QVERIFY(all.placeOf(dot).y() >= all.placeOf(static_cast<std::size_t>(top)).y()); // upwards
    }

    void headsWithoutANumberHaveNoDot()
    {
        auto some = std::make_shared<HeadMeasures>(*m_measures);
        for (HeadMeasure& measure : some->measures)
            if (measure.key == "match")
                measure.value(29, 3) = std::nan("");
        const HeadDots dots = headDots(*some, {"layer", "match", "", "spread"}, m_info, m_palette);
        QCOMPARE(dots.dots.size(), std::size_t{269});
        QVERIFY(!dots.indexOf({29, 3}));
        QVERIFY(headDots(*some, {"layer", "unheard_of", "", ""}, m_info, m_palette).dots.empty());
    }

    void extremesOfMeasuredAxesAreNamed()
    {
        const HeadScatterLayout all = layout({"layer", "match", "", "match"});
        const HeadDots& dots = all.dots();
        QVERIFY(!dots.extremes.empty() && dots.extremes.size() <= 6); // the layer has none
        const auto top =
            static_cast<std::size_t>(std::ranges::max_element(dots.dots, {}, &HeadDot::y) - dots.dots.begin());
        QVERIFY(std::ranges::find(dots.extremes, top) != dots.extremes.end());
        std::vector<QRectF> boxes;
        for (const std::size_t dot : dots.extremes)
            if (const QRectF box = all.nameOf(dot); !box.isEmpty())
            {
                QVERIFY(all.plot().contains(box));
                for (const QRectF& other : boxes)
                    QVERIFY(!other.intersects(box));
                boxes.push_back(box);
            }
        QVERIFY(!boxes.empty());
        QCOMPARE(shortName({29, 3}), QStringLiteral("29.4"));
    }

    /// Of few layers each has its tick, and an axis of numbers has more than one.
    void axesOfAColumnHaveTheirTicks()
    {
        auto some = std::make_shared<HeadMeasures>(*m_measures);
        for (HeadMeasure& measure : some->measures)
            for (std::int64_t layer = 0; layer < 30; ++layer)
                for (std::int64_t head = 0; head < 9; ++head)
                    if (layer % 10 != 9)
                        measure.value(layer, head) = std::nan("");
                    else if (measure.key == "spread")
                        measure.value(layer, head) = 2.6 + 0.22 * static_cast<double>(head + layer / 10); // to 5.2
        AtlasFigure figure;
        figure.shown = headDots(*some, {"layer", "spread", "", std::string(kColorByHead)}, m_info, m_palette);
        FigureOptions options;
        options.sizeInches = {inchesOfMm(77), 0};
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("a.svg")).toStdString();
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfAtlas(figure), file, options));
        const test::SvgWords svg = test::wordsOfSvg(file);
        for (const char* layer : {"9", "19", "29"})
            QVERIFY2(svg.has(QLatin1StringView(layer)), qPrintable(svg.words.join(u' ')));
        for (const char* none : {"10", "20"})
            QVERIFY2(!svg.has(QLatin1StringView(none)), qPrintable(svg.words.join(u' ')));
        const auto numbers = std::ranges::count_if(std::array{"2.5", "3", "3.5", "4", "4.5", "5"}, [&](const char* n) {
            return svg.has(QLatin1StringView(n)) || svg.has(QLatin1StringView(n) + QStringLiteral(".0"));
        });
        QVERIFY2(numbers >= 3, qPrintable(svg.words.join(u' ')));
    }

    /// A name that has no free place is left out rather than written over dots.
    void namesLieOnNoDots()
    {
        for (const QSizeF size : {QSizeF(218, 180), QSizeF(900, 600)})
        {
            const HeadScatterLayout all = layout({"spread", "match", "", std::string(kColorByHead)}, size);
            for (const std::size_t dot : all.dots().extremes)
                if (const QRectF box = all.nameOf(dot); !box.isEmpty())
                    for (std::size_t other = 0; other < all.dots().dots.size(); ++other)
                        QVERIFY(!box.contains(all.placeOf(other)));
        }
    }

    /// Two heads of nearly the same number: one hid the other, and the name of one stood at the other.
    void dotsOfALayerDoNotHideEachOther()
    {
        auto near = std::make_shared<HeadMeasures>(*test::sampleMeasures(3, 9));
        for (HeadMeasure& measure : near->measures)
            if (measure.key == "match")
                for (std::int64_t head = 0; head < 9; ++head)
                    measure.value(0, head) = head == 4   ? 0.1
                                             : head == 6 ? 0.1002
                                                         : 0.3 + 0.1 * static_cast<double>(head);
        const HeadDots dots = headDots(*near, {"layer", "match", "", ""}, test::modelOf(3, 9, 3), m_palette);
        const HeadScatterLayout all(dots, QRectF(0, 0, 700, 500), {});
        for (std::size_t one = 0; one < dots.dots.size(); ++one)
            for (std::size_t other = 0; other < one; ++other)
                if (dots.dots[one].x == dots.dots[other].x)
                {
                    const QPointF way = all.placeOf(one) - all.placeOf(other);
                    QVERIFY2(std::hypot(way.x(), way.y()) >= all.radiusOf(one) + all.radiusOf(other) - 0.01,
                             qPrintable(QStringLiteral("%1 %2").arg(one).arg(other)));
                }
        for (const std::size_t named : dots.extremes)
            for (std::size_t other = 0; other < dots.dots.size(); ++other)
            {
                const QRectF name = all.nameOf(named);
                const auto distance = [&name](QPointF at) {
                    return std::hypot(std::max({name.left() - at.x(), at.x() - name.right(), 0.0}),
                                      std::max({name.top() - at.y(), at.y() - name.bottom(), 0.0}));
                };
                if (!name.isEmpty() && other != named)
                    QVERIFY(distance(all.placeOf(other)) > distance(all.placeOf(named)));
            }
    }

    void sizesFollowTheirMeasure()
    {
        const HeadScatterLayout all = layout({"layer", "match", "mean_norm", "match"});
        const HeadDots& dots = all.dots();
        QCOMPARE(dots.sizeTitle, QStringLiteral("Norm"));
        for (std::size_t a = 0; a < dots.dots.size(); a += 7)
            for (std::size_t b = 0; b < dots.dots.size(); b += 11)
            {
                const double first = m_measures->find("mean_norm")->at(dots.dots[a].head.layer, dots.dots[a].head.head);
                const double second =
                    m_measures->find("mean_norm")->at(dots.dots[b].head.layer, dots.dots[b].head.head);
                if (first < second)
                    QVERIFY(all.radiusOf(a) <= all.radiusOf(b));
            }
    }

    void placesFindTheirDots()
    {
        const HeadScatterLayout all = layout({"spread", "match", "", "match"});
        int found = 0;
        for (std::size_t dot = 0; dot < all.dots().dots.size(); ++dot)
        {
            const auto at = all.dotAt(all.placeOf(dot));
            QVERIFY(at.has_value());
            const QPointF way = all.placeOf(*at) - all.placeOf(dot);
            QVERIFY(std::hypot(way.x(), way.y()) < 1e-6);
            found += at == dot ? 1 : 0;
        }
        QVERIFY(found > 260); // few lie at the very same place
        QVERIFY(!all.dotAt(all.plot().topLeft() - QPointF(30, 30)));
        const QRectF half(all.plot().topLeft(), QSizeF(all.plot().width() / 2, all.plot().height()));
        const auto inside = all.dotsIn(QPolygonF(half));
        for (std::size_t dot = 0; dot < all.dots().dots.size(); ++dot)
            QCOMPARE(std::ranges::binary_search(inside, dot), half.contains(all.placeOf(dot)));
    }

    void arrowsReachWhatLiesThere()
    {
        const HeadScatterLayout all = layout({"layer", "match", "", "match"});
        const std::size_t from = 130;
        for (const QPointF way : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, -1), QPointF(0, 1)})
            if (const auto next = all.dotBeside(from, way))
            {
                QVERIFY(*next != from);
                QVERIFY(QPointF::dotProduct(all.placeOf(*next) - all.placeOf(from), way) > 0);
            }
        QVERIFY(all.dotBeside(from, {1, 0}).has_value());
    }

    void coloursSayTheirMeasure()
    {
        const HeadColors byHead = headColors(*m_measures, kColorByHead, m_info, m_palette);
        QCOMPARE(byHead.colors[byHead.indexOf({5, 4})], m_palette.color(HeadIndex(4)).rgb());
        const auto& rows = std::get<HeadLegend>(byHead.legend.content).rows;
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[1].name, QStringLiteral("KV2"));
        const HeadColors match = headColors(*m_measures, "match", m_info, m_palette);
        QVERIFY(match.scale.has_value() && !match.scale->centre());
        QCOMPARE(match.colors[match.indexOf({5, 4})], match.scale->color(m_measures->find("match")->at(5, 4)));
        const HeadColors both = headColors(*m_measures, "cka_layer", m_info, m_palette);
        QCOMPARE(both.scale->centre(), std::optional(0.0)); // both signs
        const HeadColors pattern = headColors(*m_measures, "pattern", m_info, m_palette);
        const auto& entries = std::get<CategoryLegend>(pattern.legend.content).entries;
        QCOMPARE(entries.size(), std::size_t{3});
        std::int64_t heads = 0;
        for (const CategoryLegendEntry& entry : entries)
            heads += entry.count;
        QCOMPARE(heads, std::int64_t{270});
        QVERIFY(entries[0].name.contains(QStringLiteral("First token")));
    }

    void gridHasACellForEachHead()
    {
        const HeadGridLayout grid(headGrid(*m_measures, "match", {}, m_info, m_palette), QRectF(0, 0, 700, 600), {});
        for (std::int64_t layer = 0; layer < 30; ++layer)
            for (std::int64_t head = 0; head < 9; ++head)
            {
                const QRectF cell = grid.rectOf({layer, head});
                QVERIFY(grid.cells().adjusted(-1, -1, 1, 1).contains(cell));
                QCOMPARE(grid.headAt(cell.center()), std::optional(HeadPlace{layer, head}));
            }
        QVERIFY(!grid.headAt({0, 0}));
        QVERIFY(grid.rectOf({1, 0}).top() > grid.rectOf({0, 0}).top()); // layer 0 is at the top
        QCOMPARE(grid.headBeside({0, 0}, 1, 0), (HeadPlace{0, 1}));
        QCOMPARE(grid.headBeside({0, 0}, -1, -1), (HeadPlace{0, 0}));
        QCOMPARE(grid.headBeside({29, 8}, 1, 1), (HeadPlace{29, 8}));
        QCOMPARE(grid.headsIn(QPolygonF(grid.rectOf({3, 2}))), (std::vector<HeadPlace>{{3, 2}}));
    }

    void orderPutsSimilarHeadsBesideEachOther()
    {
        std::vector<std::int64_t> ranks(270);
        for (std::size_t i = 0; i < ranks.size(); ++i)
            ranks[i] = 269 - static_cast<std::int64_t>(i); // the last head first
        ranks[8] = -1;                                     // no pattern: last
        const HeadGridLayout grid(headGrid(*m_measures, "match", ranks, m_info, m_palette), QRectF(0, 0, 700, 600), {});
        QVERIFY(grid.rectOf({1, 8}).left() < grid.rectOf({1, 0}).left());
        QVERIFY(grid.rectOf({0, 7}).left() < grid.rectOf({0, 8}).left());
        QCOMPARE(grid.headAt(grid.rectOf({1, 8}).center()), std::optional(HeadPlace{1, 8}));
        QCOMPARE(grid.headBeside({1, 8}, 1, 0), (HeadPlace{1, 7}));
    }

    void figuresAreWritten_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::newRow("pdf") << QStringLiteral("pdf");
        QTest::newRow("svg") << QStringLiteral("svg");
        QTest::newRow("png") << QStringLiteral("png");
    }

    void figuresAreWritten()
    {
        QFETCH(QString, ending);
        const QTemporaryDir folder;
        FigureOptions options;
        options.caption = QStringLiteral("Heads of sample-model.");
        HeadMarks marks;
        marks.hovered = HeadPlace{2, 2};
        marks.chosen = {{29, 3}};
        for (const bool grid : {false, true})
        {
            AtlasFigure figure{{}, marks};
            if (grid)
                figure.shown = headGrid(*m_measures, "match", {}, m_info, m_palette);
            else
                figure.shown = headDots(*m_measures, {"layer", "match", "mean_norm", "spread"}, m_info, m_palette);
            const QString path = folder.filePath((grid ? QStringLiteral("grid.") : QStringLiteral("dots.")) + ending);
            HEADSCOPE_VERIFY_OK(writeFigure(figureOfAtlas(figure), path.toStdString(), options));
            QVERIFY(QFile(path).size() > 2000);
            if (const QString keep = qEnvironmentVariable("HEADSCOPE_PICTURES"); !keep.isEmpty())
            {
                const QString kept =
                    keep + (grid ? QStringLiteral("/atlas-figure-grid.") : QStringLiteral("/atlas-figure-dots.")) +
                    ending;
                QFile::remove(kept);
                QFile::copy(path, kept);
            }
        }
        HEADSCOPE_VERIFY_ERROR(
            writeFigure(figureOfAtlas({}), folder.filePath(QStringLiteral("none.pdf")).toStdString(), options),
            ErrorCode::InvalidArgument, "no head has a value");
    }

    void aThousandHeadsArePaintedQuickly()
    {
        const ModelInfo info = test::modelOf(32, 32, 8);
        const auto measures = test::sampleMeasures(32, 32);
        const HeadPalette palette(8, 4);
        QImage image(900, 700, QImage::Format_RGB32);
        QPainter painter(&image);
        QElapsedTimer timer;
        timer.start();
        const HeadScatterLayout dots(
            headDots(*measures, {"spread", "match", "mean_norm", "first_token"}, info, palette), QRectF(image.rect()),
            {});
        const auto laidOut = timer.restart();
        constexpr int kFrames = 10;
        for (int i = 0; i < kFrames; ++i)
            dots.paint(painter, {});
        const auto frames = timer.restart();
        const HeadGridLayout grid(headGrid(*measures, "match", {}, info, palette), QRectF(image.rect()), {});
        for (int i = 0; i < kFrames; ++i)
            grid.paint(painter, {});
        qInfo("1,024 heads: laid out in %lld ms, a frame of dots %.1f ms, of the grid %.1f ms", laidOut,
              static_cast<double>(frames) / kFrames, static_cast<double>(timer.elapsed()) / kFrames);
        QCOMPARE(dots.dots().dots.size(), std::size_t{1024});
    }
};

HEADSCOPE_TEST(TestHeadScatter)
#include "tst_head_scatter.moc"
