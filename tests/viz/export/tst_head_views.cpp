// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/head_views.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/figure_text.h"
#include "tests/viz/sample_values.h"
#include "viz/export/noise_floor_text.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <memory>

using namespace headscope;
using namespace headscope::viz;
using headscope::test::wordsOfSvg;

class TestHeadViews : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    ModelInfo m_info = test::sampleModel(8, 2);
    HeadMap m_map = test::sampleMap(40, 8);

    std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QLatin1StringView(name)).toStdString();
    }

    MapFigure figure() const
    {
        MapFigure figure;
        figure.coloring = colorByHead(*m_map.points, HeadPalette(m_info), QStringLiteral("head"));
        return figure;
    }

private Q_SLOTS:
    void init() { m_map.stage = Stage::HeadOutput; }

    void aZoomShowsItsHeadsAndNoOther()
    {
        const std::vector<std::int64_t> heads = {1, 2};
        const auto shown = headsOfMap(m_map, heads);
        HEADSCOPE_VERIFY_OK(shown);
        for (std::int64_t i = 0; i < m_map.xy.rows(); ++i)
        {
            const auto head = m_map.points->headOf(i).value();
            const bool wanted = head == 1 || head == 2;
            QCOMPARE(shown->states[static_cast<std::size_t>(i)], wanted ? PointState::Shown : PointState::Hidden);
            if (wanted)
                QVERIFY(
                    shown->window.contains(static_cast<double>(m_map.xy(i, 0)), static_cast<double>(m_map.xy(i, 1))));
        }
        QVERIFY(shown->window.width() < 0.9 * dataBounds(m_map.xy.values())->width());
        QCOMPARE(shown->note, QStringLiteral("Shown: heads 2–3, a zoom of the map of all 8 heads."));

        HEADSCOPE_VERIFY_OK(writeFigure(
            figureOfHeadsOnMap(std::make_shared<const HeadMap>(m_map), m_info, figure(), heads), path("zoom.svg"), {}));
        const auto svg = wordsOfSvg(path("zoom.svg"));
        QVERIFY(svg.about.contains(shown->note));
        QVERIFY(svg.has(QStringLiteral("2–3")));
        QVERIFY(!svg.has(QStringLiteral("KV2"))); // the legend has no head that is not there
    }

    void whatIsNotOnTheMapIsRefused()
    {
        QCOMPARE(headsOfMap(m_map, std::vector<std::int64_t>{8}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(headsOfMap(m_map, {}).error().code, ErrorCode::InvalidArgument);
        HeadMap broken = m_map;
        for (std::int64_t i = 0; i < broken.xy.rows(); ++i)
            if (broken.points->headOf(i).value() == 3)
                broken.xy(i, 0) = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(headsOfMap(broken, std::vector<std::int64_t>{3}).error().message.find("found 4") != std::string::npos);
        HEADSCOPE_VERIFY_OK(headsOfMap(broken, std::vector<std::int64_t>{2}));
        HeadMap plain = m_map;
        plain.points = nullptr;
        QCOMPARE(headsOfMap(plain, std::vector<std::int64_t>{1}).error().code, ErrorCode::InvalidArgument);
    }

    void aPanelHasTheColourOfItsHeadAlone()
    {
        const std::vector<std::int64_t> heads = {0, 1, 4, 5};
        FigureOptions options;
        options.dpi = 100;
        MapFigure bare = figure();
        bare.legend = false;
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfHeadPanels(std::make_shared<const HeadMap>(m_map), m_info, bare, heads),
                                        path("panels.png"), options));
        const QImage image(QString::fromStdString(path("panels.png").string()));
        // Two panels in two lines: hues of KV1 above, of KV2 below.
        const auto hues = [&](const QRect& part, int head) {
            const int hue = HeadPalette(m_info).color(HeadIndex(head)).hsvHue();
            int found = 0;
            for (int y = part.top(); y <= part.bottom(); ++y)
                for (int x = part.left(); x <= part.right(); ++x)
                {
                    const QColor color(image.pixel(x, y));
                    found += color.hsvSaturation() > 80 && std::abs(color.hsvHue() - hue) < 8 ? 1 : 0;
                }
            return found;
        };
        const QRect above(0, 0, image.width(), image.height() / 2);
        const QRect below(0, image.height() / 2, image.width(), image.height() / 2);
        QVERIFY(hues(above, 0) > 20);
        QCOMPARE(hues(above, 4), 0);
        QVERIFY(hues(below, 4) > 20);
        QCOMPARE(hues(below, 0), 0);

        HEADSCOPE_VERIFY_OK(
            writeFigure(figureOfHeadPanels(std::make_shared<const HeadMap>(m_map), m_info, figure(), heads),
                        path("panels.svg"), options));
        const auto svg = wordsOfSvg(path("panels.svg"));
        for (const char* word : {"Head 1", "Head 2", "Head 5", "Head 6", "KV1", "KV2"})
            QVERIFY2(svg.has(QLatin1StringView(word)), word);
        QVERIFY(svg.about.contains(QStringLiteral("One panel per head, all with the same axes.")));
    }

    void theFloorInWords()
    {
        HeadMap map = m_map;
        QVERIFY(mapCaption(map, m_info)
                    .endsWith(QStringLiteral("Do not interpret sizes of clusters or distances between clusters.")));
        MapFigure drawn = figure();
        drawn.pooling = "last";
        drawn.coloring.legend.title = QStringLiteral("Topic");
        QCOMPARE(figureSentences(drawn), QStringLiteral(" Colour: Topic. Pooling of tokens: last."));
        drawn.mode = ScatterMode::Density;
        drawn.pooling.clear();
        QCOMPARE(figureSentences(drawn), QString());
        NoiseFloor floor;
        floor.mean = {10, 0.472, 0.519};
        floor.leastKept = 0.47;
        floor.mostKept = 0.475;
        floor.twins = 1;
        floor.noise = 1e-4;
        map.floor = floor;
        QVERIFY2(
            mapCaption(map, m_info)
                .endsWith(QStringLiteral("Noise floor (one noise replicate): a map of the same vectors with "
                                         "Gaussian noise of 1e-4 of each vector's root mean square preserves 47% "
                                         "of the 10 nearest neighbours (chance: unrelated maps share %1%), r 0.52.")
                              .arg(100 * chanceKept(10, map.xy.rows()), 0, 'f', 1)),
            qPrintable(mapCaption(map, m_info)));
        QCOMPARE(agreementWords(floor.mean), QStringLiteral("47% of neighbours preserved (r 0.52)"));
        QCOMPARE(floorWords(floor), QStringLiteral("same data with 1e-4 noise: 47% (r 0.52)"));
        MapOfSet cell{map, 0.9};
        QCOMPARE(othersWords(cell), QString());
        cell.others = MapAgreement{10, 0.25, 0.351};
        QCOMPARE(othersWords(cell), QStringLiteral("25 / 47% · 1 replicate")); // no verdict
        const auto points = static_cast<std::size_t>(cell.map.xy.rows());
        const auto said = [&](double kept, double r) {
            cell.others = MapAgreement{10, kept, r};
            cell.othersByPoint.assign(points, static_cast<float>(kept));
            cell.othersByPoint.front() -= 0.01F;
            return othersWords(cell);
        };
        cell.map.floor->keptByPoint.assign(points, 0.472F);
        QCOMPARE(said(0.25, 0.351), QStringLiteral("25 / 47% · 1 replicate")); // which is no verdict
        cell.map.floor->twins = 3;
        cell.map.floor->keptSd = 0.003;
        cell.map.floor->leastCorrelation = 0.5;
        cell.map.floor->mostCorrelation = 0.53;
        QCOMPARE(said(0.25, 0.351), QStringLiteral("25 / 47% · above noise"));
        QCOMPARE(said(0.472, 0.519), QStringLiteral("47 / 47% · undecided"));
        QCOMPARE(said(0.25, 0.7), QStringLiteral("25 / 47% · r contradicts"));
        QCOMPARE(said(0.7, 0.7), QStringLiteral("70 ≈ 47% · within noise"));
        cell.map.floor->mean.kept = cell.map.floor->leastKept = chanceKept(10, cell.map.xy.rows());
        QCOMPARE(said(0.25, 0.351).section(QStringLiteral(" · "), 1), QStringLiteral("unstable"));
        map.floor = NoiseFloor{{10, 0.472, 0.519, 0.052, 0.43}, 0.45, 0.49, 3, 1e-4, 1, {}, 0.02, 0.5, 0.53};
        const QString several = mapCaption(map, m_info);
        QVERIFY2(several.contains(QStringLiteral("Noise floor (3 noise replicates): maps of")) &&
                     several.contains(QStringLiteral("range over the replicates 45 to 49%")) &&
                     several.contains(QStringLiteral("maps that only separate the heads share 5.2%")) &&
                     several.endsWith(QStringLiteral("r 0.52 (documents permuted inside heads: 0.43).")),
                 qPrintable(several));
    }
};

HEADSCOPE_TEST(TestHeadViews)
#include "tst_head_views.moc"
