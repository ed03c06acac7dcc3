// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a work: listed, kept with it, and saved again all at once.
#include "app/desktop/work/figure_list.h"
#include "app/desktop/work/undo_history.h"
#include "app/desktop/work/work_session.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/figures/figure_list_dialog.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>

using namespace headscope;
using desktop::FigureList;
using desktop::Workbench;
using desktop::WorkSession;
using test::bytesOf;

class TestDesktopFigureList : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    WorkSession& work() { return m_workbench->work(); }
    FigureList& list() { return m_workbench->figures(); }
    ui::Choices& choices() { return m_workbench->study().choices(); }
    QString paper(const QString& name) const { return m_place->filePath(QStringLiteral("paper/") + name); }

    /// Saves the view in front, as the menu does.
    void save(const QString& name)
    {
        QDir(m_place->path()).mkpath(QStringLiteral("paper"));
        waitForCalm();
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = paper(name);
        action("actionSaveView")->trigger();
        WAIT_COMPARE(saved.count(), 1);
    }
    /// Three figures of three views, each of another choice; then the window shows a fourth.
    void saveThree()
    {
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({0, 2, 3});
        hub().setDocuments({2, 3, 4, 20});
        const auto& canvas = *test::viewOf<ui::MapView>(*m_window).scatter();
        test::viewOf<ui::MapView>(*m_window).scatter()->setView(canvas.view().zoomedAt({200, 150}, 1.7));
        save(QStringLiteral("map.pdf"));
        m_window->setView(ui::kHeatmapView);
        choices().chooseAllHeads();
        choices().setStage(Stage::OutputSegment);
        waitForJobs();
        WAIT_FOR(!test::viewOf<ui::HeatmapView>(*m_window).heatmap()->panels().empty());
        ui::FigureSize size{160, 300, "acl-page"};
        size.files = true;
        m_dialogs.nextSize = size;
        save(QStringLiteral("heatmap.svg"));
        m_dialogs.nextSize = ui::FigureSize();
        m_window->setView(ui::kHeadsView);
        choices().setStage(Stage::HeadOutput);
        hub().setDocuments({});
        waitForJobs();
        save(QStringLiteral("heads.png"));
        choices().setHeads({1});
        hub().setDocuments({7});
        m_window->setView(ui::kProbeView);
        waitForCalm();
    }
    void saveAgain(const std::vector<int>& rows)
    {
        QSignalSpy done(&list(), &FigureList::savedAgain);
        m_dialogs.nextAnswer = 1;
        list().saveAgain(rows);
        WAIT_COMPARE(done.count(), 1);
        waitForJobs();
    }
    QString stateOf(int row) { return list().dialog()->list()->topLevelItem(row)->text(3); }

