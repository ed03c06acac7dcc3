// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/find_controller.h"

#include "app/desktop/find/join_controller.h"
#include "app/desktop/find/join_labels.h"
#include "app/desktop/find/search_texts.h"
#include "app/desktop/shell/cards.h"
#include "app/desktop/start/workbench.h"
#include "app/views/attention/attention_view.h"
#include "app/views/map/grow_choice.h"
#include "app/views/map/map_view.h"
#include "model/base/random.h"
#include "model/data/documents/document_numbers.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/join_dialog.h"
#include "ui/models/roles.h"
#include "ui/models/set_list_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/document_text.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/document/nearest_lists.h"
#include "ui/panels/find/find_panel.h"
#include "ui/settings/settings.h"
#include "ui/window/notice_bar.h"
#include "ui/window/side_panels.h"

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headscope;
using namespace headscope::desktop;
using Documents = std::vector<std::int64_t>;

/// Finding and keeping documents in the whole window.
class TestDesktopFind : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    const Documents& chosen() { return hub().selection().documents; }
    ui::FindPanel& panel() { return m_workbench->find().panel(); }

    QString writeFile(const char* name, const QByteArray& contents)
    {
        const QString path = m_folder.filePath(QLatin1StringView(name));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(contents);
        return path;
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::SampleCacheOptions options;
        options.map = true;
        writeSample(options);
    }

    void init()
    {
        makeWindow({.engine = QStringLiteral("false"), .size = {1200, 800}});
        openAndLoad(m_cache);
    }

    void cleanup() { dropWindow(); }

    void wordsToChoiceToInspector()
    {
        action("actionFind")->trigger();
        QCOMPARE(m_window->sidePanels().currentPage(), QStringLiteral("find"));
        QVERIFY(panel().search()->field()->hasFocus());
        QSignalSpy searched(&m_workbench->find(), &FindController::searched);
        QTest::keyClicks(panel().search()->field(), QStringLiteral("document 4"));
        WAIT_FOR(!m_workbench->find().searching());
        WAIT_COMPARE(panel().search()->model()->rowCount(), 12); // 4, 14, 24, 34 and 40 to 47
        QTest::keyClick(panel().search()->field(), Qt::Key_Return);
        QCOMPARE(hub().selection().primary, std::optional<DocumentIndex>(4));
        QVERIFY(m_window->inspector().documentText()->hits().size() >= 2U);
        action("actionFindNext")->trigger();
        QCOMPARE(hub().selection().primary, std::optional<DocumentIndex>(14));
        action("actionFindPrevious")->trigger();
        QCOMPARE(hub().selection().primary, std::optional<DocumentIndex>(4));
        click("foundChoose");
        QCOMPARE(chosen().size(), 12U);
        action("actionUndo")->trigger();
        QVERIFY(chosen().empty());
        // The newest words win, and no words find nothing.
        panel().search()->field()->setText(QStringLiteral("d"));
        panel().search()->field()->setText(QStringLiteral("doc-11"));
        WAIT_COMPARE(panel().search()->model()->rowCount(), 1);
        panel().search()->field()->clear();
        WAIT_COMPARE(panel().search()->model()->rowCount(), 0);
    }

    void cardsShowTheHit()
    {
        panel().search()->field()->setText(QStringLiteral("document 7"));
        WAIT_FOR(!m_workbench->find().searching());
        const ui::HoverContent card =
            documentCard(m_workbench->study(), DocumentIndex(7), HeadIndex(2), Stage::HeadOutput);
        QCOMPARE(card.text, QStringLiteral("The text of document 7."));
        QCOMPARE(card.hits.size(), 2U);
        QCOMPARE(card.text.mid(card.hits[0].first, card.hits[0].second - card.hits[0].first),
                 QStringLiteral("document"));
        panel().search()->field()->clear();
        QVERIFY(documentCard(m_workbench->study(), DocumentIndex(7), HeadIndex(2), Stage::HeadOutput).hits.empty());
    }

    void conditionsToChoice()
    {
        action("actionFilter")->trigger();
        QCOMPARE(panel().page(), ui::FindPanel::Page::Filter);
        ui::FilterPage* page = panel().filter();
        QSignalSpy filtered(&m_workbench->find(), &FindController::filtered);
        page->setConditions(
            {LabelCondition{"topic", {"Cooking"}, false}, NumberCondition{NumberSource::Tokens, {}, 0, 50, 70}});
        WAIT_FOR(filtered.count() >= 1 && !m_workbench->find().searching());
        click("filteredChoose");
        Documents expected;
        for (std::int64_t i = 0; i < 48; ++i)
            if (i % 4 == 1 && 40 + i % 60 >= 50 && 40 + i % 60 <= 70)
                expected.push_back(i);
        QCOMPARE(chosen(), expected);
        // By the strength of heads, and by what is chosen now.
        page->setConditions(
            {StrongestCondition{{0, 1, 2}}, GroupCondition{ui::choiceGroupName().toStdString(), false}});
        WAIT_FOR(!m_workbench->find().searching());
        click("filteredIntersect");
        QVERIFY(chosen().size() <= expected.size());
        page->setConditions({NumberCondition{NumberSource::HeadStrength, {}, 8, 0, 1e9}});
        WAIT_FOR2(page->countLine().startsWith(QStringLiteral("48 of 48")), qPrintable(page->countLine()));
        QVERIFY(!page->rows().front()->leastField()->placeholderText().isEmpty());
    }

    void setsAreKeptShownAndUndone()
    {
        hub().setDocuments({1, 2, 3});
        action("actionKeepSet")->trigger();
        QCOMPARE(panel().page(), ui::FindPanel::Page::Sets);
        QTest::keyClicks(panel().sets()->nameField(), QStringLiteral("night"));
        QTest::keyClick(panel().sets()->nameField(), Qt::Key_Return);
        QCOMPARE(hub().sets().count(), 1);
        hub().setDocuments({3, 4});
        QTest::keyClick(panel().sets()->nameField(), Qt::Key_Return);
        QCOMPARE(hub().sets().at(1).name, QStringLiteral("Set 1"));
        // On the map: the sets' colours, their mixture, and grey.
        m_window->choices().setColor({"set", {}});
        const auto& coloring = test::viewOf<ui::MapView>(*m_window).scatter()->coloring();
        const auto& legend = std::get<viz::CategoryLegend>(coloring.legend.content);
        QCOMPARE(legend.entries.size(), 4U);
        const auto colorOf = [&coloring](std::size_t point) { return coloring.colors[coloring.index[point]]; };
        QCOMPARE(colorOf(1 * 9), hub().sets().at(0).color.rgb());
        QCOMPARE(colorOf(4 * 9 + 5), hub().sets().at(1).color.rgb());
        QVERIFY(colorOf(3 * 9) != colorOf(1 * 9) && colorOf(3 * 9) != colorOf(4 * 9));
        ui::NamedSets recolored = hub().sets();
        recolored.recolor(0, QColor(1, 2, 3));
        hub().setSets(recolored);
        QCOMPARE(test::viewOf<ui::MapView>(*m_window)
                     .scatter()
                     ->coloring()
                     .colors[test::viewOf<ui::MapView>(*m_window).scatter()->coloring().index[9]],
                 qRgb(1, 2, 3));
        action("actionUndo")->trigger();
        // As a filter.
        panel().filter()->setConditions({GroupCondition{"night", true}});
        WAIT_FOR(panel().filter()->countLine().startsWith(QStringLiteral("45 of 48")));
        // Undo takes the set away again, redo brings it back.
        action("actionUndo")->trigger();
        QCOMPARE(hub().sets().count(), 1);
        QCOMPARE(chosen(), (Documents{3, 4}));
        action("actionRedo")->trigger();
        QCOMPARE(hub().sets().count(), 2);
        QTest::keyClick(panel().sets()->list(), Qt::Key_Delete);
        QCOMPARE(hub().sets().count(), 1);
    }

    void setsComeBackWithTheirCache()
    {
        hub().setDocuments({1, 2, 3});
        ui::NamedSets sets;
        sets.keep(QStringLiteral("night"), {1, 2, 3});
        hub().setSets(sets);
        const QString other = m_folder.filePath(QStringLiteral("other.h5"));
        test::SampleCacheOptions options;
        options.documents = 12;
        options.map = true;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(other.toStdString(), options));
        openAndLoad(other);
        QVERIFY(hub().sets().isEmpty() && !hub().canUndo());
        openAndLoad(m_cache);
        QVERIFY(hub().sets() == sets);
        QVERIFY(!hub().canUndo());
    }

    void growsToNeighbours()
    {
        QSignalSpy grown(&m_workbench->find(), &FindController::choiceGrown);
        m_workbench->find().grow({.neighbors = 5});
        QCOMPARE(grown.count(), 0); // nothing is chosen: said, not done
        hub().setDocuments({0, 1});
        action("actionGrow")->trigger();
        WAIT_COMPARE(grown.count(), 1);
        QVERIFY(std::ranges::includes(chosen(), Documents{0, 1}));
        QVERIFY(chosen().size() >= 6 && chosen().size() <= 12);
        action("actionUndo")->trigger();
        QCOMPARE(chosen(), (Documents{0, 1}));
        // By a head: the ones the inspector shows.
        hub().setDocuments({5});
        hub().setPrimary(DocumentIndex(5), HeadIndex(3));
        m_workbench->find().grow({.neighbors = 6, .space = GrowSpace::Head});
        WAIT_COMPARE(grown.count(), 2);
        QCOMPARE(chosen().size(), 7U);
        const auto* nearest = m_window->inspector().nearest()->headTable()->model();
        WAIT_FOR(nearest->rowCount() >= 6);
        const auto isChosen = [&](int row) {
            return hub().selection().contains(
                DocumentIndex(nearest->index(row, 0).data(ui::DocumentRole).toLongLong()));
        };
        for (int row = 0; row < 6; ++row) // of the document before, until its own are there
            WAIT_FOR(isChosen(row));
    }

    void menuOverAPoint()
    {
        ui::ScatterWidget* scatter = test::viewOf<ui::MapView>(*m_window).scatter();
        waitForCalm();
        const MatrixF& xy = scatter->map()->xy;
        const QPoint place = scatter->view().screenFromData(QPointF(xy(13, 0), xy(13, 1))).toPoint();
        QTest::mouseMove(scatter, place + QPoint(30, 30));
        QTest::mouseMove(scatter, place);
        WAIT_FOR(scatter->hoveredPoint().has_value());
        const auto point = static_cast<std::size_t>(*scatter->hoveredPoint());
        const std::int64_t document = scatter->map()->points->document[point];
        const std::int64_t head = scatter->map()->points->head[point];
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, scatter->mapToGlobal(place));
        QApplication::sendEvent(scatter, &event);
        auto* menu = scatter->findChild<QMenu*>(QStringLiteral("pointMenu"));
        QVERIFY(menu != nullptr);
        const auto run = [menu](const QString& part) {
            for (QAction* action : menu->actions())
                if (action->text().contains(part))
                    return action->trigger();
            QFAIL(qPrintable(part));
        };
        run(QStringLiteral("Select this document"));
        QCOMPARE(chosen(), (Documents{document}));
        // What every document has in its menu.
        run(QStringLiteral("Show this document"));
        QCOMPARE(hub().selection().primary, std::optional(DocumentIndex(document)));
        run(QStringLiteral("Select all 12 of"));
        QCOMPARE(chosen().size(), 12U);
        run(QStringLiteral("Show only head"));
        QCOMPARE(m_window->choices().now().heads, (Documents{head}));
        run(QStringLiteral("Show only KV group"));
        QCOMPARE(m_window->choices().now().heads, (Documents{head / 3 * 3, head / 3 * 3 + 1, head / 3 * 3 + 2}));
        run(QStringLiteral("Show all"));
        QCOMPARE(m_window->choices().now().heads.size(), 9U);
        run(QStringLiteral("Attention of this document"));
        QCOMPARE(m_window->view(), ui::kAttentionView);
        m_window->setView(ui::kMapView);
        menu->close();
    }

    void labelsOutOfAFile()
    {
        QByteArray text = "key;kind;year;Price, net\n"; // as spreadsheets write it where 3,14 is a number
        for (int i = 0; i < 40; ++i)
            text += "doc-" + QByteArray::number(i) + (i % 2 == 0 ? ";\"even, or so\";" : ";odd;") +
                    QByteArray::number(1990 + i) + ";" + QByteArray::number(i) + ",5\n";
        text += "nobody;odd;2000;\n";
        m_dialogs.nextPath = writeFile("labels.csv", text);
        action("actionJoinLabels")->trigger();
        WAIT_FOR(m_workbench->join().dialog() != nullptr && m_workbench->join().dialog()->isVisible());
        ui::JoinDialog* dialog = m_workbench->join().dialog();
        QCOMPARE(dialog->idBox()->currentText(), QStringLiteral("key"));
        QVERIFY2(dialog->matchLine().contains(QStringLiteral("40 of 48")), qPrintable(dialog->matchLine()));
        QVERIFY(dialog->unmatchedText().contains(QStringLiteral("nobody")));
        // Another column of ids matches nothing; back again.
        dialog->idBox()->setCurrentText(QStringLiteral("year"));
        WAIT_FOR(!dialog->applyButton()->isEnabled());
        dialog->idBox()->setCurrentText(QStringLiteral("key"));
        WAIT_FOR(dialog->applyButton()->isEnabled());
        QSignalSpy joined(&m_workbench->join(), &JoinController::joined);
        hub().setDocuments({1, 2});
        QTest::mouseClick(dialog->applyButton(), Qt::LeftButton);
        WAIT_COMPARE(joined.count(), 1);
        QCOMPARE(m_window->choices().now().labelColumn, std::string("kind"));
        QCOMPARE(chosen(), (Documents{1, 2}));
        const auto documents = m_workbench->study().cache()->overview->documents;
        QCOMPARE(std::string(documents->label("kind")->category(2)), std::string("even, or so"));
        QCOMPARE(documentNumbers(*documents, "year")->values[3], 1993.0F);
        QCOMPARE(documentNumbers(*documents, "Price, net")->values[3], 3.5F);
        QVERIFY(m_window->choices().setColor({"number", "year"}));
        QVERIFY(m_window->choices().setColor({"label", "kind"}));
        QVERIFY(documents->label("topic") != nullptr);
        // The filter knows the column at once.
        panel().filter()->setConditions({NumberCondition{NumberSource::Column, "year", 0, 1990, 1999}});
        WAIT_FOR2(panel().filter()->countLine().startsWith(QStringLiteral("10 of 48")),
                  qPrintable(panel().filter()->countLine()));
    }

    void badFilesSayWhy_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<QString>("part");
        QTest::newRow("no rows") << "empty.csv" << QByteArray("id,topic\n") << "a row for each document";
        QTest::newRow("one column") << "one.csv" << QByteArray("id\na\n") << "one column of labels";
        QTest::newRow("broken line") << "broken.jsonl" << QByteArray("{\"id\": \"a\", \"b\": 1}\n{\"id\"\n")
                                     << "line 2";
        QTest::newRow("no table") << "x.png" << QByteArray("x") << "x.png";
        QTest::newRow("missing") << "missing.csv" << QByteArray() << "missing.csv";
    }
    void badFilesSayWhy()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, contents);
        QFETCH(QString, part);
        const QString path =
            contents.isEmpty() ? m_folder.filePath(name) : writeFile(name.toLatin1().constData(), contents);
        m_workbench->join().ask(path);
        WAIT_FOR2(m_window->notices().sentence().contains(part), qPrintable(m_window->notices().sentence()));
        // It stays where it is seen until it is closed.
        QVERIFY(m_window->notices().isVisible());
        QTest::mouseClick(m_window->notices().findChild<QPushButton*>(QStringLiteral("noticeClose")), Qt::LeftButton);
        QVERIFY(!m_window->notices().isVisible());
        QVERIFY(m_workbench->join().dialog() == nullptr);
    }

    /// Pictures to look at, of the demo: HEADSCOPE_PICTURES names the folder.
    void pictures_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << false << QSize(1440, 900);
        QTest::newRow("dark") << true << QSize(1440, 900);
        QTest::newRow("light_small") << false << QSize(1100, 700);
        QTest::newRow("dark_small") << true << QSize(1100, 700);
    }
    void pictures()
    {
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("no pictures were asked for");
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        ui::Theme::instance().setScheme(dark ? ui::Theme::Scheme::Dark : ui::Theme::Scheme::Light);
        m_window->resize(size);
        const QString cache = qEnvironmentVariable("HEADSCOPE_PICTURES_CACHE");
        openAndLoad(cache.isEmpty()
                        ? QString::fromStdString(headscope::test::source("resources/demo/demo-cache.h5").string())
                        : cache);
        const auto save = [&](const char* name) {
            waitForCalm();
            m_window->grab().save(folder + u'/' + QLatin1StringView(name) + u'_' +
                                  QLatin1StringView(QTest::currentDataTag()) + QStringLiteral(".png"));
        };
        hub().setPrimary(DocumentIndex(17), HeadIndex(4));
        save("inspector");
        action("actionFind")->trigger();
        panel().search()->field()->setText(
            qEnvironmentVariable("HEADSCOPE_PICTURES_WORDS", QStringLiteral("the sleep")));
        WAIT_FOR(!m_workbench->find().searching());
        QTest::keyClick(panel().search()->field(), Qt::Key_Return);
        save("text");
        m_window->showSidePanel(QStringLiteral("document"));
        save("document");
        action("actionFilter")->trigger();
        const auto& topics = m_workbench->study().cache()->overview->documents->labels.front();
        panel().filter()->setConditions({LabelCondition{topics.name, {topics.categories.front()}, true},
                                         NumberCondition{NumberSource::Tokens, {}, 0, 20, 300},
                                         StrongestCondition{{0, 1, 2, 4}},
                                         NumberCondition{NumberSource::HeadStrength, {}, 2},
                                         GroupCondition{ui::searchGroupName().toStdString(), true}});
        WAIT_FOR(!m_workbench->find().searching());
        save("filter");
        click("filteredChoose");
        ui::NamedSets sets;
        sets.keep(QStringLiteral("night"), Documents{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        sets.keep(QStringLiteral("Not astronomy, short, and with a rather long name"), chosen());
        hub().setSets(sets);
        action("actionKeepSet")->trigger();
        m_window->choices().setColor({"set", {}});
        save("sets");
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    }

    /// A replaced column has no topic vectors any more: they belong to other names.
    void replacedColumnsLoseTheirTopics()
    {
        const auto overview = m_workbench->study().cache()->overview;
        QCOMPARE(overview->topicColumns.size(), 1U);
        const LabelTable table{"x", {"id", "topic"}, {{"doc-1"}, {"other"}}};
        const auto joined = joinedOverview(*overview, joinLabels(*overview->documents, table), {"topic"});
        QVERIFY(joined->topicColumns.empty());
        QCOMPARE(joined->documents->label("topic")->categories.size(), 1U);
    }

    /// Against all distances, for any number of threads.
    void grownAsDefined()
    {
        const CounterRandom random(5);
        MatrixF rows(70, 6);
        for (std::int64_t i = 0; i < 70; ++i)
            for (std::int64_t d = 0; d < 6; ++d)
                rows(i, d) = static_cast<float>(random.normal(static_cast<std::uint64_t>(i * 6 + d)));
        rows(9, 2) = std::nanf("");
        JobContext job;
        const auto cosine = [&rows](std::int64_t a, std::int64_t b) {
            double ab = 0;
            double aa = 0;
            double bb = 0;
            for (std::int64_t d = 0; d < 6; ++d)
            {
                ab += static_cast<double>(rows(a, d)) * static_cast<double>(rows(b, d));
                aa += static_cast<double>(rows(a, d)) * static_cast<double>(rows(a, d));
                bb += static_cast<double>(rows(b, d)) * static_cast<double>(rows(b, d));
            }
            return ab / std::sqrt(aa * bb);
        };
        const Documents start{3, 9, 20, 21, 40, 60};
        for (const std::int64_t count : {0, 1, 4, 100})
        {
            std::set<std::int64_t> expected(start.begin(), start.end());
            for (const std::int64_t from : start)
            {
                if (from == 9)
                    continue;
                std::vector<std::pair<double, std::int64_t>> order;
                for (std::int64_t other = 0; other < 70; ++other)
                    if (other != from && other != 9)
                        order.emplace_back(-cosine(from, other), other);
                std::ranges::sort(order);
                for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), static_cast<std::size_t>(count)); ++i)
                    expected.insert(order[i].second);
            }
            const Documents wanted(expected.begin(), expected.end());
            for (const int threads : {1, 3})
            {
                const auto grown = grownDocuments(rows.view(), start, count, threads, job);
                HEADSCOPE_VERIFY_OK(grown);
                QCOMPARE(*grown, wanted);
            }
        }
    }

    void searchIsTheSameOnAnyNumberOfThreads()
    {
        const auto documents = test::sampleDocuments(1000);
        const auto query = *ui::TextQuery::parse(QStringLiteral("number 7"), ui::TextQuery::Kind::Words);
        JobContext job;
        const auto one = searchTexts(*documents, query, nullptr, 1, job);
        const auto four = searchTexts(*documents, query, nullptr, 4, job);
        HEADSCOPE_VERIFY_OK(one);
        HEADSCOPE_VERIFY_OK(four);
        QCOMPARE((*one)->hits.size(), 271U);
        QCOMPARE((*one)->documents(), (*four)->documents());
        QCOMPARE((*one)->occurrences, (*four)->occurrences);
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(searchTexts(*documents, query, nullptr, 2, stopped), ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopFind)
#include "tst_desktop_find.moc"
