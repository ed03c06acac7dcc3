// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of contributions, composition and lens: their items, sums, words and keys.
#include "tests/support/test_program.h"
#include "viz/axis/figure_texts.h"
#include "viz/circuits/circuit_text.h"
#include "viz/circuits/composition_graph.h"
#include "viz/circuits/composition_matrix.h"
#include "viz/circuits/lens_table.h"
#include "viz/circuits/part_grid.h"
#include "viz/circuits/waterfall_picture.h"
#include "viz/export/circuits/circuit_figures.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::viz;

namespace
{

using Places = std::pair<std::int64_t, std::int64_t>;

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kHeads = 4;

double valueOf(std::size_t at)
{
    return 0.05 * std::sin(1.7 * static_cast<double>(at) + 0.3);
}

CircuitResultPtr samplePair()
{
    ContributionsResult found;
    found.model = "tiny";
    found.pooling = "last";
    found.layers = kLayers;
    found.heads = kHeads;
    found.kvHeads = 2;
    found.documents = 9;
    PairContribution pair{"a", "b", 0, true, {}};
    for (const VectorPart& part : vectorParts(kLayers, kHeads, false))
    {
        pair.terms.push_back({part, valueOf(pair.terms.size()), 0});
        pair.cosine += pair.terms.back().value;
    }
    found.pair = pair;
    return std::make_shared<const CircuitResult>(CircuitResult{.model = "tiny", .found = found});
}

CircuitResultPtr sampleShares()
{
    ContributionsResult found;
    found.layers = kLayers;
    found.heads = kHeads;
    found.kvHeads = 2;
    found.documents = 9;
    for (const VectorPart& part : vectorParts(kLayers, kHeads, false))
    {
        const double value = valueOf(found.parts.size());
        found.parts.push_back({part, {value, {value - 0.01, value + 0.01}}, {2 * value, {}}});
    }
    return std::make_shared<const CircuitResult>(CircuitResult{.model = "tiny", .found = found});
}

CircuitResultPtr sampleScores()
{
    CompositionScores scores;
    scores.layers = kLayers;
    scores.heads = kHeads;
    scores.kvHeads = 2;
    scores.baseline = 0.1;
    const std::int64_t all = kLayers * kHeads;
    for (auto& own : scores.scores)
        own.resize(static_cast<std::size_t>(all * all));
    const auto place = [all](std::int64_t from, std::int64_t to) { return static_cast<std::size_t>(from * all + to); };
    scores.scores[2][place(1, 10)] = 0.9; // V: layer 0, head 2 to layer 2, head 3
    scores.scores[1][place(5, 8)] = 0.5;  // K: layer 1, head 2 to layer 2, head 1
    scores.scores[1][place(0, 4)] = 0.2;
    return std::make_shared<const CircuitResult>(CircuitResult{.model = "tiny", .found = scores});
}

CircuitResultPtr sampleWords()
{
    LensTables tables;
    tables.unembedding = "token embeddings";
    tables.documents = 9;
    tables.heads = kHeads;
    tables.kvHeads = 2;
    for (std::int64_t head = 0; head < kHeads; ++head)
        tables.rows.push_back(
            {2, head, {}, {{" sun", 7, 2.0, 5}, {"moon", 8, 1.0, 3}}, {{" tax", 9, -1.5, 4}}, {}, {}});
    return std::make_shared<const CircuitResult>(CircuitResult{.model = "tiny", .found = tables});
}

/// Paints in both themes; whether anything is there.
bool isPainted(Picture& picture)
{
    for (const InkTheme theme : {InkTheme(InkTheme::Light), InkTheme(InkTheme::Dark)})
    {
        QImage image(700, 500, QImage::Format_RGB32);
        image.fill(inks(theme).background);
        const QImage ground = image;
        QPainter painter(&image);
        picture.layOut(QRectF(0, 0, 700, 500), theme);
        picture.paint(painter, {.pointed = 0, .hasFocus = true, .byKeys = true, .moves = false});
        painter.end();
        if (image == ground)
            return false;
    }
    return true;
}

/// Whether every item is found at its own place.
bool itemsAreFound(const Picture& picture)
{
    for (std::size_t item = 0; item < picture.count(); ++item)
        if (picture.textOf(item).title.isEmpty() || picture.itemAt(picture.placeOf(item).center()) != item)
            return false;
    return picture.count() > 0;
}

} // namespace

class TestCircuitPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWaterfallAddsUp()
    {
        WaterfallPicture picture;
        picture.setPair(samplePair());
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        const double cosine = samplePair()->contributions()->pair->cosine;
        QCOMPARE(picture.unfolded().size(), 1U);
        for (const bool folded : {false, true})
        {
            if (folded)
                picture.setUnfolded({});
            double sum = 0;
            for (const WaterfallRow& row : picture.rows())
            {
                if (row.kind == WaterfallRow::Kind::Total)
                    break;
                QVERIFY(std::abs(row.start - sum) < 1e-12);
                sum += row.isUnfolded ? 0 : row.sum();
            }
            QVERIFY(std::abs(sum - cosine) < 1e-12);
            QVERIFY(std::abs(picture.rows().back().sum() - cosine) < 1e-12);
            QVERIFY(itemsAreFound(picture));
        }
        QCOMPARE(picture.count(), static_cast<std::size_t>(1 + kLayers + 1));
        QVERIFY(picture.isClickable(1));
        picture.choose(1); // the first layer
        QVERIFY(picture.unfolded().contains(0));
        QCOMPARE(picture.count(), static_cast<std::size_t>(1 + kLayers + 1 + kHeads + 2));
        QVERIFY(picture.summary().startsWith(QStringLiteral("a and b: Centred cosine ")));
        QVERIFY(isPainted(picture));
    }

    void theGridHasAllHeads()
    {
        PartGridPicture picture;
        picture.setResult(sampleShares());
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QCOMPARE(picture.count(), static_cast<std::size_t>(kLayers * kHeads));
        QCOMPARE(picture.valueOf(5), 2 * valueOf(6)); // centred; the token comes first
        picture.setResult(sampleShares(), false);
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QCOMPARE(picture.valueOf(5), valueOf(6));
        QVERIFY(itemsAreFound(picture));
        QVERIFY(picture.headOf(5) == Places(1, 1));
        QVERIFY(picture.itemHead(5) == (ItemHead{LayerIndex(1), HeadIndex(1)}));
        QCOMPARE(picture.next(5, Step::Down), std::optional<std::size_t>(9));
        QVERIFY2(picture.textOf(5).title.contains(QStringLiteral("Layer 1, head 2: ")),
                 qPrintable(picture.textOf(5).title));
        const auto strongest = picture.strongest(2);
        QVERIFY(std::abs(picture.valueOf(strongest[0])) >= std::abs(picture.valueOf(strongest[1])));
        QVERIFY(isPainted(picture));
    }

    /// Cells that read 0.0000 look alike, whatever the largest is.
    void cellsOfNothingHaveNoColor()
    {
        const auto painted = [](double least) {
            ContributionsResult found = *sampleShares()->contributions();
            for (std::size_t i = 0; i < found.parts.size(); ++i)
                found.parts[i].centred.value = i % 2 == 0 ? least : -least;
            PartGridPicture picture;
            picture.setResult(std::make_shared<const CircuitResult>(CircuitResult{.model = "tiny", .found = found}));
            QImage image(700, 500, QImage::Format_RGB32);
            image.fill(inks(InkTheme::Light).background);
            QPainter painter(&image);
            picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
            picture.paint(painter, {});
            painter.end();
            return image.pixel(picture.placeOf(5).center().toPoint()) ==
                   image.pixel(picture.placeOf(6).center().toPoint());
        };
        QVERIFY(painted(0.00004));
        QVERIFY(!painted(0.01));
    }

    /// A graph has no more lines than can be told apart, and says of how many they are.
    void theGraphHasNotTooManyLines()
    {
        CompositionGraph picture;
        picture.setResult(sampleScores(), {CompositionKind::Q, CompositionKind::K, CompositionKind::V}, 100);
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QCOMPARE(picture.count(), CompositionGraph::kMostLines);
        QVERIFY2(picture.summary().contains(QStringLiteral("60 strongest of 144")), qPrintable(picture.summary()));
    }

    void theMatrixFoldsLayers()
    {
        CompositionMatrix picture;
        picture.setResult(sampleScores(), CompositionKind::V);
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QVERIFY(picture.layers() == Places(0, 2));
        QVERIFY2(picture.textOf(2).title.contains(QStringLiteral("Layer 0 to layer 2: highest +0.8000")),
                 qPrintable(picture.textOf(2).title));
        const std::size_t head = 9 + 1 * 4 + 2; // heads 2 and 3
        QVERIFY(picture.isHeads(head));
        QVERIFY(picture.itemHead(head) == (ItemHead{LayerIndex(0), HeadIndex(1)})); // the one that writes
        QVERIFY(!picture.itemHead(2));
        QVERIFY2(picture.textOf(head).title.contains(QStringLiteral("Layer 0, head 2 to layer 2, head 3: +0.8000")),
                 qPrintable(picture.textOf(head).title));
        QCOMPARE(picture.itemAt(picture.placeOf(head).center()), std::optional(head));
        QVERIFY(!picture.itemAt(picture.placeOf(3).center())); // a later layer writes nothing for an earlier one
        picture.choose(1);
        QVERIFY(picture.layers() == Places(0, 1));
        QVERIFY(isPainted(picture));
    }

    /// In a column of a page headings have two lines instead of a gap in their middle.
    void headingsOfTheMatrixAreWhole()
    {
        CompositionMatrix picture;
        picture.setResult(sampleScores(), CompositionKind::V);
        const auto cutOf = [&](QSizeF size) {
            FigureDevice<QImage> image(size.toSize(), QImage::Format_RGB32);
            picture.layOut(QRectF(QPointF(), size), InkTheme::Light);
            QPainter painter(&image);
            picture.paint(painter, {});
            return image.cut;
        };
        for (const double width : {420.0, 700.0, 1400.0})
            for (const double height : {picture.heightWanted(width), 240.0})
                QCOMPARE(cutOf({width, height}), QString());
        picture.layOut({0, 0, 420, picture.heightWanted(420)}, InkTheme::Light);
        const double narrow = picture.placeOf(0).top();
        picture.layOut({0, 0, 1400, picture.heightWanted(1400)}, InkTheme::Light);
        QVERIFY(picture.placeOf(0).top() < narrow);
    }

    void theGraphHasTheStrongest()
    {
        CompositionGraph picture;
        picture.setResult(sampleScores(), {CompositionKind::K, CompositionKind::V}, 2);
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QCOMPARE(picture.count(), 2U);
        QCOMPARE(picture.textOf(0).title, QStringLiteral("V: Layer 0, head 2 to layer 2, head 3: +0.8000"));
        QVERIFY(picture.itemHead(0) == (ItemHead{LayerIndex(0), HeadIndex(1)}));
        QVERIFY(itemsAreFound(picture));
        picture.setResult(sampleScores(), {CompositionKind::K}, 1);
        QVERIFY(picture.textOf(0).title.startsWith(QStringLiteral("K: Layer 1, head 2 to layer 2, head 1")));
        QVERIFY(isPainted(picture));
    }

    /// In a column of a page the legend has lines of its own below the graph.
    void theLegendIsBelowTheGraph()
    {
        CompositionGraph picture;
        picture.setResult(sampleScores(), {CompositionKind::Q, CompositionKind::K, CompositionKind::V}, 60);
        const double wide = picture.heightWanted(700);
        for (const double width : {700.0, 360.0, 200.0})
        {
            const QRectF box(0, 0, width, picture.heightWanted(width));
            picture.layOut(box, InkTheme::Light);
            QCOMPARE(picture.legend().size(), 3U);
            double lowest = 0;
            for (std::size_t item = 0; item < picture.count(); ++item)
                lowest = std::max(lowest, picture.placeOf(item).bottom());
            for (const auto& key : picture.legend())
            {
                QVERIFY(box.contains(key.place) && key.place.top() > lowest);
                for (const auto& other : picture.legend())
                    QVERIFY(key.kind == other.kind || !key.place.intersects(other.place));
            }
        }
        QVERIFY(picture.heightWanted(200) > wide);
    }

    void theWordsOfHeads()
    {
        LensTable picture;
        picture.setResult(sampleWords());
        picture.layOut(QRectF(0, 0, 700, 500), InkTheme::Light);
        QCOMPARE(picture.count(), static_cast<std::size_t>(3 * kHeads));
        QVERIFY(itemsAreFound(picture));
        QVERIFY2(picture.textOf(0).title.contains(u"\u00b7sun"), qPrintable(picture.textOf(0).title));
        QVERIFY(picture.textOf(0).title.contains(QStringLiteral("5 of 9 documents")));
        QVERIFY(isPainted(picture));
        // In a narrow box the heads of a group stay together.
        const double wide = picture.heightWanted(700);
        QVERIFY(picture.heightWanted(200) > 1.5 * wide);
    }

    void nothingToShow()
    {
        WaterfallPicture waterfall;
        PartGridPicture grid;
        CompositionMatrix matrix;
        CompositionGraph graph;
        LensTable words;
        for (Picture* picture : std::initializer_list<Picture*>{&waterfall, &grid, &matrix, &graph, &words})
        {
            picture->layOut(QRectF(0, 0, 300, 200), InkTheme::Dark);
            QImage image(300, 200, QImage::Format_RGB32);
            QPainter painter(&image);
            picture->paint(painter, {});
            QCOMPARE(picture->count(), 0U);
            QVERIFY(picture->summary().isEmpty());
            QVERIFY(!picture->itemAt({50, 50}));
        }
    }

    void figures()
    {
        FigureOptions options;
        for (const CircuitResultPtr& result : {samplePair(), sampleShares(), sampleScores(), sampleWords()})
            for (const CircuitPicture picture : {CircuitPicture::Waterfall, CircuitPicture::Grid,
                                                 CircuitPicture::Matrix, CircuitPicture::Graph, CircuitPicture::Words})
            {
                CircuitLook look;
                look.picture = picture;
                const auto spec = figureOfCircuit(result, look)(options);
                QCOMPARE(spec.has_value(), isPictureOf(picture, *result));
                QVERIFY(!spec || !spec->options.caption.isEmpty());
            }
        QVERIFY(circuitCaption(*sampleWords(), {}).contains(QStringLiteral("as the files have no output head")));
    }
};

HEADSCOPE_TEST(TestCircuitPictures)
#include "tst_circuit_pictures.moc"