private Q_SLOTS:
    void init() { beginTest(); }
    void cleanup() { endTest(); }

    /// Saved again from the same data they are the same bytes, and the window is as it was.
    void savedAgainTheyAreTheSame()
    {
        saveThree();
        QCOMPARE(list().figures().size(), std::size_t{3});
        const QStringList files = QDir(paper({})).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files, (QStringList{QStringLiteral("heads.png"), QStringLiteral("heatmap.csv"),
                                     QStringLiteral("heatmap.json"), QStringLiteral("heatmap.svg"),
                                     QStringLiteral("heatmap.tex"), QStringLiteral("map.pdf")}));
        std::map<QString, QByteArray> before;
        for (const QString& name : files)
        {
            before[name] = bytesOf(paper(name));
            QVERIFY(QFile::remove(paper(name)));
        }
        list().show();
        const QJsonObject window = work().gather();
        const bool couldUndo = m_workbench->undo().canUndo();
        saveAgain({0, 1, 2});
        for (const auto& [name, bytes] : before)
            QVERIFY2(bytesOf(paper(name)) == bytes, qPrintable(name));
        for (int row = 0; row < 3; ++row)
            QCOMPARE(stateOf(row), QStringLiteral("saved again"));
        QJsonObject now = work().gather();
        QJsonObject then = window;
        now.remove(QStringLiteral("figures")); // the times are others
        then.remove(QStringLiteral("figures"));
        for (auto each = then.begin(); each != then.end(); ++each)
            QVERIFY2(now.value(each.key()) == each.value(), qPrintable(each.key()));
        QVERIFY(m_window->view() == ui::kProbeView);
        QCOMPARE(m_workbench->undo().canUndo(), couldUndo);
        QCOMPARE(list().figures().size(), std::size_t{3});
        list().dialog()->close();
    }

    /// They go with the work file, and are saved again from there.
    void theyComeBackWithTheWork()
    {
        saveThree();
        const QByteArray heatmap = bytesOf(paper(QStringLiteral("heatmap.csv")));
        const QString file = m_place->filePath(QStringLiteral("study.headscope"));
        QSignalSpy saved(&work(), &WorkSession::saved);
        work().saveTo(file);
        WAIT_COMPARE(saved.count(), 1);
        QJsonObject kept;
        list().saveState(kept);
        closeWindow();
        begin();
        QSignalSpy restored(&work(), &WorkSession::restored);
        m_workbench->open(file);
        WAIT_COMPARE(restored.count(), 1);
        waitForJobs();
        QJsonObject read;
        list().saveState(read);
        QCOMPARE(read, kept);
        QCOMPARE(list().figures().size(), std::size_t{3});
        QVERIFY(QFile::remove(paper(QStringLiteral("heatmap.csv"))));
        saveAgain({1});
        QCOMPARE(bytesOf(paper(QStringLiteral("heatmap.csv"))), heatmap);
        // Another cache has no figures yet.
        openAndSettle(m_other);
        QVERIFY(list().figures().empty());
        QVERIFY(!work().gather().contains(QStringLiteral("figures")));
    }

    /// Without a work file they stay with their cache, whatever is opened in between and after a new start.
    void theyComeBackWithTheirCache()
    {
        saveThree();
        QJsonObject listed;
        list().saveState(listed);
        const auto openCache = [this](const QString& cache) {
            openAndSettle(cache);
            waitForJobs();
        };
        openCache(m_other);
        QVERIFY(list().figures().empty());
        openCache(m_cache);
        QJsonObject back;
        list().saveState(back);
        QCOMPARE(back, listed);
        QVERIFY2(plain(keeper().keptText()).contains(QStringLiteral("3 listed figures")),
                 qPrintable(keeper().keptText()));
        closeWindow();
        begin();
        openCache(m_cache);
        back = {};
        list().saveState(back);
        QCOMPARE(back, listed);
        // One that is removed is gone for good, and all with the kept work.
        list().show();
        list().dialog()->list()->topLevelItem(0)->setSelected(true);
        QTest::mouseClick(list().dialog()->findChild<QPushButton*>(QStringLiteral("figureRemove")), Qt::LeftButton);
        list().dialog()->close();
        openCache(m_other);
        openCache(m_cache);
        QCOMPARE(list().figures().size(), std::size_t{2});
        m_dialogs.nextAnswer = 1;
        keeper().askToForget();
        QVERIFY(list().figures().empty());
        openCache(m_other);
        openCache(m_cache);
        QVERIFY(list().figures().empty());
    }

    /// Views beside each other: one figure of panels with all that goes with it, which is kept and made again.
    void viewsBecomePanels()
    {
        saveThree();
        list().show();
        list().savePanels({1}, 0); // one view is no page
        QVERIFY(!list().busy());
        ui::FigureSize size{160, 300, "acl-page"};
        size.files = true;
        m_dialogs.nextSize = size;
        m_dialogs.nextPath = paper(QStringLiteral("all.pdf"));
        const QJsonObject choice = work().gather().value(QStringLiteral("choice")).toObject();
        QSignalSpy done(&list(), &FigureList::savedAgain);
        list().savePanels({0, 1, 2}, 2);
        WAIT_COMPARE(done.count(), 1);
        QCOMPARE(stateOf(3), QStringLiteral("saved again"));
        QCOMPARE(work().gather().value(QStringLiteral("choice")).toObject(), choice);
        QCOMPARE(list().figures().size(), std::size_t{4});
        QCOMPARE(list().figures()[3].panels.size(), std::size_t{3});
        const QString shows = list().dialog()->list()->topLevelItem(3)->text(1);
        QVERIFY2(shows.startsWith(QStringLiteral("(a) Map: ")) && shows.contains(QStringLiteral("(c) Heads: ")),
                 qPrintable(shows));
        const QStringList files = QDir(paper({})).entryList({QStringLiteral("all*")}, QDir::Files, QDir::Name);
        QCOMPARE(files,
                 (QStringList{QStringLiteral("all-a.csv"), QStringLiteral("all-b.csv"), QStringLiteral("all-c.csv"),
                              QStringLiteral("all.json"), QStringLiteral("all.pdf"), QStringLiteral("all.tex")}));
        // The same numbers as those of the figures alone.
        QCOMPARE(bytesOf(paper(QStringLiteral("all-b.csv"))), bytesOf(paper(QStringLiteral("heatmap.csv"))));
        const QString latex = QString::fromUtf8(bytesOf(paper(QStringLiteral("all.tex"))));
        for (const char* part : {"figure*", "(a) ", "(b) ", "(c) ", "160"})
            QVERIFY2(latex.contains(QString::fromUtf8(part)), qPrintable(latex));
        const QJsonObject recipe = QJsonDocument::fromJson(bytesOf(paper(QStringLiteral("all.json")))).object();
        QCOMPARE(recipe.value(QStringLiteral("verb")).toString(), QStringLiteral("figure"));
        QCOMPARE(recipe.value(QStringLiteral("panels")).toArray().size(), 3);
        const auto box = QRegularExpression(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)"))
                             .match(QString::fromLatin1(bytesOf(paper(QStringLiteral("all.pdf")))));
        QVERIFY2(std::abs(box.captured(1).toDouble() / 72 * 25.4 - 160) < 0.5, qPrintable(box.captured(1)));
        QVERIFY2(box.captured(2).toDouble() > 160, qPrintable(box.captured(2)));
        // Made again it is the same, also from the work file.
        std::map<QString, QByteArray> before;
        for (const QString& name : files)
        {
            before[name] = bytesOf(paper(name));
            QVERIFY(!before[name].isEmpty() && QFile::remove(paper(name)));
        }
        QJsonObject kept;
        list().saveState(kept);
        list().restoreState(kept);
        QJsonObject read;
        list().saveState(read);
        QCOMPARE(read, kept);
        saveAgain({3});
        for (const auto& [name, bytes] : before)
            QVERIFY2(bytesOf(paper(name)) == bytes, qPrintable(name));
        // A page is no panel, and no view shows it.
        list().dialog()->list()->topLevelItem(2)->setSelected(true);
        auto* panels = list().dialog()->findChild<QPushButton*>(QStringLiteral("figurePanels"));
        QVERIFY(!panels->isEnabled());
        list().dialog()->list()->topLevelItem(1)->setSelected(true);
        QVERIFY(panels->isEnabled());
        list().dialog()->list()->topLevelItem(3)->setSelected(true);
        QVERIFY(!panels->isEnabled());
        const QString pictures = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (!pictures.isEmpty())
        {
            list().dialog()->grab().save(pictures + QStringLiteral("/figure-list-panels.png"));
            QFile::copy(paper(QStringLiteral("all.pdf")), pictures + QStringLiteral("/panels.pdf"));
        }
        list().dialog()->close();
    }

    /// A panel that cannot be drawn ends the page, which stays as it was.
    void aPageIsWholeOrNothing()
    {
        saveThree();
        list().show();
        m_dialogs.nextPath = paper(QStringLiteral("all.svg"));
        QFile there(m_dialogs.nextPath);
        QVERIFY(there.open(QIODevice::WriteOnly) && there.write("before") == 6);
        there.close();
        QJsonObject state;
        list().saveState(state);
        QJsonArray figures = state.value(QStringLiteral("figures")).toArray();
        QJsonObject first = figures.at(0).toObject();
        first[QStringLiteral("view")] = QStringLiteral("nowhere");
        figures[0] = first;
        list().restoreState({{QStringLiteral("figures"), figures}});
        QSignalSpy done(&list(), &FigureList::savedAgain);
        list().savePanels({1, 0}, 0);
        WAIT_COMPARE(done.count(), 1);
        QVERIFY2(stateOf(3).startsWith(QStringLiteral("not saved: ")), qPrintable(stateOf(3)));
        QCOMPARE(bytesOf(paper(QStringLiteral("all.svg"))), QByteArray("before"));
        list().dialog()->close();
    }

    /// What cannot be made as it was is not made, and says why; the others are.
    void whatCannotBeMadeIsNot()
    {
        saveThree();
        QJsonObject state;
        list().saveState(state);
        QJsonArray figures = state.value(QStringLiteral("figures")).toArray();
        QJsonObject first = figures.at(0).toObject();
        QJsonObject shown = first.value(QStringLiteral("state")).toObject();
        QJsonArray maps = shown.value(QStringLiteral("maps")).toArray();
        QVERIFY(!maps.isEmpty());
        maps.append(QJsonObject{{QStringLiteral("name"), QStringLiteral("gone")}, {QStringLiteral("hash"), QString()}});
        shown[QStringLiteral("maps")] = maps;
        first[QStringLiteral("state")] = shown;
        figures[0] = first;
        list().restoreState({{QStringLiteral("figures"), figures}});
        list().show();
        const QByteArray map = bytesOf(paper(QStringLiteral("map.pdf")));
        QVERIFY(QFile::remove(paper(QStringLiteral("heads.png"))));
        QVERIFY(QDir().mkpath(paper(QStringLiteral("heads.png")))); // where a file belongs
        saveAgain({0, 1, 2});
        QVERIFY2(stateOf(0).contains(QStringLiteral("maps")), qPrintable(stateOf(0)));
        QCOMPARE(bytesOf(paper(QStringLiteral("map.pdf"))), map);
        QCOMPARE(stateOf(1), QStringLiteral("saved again"));
        QVERIFY2(stateOf(2).startsWith(QStringLiteral("not saved: ")), qPrintable(stateOf(2)));
        QVERIFY2(plain(list().dialog()->note()).startsWith(QStringLiteral("2 of 3 figures")),
                 qPrintable(list().dialog()->note()));
        list().dialog()->close();
    }

    /// Stopped, or with the cache gone, it ends; the window is the user's again.
    void itCanBeStopped()
    {
        saveThree();
        list().show();
        const QJsonObject choice = work().gather().value(QStringLiteral("choice")).toObject();
        QSignalSpy done(&list(), &FigureList::savedAgain);
        m_dialogs.nextAnswer = 1;
        list().saveAgain({0, 1, 2});
        QVERIFY(list().busy());
        QVERIFY(!work().isSettled()); // nothing of it is the user's work
        auto* close = list().dialog()->findChild<QPushButton*>(QStringLiteral("figureClose"));
        QCOMPARE(close->text(), QStringLiteral("Stop"));
        QTest::mouseClick(close, Qt::LeftButton);
        WAIT_COMPARE(done.count(), 1);
        QVERIFY(work().isSettled());
        QCOMPARE(work().gather().value(QStringLiteral("choice")).toObject(), choice);
        QCOMPARE(close->text(), QStringLiteral("Close"));
        list().saveAgain({1});
        QVERIFY(list().busy());
        openAndSettle(m_other);
        QVERIFY(!list().busy() && work().isSettled() && list().figures().empty());
    }

    void theListSaysWhatTheyAre()
    {
        openAndSettle(m_cache);
        waitForJobs();
        list().show();
        QCOMPARE(list().dialog()->list()->topLevelItemCount(), 0);
        QVERIFY(!list().dialog()->findChild<QPushButton*>(QStringLiteral("figureSaveAll"))->isEnabled());
        list().dialog()->close();
        WAIT_FOR(list().dialog() == nullptr);
        m_dialogs.nextSize = {77, 300, "acl-column"};
        choices().setHeads({0, 1, 2});
        save(QStringLiteral("map.pdf"));
        save(QStringLiteral("map.pdf")); // the same figure
        action("actionFigures")->trigger();
        QTreeWidget* rows = list().dialog()->list();
        QCOMPARE(rows->topLevelItemCount(), 1);
        const QTreeWidgetItem& row = *rows->topLevelItem(0);
        QCOMPARE(row.text(0), QStringLiteral("map.pdf"));
        QVERIFY2(row.text(1).startsWith(QStringLiteral("Map: layer ")), qPrintable(row.text(1)));
        QVERIFY2(row.text(1).endsWith(QStringLiteral("heads 1-3")), qPrintable(row.text(1)));
        QCOMPARE(row.text(2), QStringLiteral("ACL, one column, 77 mm"));
        QVERIFY2(row.text(3).startsWith(QStringLiteral("saved ")), qPrintable(row.text(3)));
        if (!qEnvironmentVariable("HEADSCOPE_PICTURES").isEmpty())
            list().dialog()->grab().save(qEnvironmentVariable("HEADSCOPE_PICTURES") +
                                         QStringLiteral("/figure-list.png"));
        choices().chooseAllHeads();
        rows->topLevelItem(0)->setSelected(true);
        QTest::mouseClick(list().dialog()->findChild<QPushButton*>(QStringLiteral("figureShow")), Qt::LeftButton);
        WAIT_COMPARE(choices().now().heads, (std::vector<std::int64_t>{0, 1, 2}));
        waitForJobs();
        WAIT_FOR(list().dialog() == nullptr);
        QVERIFY(QFile::remove(paper(QStringLiteral("map.pdf"))));
        list().show();
        QCOMPARE(stateOf(0), QStringLiteral("file is missing"));
        list().dialog()->list()->topLevelItem(0)->setSelected(true);
        QTest::mouseClick(list().dialog()->findChild<QPushButton*>(QStringLiteral("figureRemove")), Qt::LeftButton);
        QVERIFY(list().figures().empty());
        list().dialog()->close();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopFigureList)
#include "tst_desktop_figure_list.moc"
