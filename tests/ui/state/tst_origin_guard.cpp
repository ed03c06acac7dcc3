// SPDX-License-Identifier: GPL-3.0-or-later
// What was made from another cache than the open one reaches no view, and no map may index what is not there.
#include "ui/state/origin_guard.h"

#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_view.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/views/heatmap/heatmap_values.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/models/map_library.h"
#include "ui/panels/document/inspector.h"
#include "ui/state/selection_hub.h"
#include "ui/state/strengths.h"

using namespace headscope;
using namespace headscope::ui;

namespace
{

const Origin kOpen{"00000000000000000000000000000001"};
const Origin kOther{"00000000000000000000000000000002"};
constexpr std::int64_t kDocuments = 12;
constexpr std::int64_t kHeads = 4;

std::shared_ptr<const HeadMap> mapOf(const Origin& origin, std::int64_t documents = kDocuments,
                                     std::int64_t heads = kHeads)
{
    auto map = std::make_shared<HeadMap>(*test::sampleMap(documents, heads));
    map->origin = origin;
    return map;
}

std::shared_ptr<const HeadMapSet> setOf(const Origin& origin)
{
    auto set = std::make_shared<HeadMapSet>();
    set->origin = origin;
    for (const std::int32_t head : {0, 1})
    {
        HeadMap map = *mapOf(origin, kDocuments, 1);
        auto points = std::make_shared<PointIds>(*map.points);
        std::ranges::fill(points->head, head);
        map.points = std::move(points);
        map.name = "s1_h0" + std::to_string(head);
        set->maps.push_back({std::move(map), 1});
    }
    return set;
}

std::shared_ptr<const MapPair> pairOf(const Origin& a, const Origin& b)
{
    auto pair = std::make_shared<MapPair>();
    pair->a = mapOf(a);
    pair->b = mapOf(b);
    pair->points = pair->a->points;
    pair->headInB = pair->a->points->head;
    pair->xyA = pair->a->xy;
    pair->xyB = pair->b->xy;
    pair->difference.changed.assign(pair->points->document.size(), 0.5F);
    pair->difference.histogram.assign(11, 1);
    return pair;
}

template <class T>
std::shared_ptr<const T> named(const std::shared_ptr<const T>& value, const Origin& origin)
{
    auto copy = std::make_shared<T>(*value);
    copy->origin = origin;
    return copy;
}

} // namespace

class TestBorder : public QObject
{
    Q_OBJECT

private:
    ModelInfo m_info = test::sampleModel();
    viz::HeadPalette m_palette{test::sampleModel()};

private Q_SLOTS:
    void init() { OriginGuard::instance().open(kOpen, kDocuments, kHeads); }
    void cleanup() { OriginGuard::instance().close(); }

    void originsAreCompared()
    {
        OriginGuard& border = OriginGuard::instance();
        const std::int64_t before = border.refused();
        QVERIFY(border.admits(kOpen, "it"));
        QVERIFY(!border.admits(kOther, "it"));
        QVERIFY(!border.admits(Origin(), "it")); // nobody said what it was made from
        QCOMPARE(border.refused(), before + 2);
        border.close();
        QVERIFY(border.admits(Origin(), "it"));
        QVERIFY(!border.admits(kOpen, "it"));
    }

    void everyIndexIsLookedAt_data()
    {
        QTest::addColumn<std::int32_t>("document");
        QTest::addColumn<std::int32_t>("head");
        QTest::addColumn<bool>("right");
        QTest::newRow("the last of both") << 11 << 3 << true;
        QTest::newRow("one document too many") << 12 << 0 << false;
        QTest::newRow("one head too many") << 0 << 4 << false;
        QTest::newRow("no document") << -1 << 0 << false;
        QTest::newRow("no head") << 0 << -1 << false;
    }
    void everyIndexIsLookedAt()
    {
        QFETCH(std::int32_t, document);
        QFETCH(std::int32_t, head);
        QFETCH(bool, right);
        HeadMap map = *mapOf(kOpen);
        auto points = std::make_shared<PointIds>(*map.points);
        points->document[20] = document;
        points->head[20] = head;
        map.points = points;
        QCOMPARE(OriginGuard::instance().admits(map), right);
        // The same points again (the next map of the run), and others in their place.
        QCOMPARE(OriginGuard::instance().admits(map), right);
        QVERIFY(OriginGuard::instance().admits(*mapOf(kOpen)));
        map.points.reset();
        QVERIFY(!OriginGuard::instance().admits(map));
    }

    void mapView()
    {
        MapView view;
        view.setMap(mapOf(kOpen));
        QVERIFY(view.scatter()->map() != nullptr);
        view.setMap(mapOf(kOther));
        QVERIFY(view.scatter()->map() == nullptr); // not the old one either
        view.setMap(mapOf(kOpen, kDocuments + 1));
        QVERIFY(view.scatter()->map() == nullptr);
    }

    void mapLibrary()
    {
        MapLibrary library;
        QCOMPARE(library.add(mapOf(kOther)), std::uint64_t{0});
        QCOMPARE(library.add(mapOf(kOpen, kDocuments, kHeads + 1)), std::uint64_t{0});
        QVERIFY(library.entries().empty());
        const auto map = mapOf(kOpen);
        const std::uint64_t id = library.add(map);
        QVERIFY(id != 0);
        library.replace(id, mapOf(kOther));
        QCOMPARE(library.find(id)->map->origin, kOpen);
        QCOMPARE(library.entries().size(), std::size_t{1});
    }

    void gridView()
    {
        GridView view;
        view.setSet(setOf(kOpen));
        QVERIFY(view.set() != nullptr);
        view.setSet(setOf(kOther));
        QVERIFY(view.set() == nullptr);
        auto mixed = std::make_shared<HeadMapSet>(*setOf(kOpen));
        mixed->maps[1].map.origin = kOther;
        view.setSet(mixed);
        QVERIFY(view.set() == nullptr);
    }

