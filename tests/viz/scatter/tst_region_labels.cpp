// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/region_labels.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

struct Sample
{
    std::vector<float> xy;
    std::vector<std::int32_t> codes;
    QStringList names;
};

/// Labels as round clusters on a grid of `side` x `side`, every tenth point anywhere.
Sample sample(int side)
{
    const CounterRandom random(3);
    Sample values;
    for (int label = 0; label < side * side; ++label)
        values.names << QStringLiteral("Label number %1").arg(label);
    for (std::uint64_t i = 0; i < 4000; ++i)
    {
        const auto label = static_cast<int>(random.below(4 * i, static_cast<std::uint64_t>(side * side)));
        const bool stray = i % 10 == 0;
        const double x = stray ? side * random.uniform(4 * i + 1) : label % side + 0.1 * random.normal(4 * i + 1);
        const double y = stray ? side * random.uniform(4 * i + 2) : label / side + 0.1 * random.normal(4 * i + 2);
        values.xy.insert(values.xy.end(), {static_cast<float>(x), static_cast<float>(y)});
        values.codes.push_back(label);
    }
    return values;
}

} // namespace

class TestRegionLabels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheClusters()
    {
        const Sample values = sample(4);
        const auto regions = findRegions(values.xy, values.codes, values.names);
        QVERIFY(regions.size() >= 16u);
        QSet<QString> found;
        for (std::size_t i = 0; i < 16; ++i)
        {
            const int label = static_cast<int>(values.names.indexOf(regions[i].name));
            found << regions[i].name;
            QVERIFY(std::hypot(regions[i].centre.x() - label % 4, regions[i].centre.y() - label / 4) < 0.15);
            QVERIFY(i == 0 || regions[i].weight <= regions[i - 1].weight);
        }
        QCOMPARE(found.size(), 16);
    }

    /// As on a map of heads coloured by topic: each cluster holds all labels in their shares.
    void mixedClustersHaveNoNames()
    {
        const CounterRandom random(11);
        Sample values;
        for (int label = 0; label < 25; ++label)
            values.names << QStringLiteral("Label %1").arg(label);
        for (std::uint64_t i = 0; i < 12'000; ++i)
        {
            const auto cluster = static_cast<int>(i % 32);
            values.xy.push_back(static_cast<float>(cluster % 6 + 0.2 * random.normal(4 * i)));
            values.xy.push_back(static_cast<float>(cluster / 6 + 0.2 * random.normal(4 * i + 1)));
            values.codes.push_back(static_cast<std::int32_t>(random.below(4 * i + 2, 25)));
        }
        QVERIFY(findRegions(values.xy, values.codes, values.names).empty());
        // One cluster of one label among them is named, and it alone.
        for (int i = 0; i < 200; ++i)
        {
            values.xy.insert(values.xy.end(), {8.0F + 0.001F * static_cast<float>(i), 8.0F});
            values.codes.push_back(7);
        }
        const auto regions = findRegions(values.xy, values.codes, values.names);
        QCOMPARE(regions.size(), 1u);
        QCOMPARE(regions.front().name, QStringLiteral("Label 7"));
    }

    /// The dots of one document that lie together are one finding.
    void documentsCountAndNotTheirDots()
    {
        const CounterRandom random(12);
        Sample values;
        std::vector<std::int32_t> documents;
        for (int label = 0; label < 8; ++label)
            values.names << QStringLiteral("Label %1").arg(label);
        for (std::int32_t document = 0; document < 200; ++document)
        {
            const double x = 10 * random.uniform(static_cast<std::uint64_t>(2 * document));
            const double y = 10 * random.uniform(static_cast<std::uint64_t>(2 * document + 1));
            for (int head = 0; head < 12; ++head)
            {
                values.xy.insert(values.xy.end(), {static_cast<float>(x), static_cast<float>(y)});
                values.codes.push_back(document % 8);
                documents.push_back(document);
            }
        }
        QVERIFY(!findRegions(values.xy, values.codes, values.names).empty()); // a dozen dots look like many
        QVERIFY(findRegions(values.xy, values.codes, values.names, documents).empty());
    }

    /// Names are those of what is seen: points of heads that are hidden neither make nor outvote one.
    void hiddenPointsMakeNoNames()
    {
        Sample values;
        values.names << QStringLiteral("Seen") << QStringLiteral("Hidden") << QStringLiteral("Both");
        std::vector<PointState> states;
        std::vector<std::int32_t> documents;
        const auto add = [&](float x, float y, std::int32_t code, PointState state, int times) {
            for (int i = 0; i < times; ++i)
            {
                values.xy.insert(values.xy.end(), {x + 0.001F * static_cast<float>(i), y});
                values.codes.push_back(code);
                states.push_back(state);
                documents.push_back(static_cast<std::int32_t>(documents.size()));
            }
        };
        add(0, 0, 0, PointState::Shown, 60);
        add(0, 0, 1, PointState::Hidden, 90); // at the same place
        add(9, 9, 1, PointState::Hidden, 90);
        add(0, 9, 2, PointState::Shown, 60);
        add(9, 0, 0, PointState::Dimmed, 60); // pale, and seen
        const auto namesOf = [](const std::vector<Region>& regions) {
            QStringList names;
            for (const Region& region : regions)
                names << region.name + QStringLiteral(" %1").arg(std::lround(region.centre.x()));
            names.sort();
            return names;
        };
        QCOMPARE(namesOf(findRegions(values.xy, values.codes, values.names, documents)),
                 (QStringList{QStringLiteral("Both 0"), QStringLiteral("Hidden 9"), QStringLiteral("Seen 9")}));
        QCOMPARE(namesOf(findRegions(values.xy, values.codes, values.names, documents, states)),
                 (QStringList{QStringLiteral("Both 0"), QStringLiteral("Seen 0"), QStringLiteral("Seen 9")}));
        states.assign(states.size(), PointState::Hidden);
        QVERIFY(findRegions(values.xy, values.codes, values.names, documents, states).empty());
    }

    /// A figure has the names of the screen, however small it is.
    void movedNamesAreTheSame()
    {
        const Sample values = sample(4);
        const auto regions = findRegions(values.xy, values.codes, values.names);
        const auto bounds = dataBounds(values.xy);
        const ViewTransform screen = ViewTransform::fit(*bounds, {1200, 900});
        const auto labels = placeRegionLabels(regions, screen, {});
        QVERIFY(labels.size() > 8u);
        QCOMPARE(movedRegionLabels(labels, screen, screen), labels);
        const ViewTransform page = ViewTransform::fit(screen.visibleData(), {300, 225}, 0);
        const auto moved = movedRegionLabels(labels, screen, page);
        QCOMPARE(moved.size(), labels.size());
        for (std::size_t i = 0; i < moved.size(); ++i)
        {
            QCOMPARE(moved[i].text, labels[i].text);
            QVERIFY(QRectF(-0.5, -0.5, 301, 226).contains(moved[i].box));
            const QPointF place = page.dataFromScreen(moved[i].box.center());
            QVERIFY(std::hypot(place.x() - screen.dataFromScreen(labels[i].box.center()).x(),
                               place.y() - screen.dataFromScreen(labels[i].box.center()).y()) < 0.01);
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY(!moved[i].box.intersects(moved[k].box));
        }
    }

    /// On paper all names are in full ink and none touches another, however small the map is.
    void printedNamesDoNotTouch()
    {
        const Sample values = sample(4);
        const auto regions = findRegions(values.xy, values.codes, values.names);
        const ViewTransform screen = ViewTransform::fit(*dataBounds(values.xy), {1200, 900});
        auto labels = placeRegionLabels(regions, screen, {});
        QVERIFY(labels.size() > 8u);
        labels[1].opacity = 0.3;
        constexpr double kHeight = 15;
        for (const double side : {60.0, 150.0, 300.0, 1200.0})
        {
            const ViewTransform page = ViewTransform::fit(screen.visibleData(), {side, 0.75 * side}, 0);
            const auto printed = printedRegionLabels(labels, screen, page, kHeight);
            QVERIFY(!printed.empty());
            QCOMPARE(printed.front().text, labels.front().text);
            for (std::size_t i = 0; i < printed.size(); ++i)
            {
                QCOMPARE(printed[i].opacity, 1.0);
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(!printed[i].box.adjusted(-2, 0, 2, 0).intersects(printed[k].box));
            }
            QVERIFY(side < 1000 || printed.size() == labels.size());
        }
    }

    void namesDoNotCollideAndMoreComeWithTheZoom()
    {
        const Sample values = sample(9);
        const auto regions = findRegions(values.xy, values.codes, values.names);
        const auto bounds = dataBounds(values.xy);
        QVERIFY(bounds.has_value());
        const QRectF legend(500, 10, 130, 300);
        const ViewTransform whole = ViewTransform::fit(*bounds, {640, 480});
        const auto labels = placeRegionLabels(regions, whole, std::span(&legend, 1));
        for (const ViewTransform& view : {whole, whole.zoomedAt({200, 200}, 2), whole.zoomedAt({200, 200}, 4)})
        {
            const auto placed = placeRegionLabels(regions, view, std::span(&legend, 1));
            for (std::size_t i = 0; i < placed.size(); ++i)
            {
                QVERIFY(QRectF(0, 0, 640, 480).contains(placed[i].box));
                QVERIFY(!placed[i].box.intersects(legend));
                QVERIFY(placed[i].opacity > 0 && placed[i].opacity <= 1);
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(!placed[i].box.intersects(placed[k].box));
            }
        }
        double faintest = 1;
        for (const RegionLabel& label : labels)
            faintest = std::min(faintest, label.opacity);
        const auto near = placeRegionLabels(regions, whole.zoomedAt({200, 200}, 4), {});
        QVERIFY(!near.empty());
        QVERIFY(std::ranges::all_of(near.begin(), near.begin() + 1, [](const auto& l) { return l.opacity == 1; }));
        QVERIFY(labels.empty() || faintest < 1);
    }

    void edges()
    {
        QVERIFY(findRegions({}, {}, {QStringLiteral("a")}).empty());
        const std::vector<float> same(20, 1.0F);
        const std::vector<std::int32_t> codes(10, 0);
        const auto regions = findRegions(same, codes, {QStringLiteral("a")});
        QCOMPARE(regions.size(), 1u);
        QVERIFY(findRegions(same, std::vector<std::int32_t>(10, -1), {QStringLiteral("a")}).empty());
        std::vector<float> broken = same;
        broken[0] = std::nanf("");
        QCOMPARE(findRegions(broken, codes, {QStringLiteral("a")}).size(), 1u);
        QVERIFY(placeRegionLabels(regions, ViewTransform(), {}).empty());
        // A thousand labels: the most frequent have regions.
        std::vector<float> xy;
        std::vector<std::int32_t> many;
        QStringList names;
        for (int i = 0; i < 1000; ++i)
        {
            names << QString::number(i);
            for (int k = 0; k < (i < 5 ? 50 : 6); ++k)
            {
                xy.insert(xy.end(), {static_cast<float>(i % 40), static_cast<float>(i / 40)});
                many.push_back(i);
            }
        }
        const auto frequent = findRegions(xy, many, names);
        QCOMPARE(frequent.front().name.toInt() < 5, true);
        QVERIFY(frequent.size() <= 60u);
    }

    void paintsInkOnPaper()
    {
        QImage image(200, 60, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        const std::vector<RegionLabel> labels = {{QStringLiteral("Astronomy"), QRectF(20, 20, 80, 16), 1.0}};
        paintRegionLabels(painter, labels, InkTheme::Light);
        painter.end();
        int dark = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qGray(image.pixel(x, y)) < 100)
                {
                    ++dark;
                    QVERIFY(QRect(18, 16, 90, 24).contains(x, y));
                }
        QVERIFY(dark > 40);
    }
};

HEADSCOPE_TEST(TestRegionLabels)
#include "tst_region_labels.moc"
