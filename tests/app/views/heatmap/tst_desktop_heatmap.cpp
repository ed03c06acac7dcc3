// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/desktop/start/workbench.h"
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_means_page.h"
#include "app/views/map/map_view.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"

#include <nlohmann/json.hpp>

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QMimeData>
#include <QSignalSpy>

#include <cmath>
#include <memory>
#include <sstream>

using namespace headscope;
using namespace headscope::desktop;
using Mode = ui::HeatmapView::Mode;

/// The heatmap tab with everything behind it: its numbers are those of the verbs, and its selection is
/// that of the window.
class TestDesktopHeatmap : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::HeatmapView& view() { return test::viewOf<ui::HeatmapView>(*m_window); }
    ui::HeatmapWidget* heatmap() { return view().heatmap(); }

    void open(const QString& cache)
    {
        m_window->setView(ui::kHeatmapView);
        m_workbench->open(cache);
        WAIT_FOR(!view().panels().empty() && view().match()->picture().match() != nullptr);
    }

    nlohmann::json verb(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin() + 1, {m_cache.toStdString(), "--json", "--layer", "last"});
        std::ostringstream out;
        std::ostringstream err;
        if (cli::run(arguments, out, err) != 0)
            qWarning("%s", err.str().c_str());
        return nlohmann::json::parse(out.str());
    }

    void moveTo(QWidget* widget, QPointF place)
    {
        QMouseEvent event(QEvent::MouseMove, place, widget->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }

    static bool same(double shown, const nlohmann::json& said)
    {
        return said.is_null() ? std::isnan(shown) : shown == said.get<double>();
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        writeSample();
    }

    void init() { makeWindow({.size = {1500, 900}}); }

    void cleanup() { dropWindow(); }

    /// Pictures of all modes for whoever looks at them: HEADSCOPE_PICTURES=folder, HEADSCOPE_CACHE=file.
    void pictures()
    {
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("nobody looks");
        const QString cache = qEnvironmentVariable("HEADSCOPE_CACHE", m_cache);
        m_settings->setNumber(ui::SettingKey::Threads, 2);
        m_window->resize(1440, 900);
        open(cache);
        int number = 0;
        const auto take = [&](const char* name) {
            waitForCalm();
            m_window->grab().save(
                QStringLiteral("%1/%2-%3.png").arg(folder).arg(number++).arg(QLatin1StringView(name)));
        };
        take("documents");
        const viz::HeatmapLayout& layout = heatmap()->layoutOf(0);
        moveTo(heatmap(), layout.cellRect({5, layout.visibleColumns().second / 2}).center());
        take("hover");
        view().findChild<QComboBox*>(QStringLiteral("heatmapStages"))->setCurrentIndex(3);
        view().findChild<QComboBox*>(QStringLiteral("heatmapRows"))->setCurrentIndex(4);
        take("one-stage-rows-clustered");
        view().bar()->setOrder({ColumnOrder::By::Clusters, {}});
        WAIT_FOR(!view().panels().front()->heatmap->columnTrees.empty());
        heatmap()->zoomToTopic(1);
        m_window->selection().setDocuments(heatmap()->documentsOf(1));
        m_window->selection().pick({heatmap()->documentsOf(1)[3]}, SetOperation::Remove);
        take("columns-clustered-zoomed");
        m_window->selection().setDocuments({});
        view().setMode(Mode::Similarity);
        WAIT_FOR(view().similarity()->path() != nullptr);
        take("similarity");
        view().findChild<QComboBox*>(QStringLiteral("heatmapStages"))->setCurrentIndex(0);
        view().setMode(Mode::Means);
        take("means");
        view().means()->findChild<QComboBox*>(QStringLiteral("meansWhat"))->setCurrentIndex(1);
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Dark);
        take("contrast-dark");
        view().setMode(Mode::Documents);
        view().bar()->setOrder({});
        WAIT_FOR(view().panels().front()->heatmap->columnTrees.empty());
        take("documents-dark");
        view().setMode(Mode::Similarity);
        take("similarity-dark");
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    }

    void numbersAreThoseOfTheVerbs()
    {
        open(m_cache);
        const nlohmann::json json = verb({"heatmap", "--stage", "1,2,3"})["results"];
        QCOMPARE(view().panels().size(), json.size());
        for (std::size_t i = 0; i < json.size(); ++i)
        {
            const HeatmapPanel& panel = *view().panels()[i];
            for (std::size_t row = 0; row < json[i]["rows"].size(); ++row)
            {
                const nlohmann::json& said = json[i]["rows"][row];
                QVERIFY(same(panel.statistics.mean[row], said["mean"]));
                QVERIFY(same(panel.statistics.sd[row], said["sd"]));
                QVERIFY(same(panel.statistics.eta2[row], said["eta2"]));
                if (row > 0)
                    QVERIFY(same(panel.statistics.spearmanMean[row - 1], said["spearman"]));
                for (std::size_t topic = 0; topic < said["topic_mean"].size(); ++topic)
                    QVERIFY(same(
                        panel.statistics.topicMean(static_cast<std::int64_t>(row), static_cast<std::int64_t>(topic)),
                        said["topic_mean"][topic]));
            }
        }
        // The bars of match, with their intervals.
        const TopicMatch& match = *view().match()->picture().match();
        const std::string stage(stageName(m_workbench->study().stage()));
        const nlohmann::json matched = verb({"match", "--stage", stage});
        for (std::size_t head = 0; head < matched["heads"].size(); ++head)
            for (std::int64_t k = 0; k < 3; ++k)
            {
                const std::string key = "top" + std::to_string(match.result.k[static_cast<std::size_t>(k)]);
                const nlohmann::json& said = matched["heads"][head];
                const auto row = static_cast<std::int64_t>(head) + 1;
                QVERIFY(same(match.result.share(row, k), said[key]));
                if (match.result.k[static_cast<std::size_t>(k)] >= match.result.topics)
                    QVERIFY(std::isnan(match.low(row, k)) && std::isnan(match.high(row, k))); // nothing to be unsure of
                else
                    QVERIFY(same(match.low(row, k), said["ci95"][key][0]) &&
                            same(match.high(row, k), said["ci95"][key][1]));
            }
        // Similarities, and the merge at a threshold.
        view().setMode(Mode::Similarity);
        WAIT_FOR(view().similarity()->path() != nullptr);
        const nlohmann::json similar = verb({"similarity", "--merge", "0.2", "--stage", stage});
        const TopicSimilarity& shown = view().similarity()->path()->similarity;
        for (std::int64_t row = 0; row < shown.values.rows(); ++row)
            for (std::int64_t column = 0; column < shown.values.cols(); ++column)
                QVERIFY(same(shown.values(row, column),
                             similar["values"][static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
        view().similarity()->setThreshold(0.2);
        QCOMPARE((nlohmann::json(mergeAt(*view().similarity()->path(), 0.2).labelMap)), similar["merged"]);
    }

    void stagesHaveTheSameColumns()
    {
        open(m_cache);
        view().bar()->setOrder(ColumnOrder::byHead(HeadIndex(4)));
        WAIT_COMPARE(view().panels().front()->heatmap->options.order, ColumnOrder::byHead(HeadIndex(4)));
        const Heatmap& first = *view().panels().front()->heatmap;
        for (const auto& panel : view().panels())
            QCOMPARE(panel->heatmap->document, first.document);
        // By head 5 of the chosen stage, from the largest.
        for (std::int64_t column = first.topicStart[0]; column + 1 < first.topicStart[1]; ++column)
            QVERIFY(first.values(5, column) >= first.values(5, column + 1));
        view().bar()->setOrder({ColumnOrder::By::Clusters, {}});
        WAIT_FOR(!view().panels().front()->heatmap->columnTrees.empty());
        QVERIFY(!view().grab().isNull());
    }

    void selectionIsThatOfTheWindow()
    {
        open(m_cache);
        WAIT_FOR(test::viewOf<ui::MapView>(*m_window).scatter()->map() != nullptr);
        const viz::HeatmapLayout& layout = heatmap()->layoutOf(0);
        const auto document = view().panels().front()->heatmap->document[3];
        // Hover here, the document there.
        moveTo(heatmap(), layout.cellRect({2, 3}).center());
        ui::SelectionHub& hub = m_window->selection();
        QCOMPARE(hub.selection().hovered, std::optional<DocumentIndex>(document));
        QCOMPARE(hub.hoveredHead(), std::optional<HeadIndex>(1));
        moveTo(heatmap(), {2, 2});
        QCOMPARE(hub.selection().hovered, std::optional<DocumentIndex>());
        // Hover elsewhere, its column here.
        const QImage before = heatmap()->grab().toImage();
        hub.setHovered(DocumentIndex(document));
        QVERIFY(heatmap()->grab().toImage() != before);
        hub.setHovered({});
        QCOMPARE(heatmap()->grab().toImage(), before);
        // A cell is its document and head; with Shift it joins the chosen ones.
        QTest::mouseClick(heatmap(), Qt::LeftButton, {}, layout.cellRect({2, 3}).center().toPoint());
        QCOMPARE(hub.selection().primary, std::optional<DocumentIndex>(document));
        QCOMPARE(hub.selection().primaryHead, std::optional<HeadIndex>(1));
        QTest::mouseClick(heatmap(), Qt::LeftButton, Qt::ShiftModifier, layout.cellRect({2, 3}).center().toPoint());
        QCOMPARE(hub.selection().documents, (std::vector<std::int64_t>{document}));
        // A topic's letter: all its documents. Documents chosen on the map: pale columns here.
        const QPointF letter(heatmap()->layoutOf(2).topicRect(1).center().x(),
                             heatmap()->layoutOf(2).plot().bottom() + 10);
        QTest::mouseClick(heatmap(), Qt::LeftButton, {}, letter.toPoint());
        QCOMPARE(hub.selection().documents, heatmap()->documentsOf(1));
        const QImage pale = heatmap()->picture();
        hub.setDocuments({});
        QVERIFY(heatmap()->picture() != pale);
        // A row's colour: the head alone, on the map too.
        const QPointF strip(layout.plot().left() - 4, layout.rowRect(3).center().y());
        QTest::mouseClick(heatmap(), Qt::LeftButton, {}, strip.toPoint());
        QCOMPARE(m_window->dataPanel().headPicker()->heads(), (std::vector<std::int64_t>{2}));
    }

    void lateResultsOfAnotherCacheAreDropped()
    {
        test::SampleCacheOptions small;
        small.documents = 20;
        const QString other = m_folder.filePath(QStringLiteral("small.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(other.toStdString(), small));
        m_window->setView(ui::kHeatmapView);
        int opened = 0;
        bool emptied = false;
        connect(m_workbench.get(), &Workbench::cacheOpened, this, [&] {
            if (++opened == 1)
                m_workbench->open(other); // while the first one's heatmap is being computed
            else
                emptied = view().panels().empty();
        });
        std::vector<std::size_t> columns;
        connect(m_workbench.get(), &Workbench::viewShown, this, [&] {
            if (opened == 2 && !view().panels().empty())
                columns.push_back(view().panels().front()->heatmap->document.size());
        });
        m_workbench->open(m_cache);
        WAIT_FOR(!columns.empty());
        waitForCalm();
        disconnect(m_workbench.get(), nullptr, this, nullptr);
        QVERIFY(emptied);
        for (const std::size_t count : columns)
            QCOMPARE(count, std::size_t{20});
        QCOMPARE(view().panels().front()->heatmap->document.size(), std::size_t{20});
    }

    void mergeIsAppliedAndSaved()
    {
        open(m_cache);
        view().setMode(Mode::Similarity);
        WAIT_FOR(view().similarity()->path() != nullptr);
        const auto& joins = view().similarity()->path()->joins;
        view().similarity()->setThreshold((joins[0].similarity + joins[1].similarity) / 2);
        QCOMPARE(view().similarity()->merge().groups.size(), 3u);
        m_dialogs.nextPath = m_folder.filePath(QStringLiteral("map.json"));
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        view().similarity()->findChild<QAbstractButton*>(QStringLiteral("mergeSave"))->click();
        WAIT_COMPARE(saved.count(), 1);
        const auto merged = verb({"heatmap", "--label-map", m_dialogs.nextPath.toStdString(), "--stage",
                                  std::string(stageName(view().panels().front()->heatmap->stage))});
        QCOMPARE(merged["topics"].size(), std::size_t{3});
        view().similarity()->findChild<QAbstractButton*>(QStringLiteral("mergeApply"))->click();
        WAIT_COMPARE(m_window->choices().now().labelColumn, std::string("topic, merged"));
        view().setMode(Mode::Documents);
        WAIT_FOR(!view().panels().empty() && view().panels().front()->heatmap->topicNames.size() == 3);
        QVERIFY(same(view().panels().front()->statistics.mean[2], merged["rows"][2]["mean"]));
    }

    void everyModeIsSavedAndCopied()
    {
        open(m_cache);
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        const ui::ViewEntry& entry = *m_window->views().find(ui::kHeatmapView);
        QVERIFY(!entry.help.isEmpty());
        for (const Mode mode : {Mode::Documents, Mode::Similarity, Mode::Means})
        {
            view().setMode(mode);
            WAIT_FOR(mode != Mode::Similarity || view().similarity()->path() != nullptr);
            for (const char* ending : {"png", "pdf", "svg", "csv", "tex"})
            {
                const QString file = m_folder.filePath(
                    QStringLiteral("view%1.%2").arg(static_cast<int>(mode)).arg(QLatin1StringView(ending)));
                saved.clear();
                entry.save(file);
                WAIT_COMPARE(saved.count(), 1);
                QVERIFY(QFileInfo(file).size() > 50);
            }
            entry.copy();
            const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
            QVERIFY(copied->hasImage());
            QVERIFY(
                copied->text().contains(mode == Mode::Similarity ? QStringLiteral("Cooking") : QStringLiteral("full")));
            const QString line = entry.commandLine();
            QVERIFY(line.startsWith(mode == Mode::Similarity ? QStringLiteral("headscope similarity")
                                                             : QStringLiteral("headscope heatmap")));
            QVERIFY(line.contains(m_cache));
            QCOMPARE(test::copiedLineFault(line), std::string());
        }
    }

    void withoutTopicsItSaysWhatIsMissing()
    {
        test::SampleCacheOptions bare;
        bare.topics = false;
        const QString file = m_folder.filePath(QStringLiteral("bare.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(file.toStdString(), bare));
        m_window->setView(ui::kHeatmapView);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(file);
        WAIT_COMPARE(opened.count(), 1);
        for (const Mode mode : {Mode::Documents, Mode::Similarity, Mode::Means})
        {
            view().setMode(mode);
            QVERIFY(view().emptyState()->isVisible());
            const QString text = view().emptyState()->text();
            QVERIFY2(text.contains(QStringLiteral("set “Topic names” in the options")), qPrintable(text));
        }
    }

    void oneTopicHasNothingToCompare()
    {
        test::SampleCacheOptions one;
        one.labels.assign(48, "Cooking");
        const QString file = m_folder.filePath(QStringLiteral("one.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(file.toStdString(), one));
        open(file);
        QCOMPARE(view().panels().front()->heatmap->topicNames.size(), std::size_t{1});
        QVERIFY(!view().grab().isNull());
        view().setMode(Mode::Means);
        view().means()->findChild<QComboBox*>(QStringLiteral("meansWhat"))->setCurrentIndex(1); // no other topics: NaN
        QVERIFY(!view().grab().isNull());
        view().setMode(Mode::Similarity);
        WAIT_COMPARE(view().emptyState()->title(), QStringLiteral("Nothing to compare"));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopHeatmap)
#include "tst_desktop_heatmap.moc"