    void compareView()
    {
        CompareView view;
        view.setPair(pairOf(kOpen, kOpen));
        QVERIFY(view.pair() != nullptr);
        view.setPair(pairOf(kOpen, kOther));
        QVERIFY(view.pair() == nullptr);
    }

    void heatmapView()
    {
        HeatmapView view;
        HeatmapPanel panel;
        panel.heatmap = test::sampleHeatmap();
        panel.origin = kOther;
        view.setPanels({std::make_shared<const HeatmapPanel>(panel)}, m_info, 4);
        QVERIFY(view.panels().empty());
        view.setMerge(named(test::sampleMergePath(), kOther));
        QVERIFY(view.similarity()->path() == nullptr);
        view.setMerge(named(test::sampleMergePath(), kOpen));
        QVERIFY(view.similarity()->path() != nullptr);
        view.setMatch(named(test::sampleMatch(), kOpen), m_palette);
        QVERIFY(view.match()->picture().match() != nullptr);
        view.setMatch(named(test::sampleMatch(), kOther), m_palette);
        QVERIFY(view.match()->picture().match() == nullptr);
    }

    void probeView()
    {
        ProbeView view;
        view.setModelInfo(m_info, m_palette, {31});
        view.addRow({named(test::sampleProbe(Stage::HeadOutput, 0.9), kOther), nullptr, {}});
        QCOMPARE(view.model()->rowCount(), 0);
        view.addRow({named(test::sampleProbe(Stage::HeadOutput, 0.9), kOpen), nullptr, {}});
        QCOMPARE(view.model()->rowCount(), 1);
    }

    void layersView()
    {
        LayersView view;
        view.setLayers(32, {31});
        LayerMeasures ours;
        ours.layer = LayerIndex(31);
        ours.origin = kOpen;
        LayerMeasures other = ours;
        other.origin = kOther;
        view.setMeasures({std::make_shared<const LayerMeasures>(other), std::make_shared<const LayerMeasures>(ours)});
        QCOMPARE(view.chart()->picture().measures().size(), std::size_t{1});
        QCOMPARE(view.chart()->picture().measures().front()->origin, kOpen);
    }

    void headsView()
    {
        HeadsView view;
        view.setModel(m_info, m_palette);
        HeadReport report;
        report.statistics.resize(32);
        report.topTopic.resize(32);
        report.origin = kOpen;
        view.setReport(std::make_shared<const HeadReport>(report));
        QVERIFY(view.report() != nullptr);
        report.origin = kOther;
        view.setReport(std::make_shared<const HeadReport>(report));
        QVERIFY(view.report() == nullptr);
        MaskEffects values;
        values.kept.assign(32, true);
        values.origin = kOther;
        view.setMask(values);
        QVERIFY(!view.mask().has_value());
        values.origin = kOpen;
        view.setMask(values);
        QVERIFY(view.mask().has_value());
    }

    void retrievalView()
    {
        RetrievalView view;
        view.setStudy(m_info, m_palette, test::sampleDocuments(), "topic");
        RetrievalComparison comparison;
        comparison.query = "doc-0";
        comparison.first.results = {{DocumentIndex(3), 1.5, {}}};
        comparison.origin = kOpen;
        view.setComparison(std::make_shared<const RetrievalComparison>(comparison));
        QVERIFY(view.comparison() != nullptr);
        comparison.origin = kOther;
        view.setComparison(std::make_shared<const RetrievalComparison>(comparison));
        QVERIFY(view.comparison() == nullptr);
    }

    /// What is chosen, pointed at or shown alone is there.
    void selection()
    {
        SelectionHub hub;
        hub.setPrimary(DocumentIndex(11), HeadIndex(0));
        QCOMPARE(hub.selection().primary, std::optional<DocumentIndex>(11));
        hub.setPrimary(DocumentIndex(12), HeadIndex(0));
        QVERIFY(!hub.selection().primary.has_value());
        hub.setHovered(DocumentIndex(400));
        QVERIFY(!hub.selection().hovered.has_value());
        hub.setDocuments({400, 3, 12, 1});
        QCOMPARE(hub.selection().documents, (std::vector<std::int64_t>{1, 3}));
        hub.showOnly({{}, {399, 400}});
        QVERIFY(hub.shownOnly() == nullptr);
        hub.showOnly({{}, {400, 2}});
        QCOMPARE(hub.shownDocuments(), (std::vector<std::int64_t>{2}));
    }

    /// Strengths by their origin, near documents by their number: what is not there is left out.
    void inspector()
    {
        Inspector view;
        view.setDocuments(test::sampleDocuments(kDocuments));
        view.showDocument(DocumentIndex(2), HeadIndex(1));
        Strengths strengths;
        strengths.values = MatrixF(kDocuments, kHeads);
        strengths.sorted.assign(kDocuments * kHeads, 1.0F);
        strengths.origin = kOther;
        const std::int64_t before = OriginGuard::instance().refused();
        view.setStrengths(std::make_shared<const Strengths>(strengths), Stage::HeadOutput, m_palette);
        QCOMPARE(OriginGuard::instance().refused(), before + 1);
        view.setNearest({{DocumentIndex(400), 0.9}}, {{DocumentIndex(401), 0.8}, {DocumentIndex(5), 0.7}},
                        QStringLiteral("full"));
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("nearest by full vector: doc-5")));
        QVERIFY(!view.accessibleDescription().contains(QStringLiteral("nearest by head")));
    }
};

HEADSCOPE_WINDOW_TEST(TestBorder)
#include "tst_origin_guard.moc"
