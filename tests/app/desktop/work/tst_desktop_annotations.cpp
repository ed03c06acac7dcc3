// SPDX-License-Identifier: GPL-3.0-or-later
// What is written onto a figure of the window stays with its view: in the figure, its recipe, the work, and undo.
#include "app/desktop/work/undo_history.h"
#include "app/desktop/work/work_session.h"
#include "app/results/figure_recipe.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "viz/export/embedded_recipe.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonObject>

using namespace headscope;
using desktop::Workbench;
using desktop::WorkSession;
using test::bytesOf;
using test::runVerb;

namespace
{

using Kind = viz::Annotation::Kind;

/// With letters that a shell, a page and a recipe have to keep apart.
std::vector<viz::Annotation> sampleAnnotations()
{
    return {{Kind::Arrow, {{0.25, 0.75}, false}, {{0.5, 0.5}, false}, QStringLiteral("here's “αβ” <b>&")},
            {Kind::Box, {{0.1, 0.2}, false}, {{0.4, 0.6}, false}, {}},
            {Kind::Label, {{0.6005, 0.1}, false}, {}, QStringLiteral("Label")}};
}

QJsonArray wordsOf(const QJsonObject& state, const QString& view)
{
    const QJsonObject views = state.value(QStringLiteral("views")).toObject();
    return views.value(view).toObject().value(QStringLiteral("annotations")).toArray();
}

} // namespace

class TestDesktopAnnotations : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    WorkSession& work() { return m_workbench->work(); }
    QString file(const QString& name) const { return m_place->filePath(name); }
    QJsonArray wordsNow() { return wordsOf(work().gather(), m_window->view().key()); }

    /// Saves what is shown, as the menu does.
    bool save(const QString& path)
    {
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = path;
        action("actionSaveView")->trigger();
        return test::waitFor([&saved] { return saved.count() == 1; });
    }
    bool saveAnnotated(const QString& path)
    {
        ui::FigureSize size;
        size.annotations = sampleAnnotations();
        m_dialogs.nextSize = size;
        const bool isSaved = save(path);
        m_dialogs.nextSize.reset();
        return isSaved;
    }
    void reopen(const QString& path)
    {
        QSignalSpy restored(&work(), &WorkSession::restored);
        m_workbench->open(path);
        WAIT_COMPARE(restored.count(), 1);
        waitForJobs();
    }

private Q_SLOTS:
    void init() { beginTest(); }
    void cleanup() { endTest(); }

    void theyStayWithTheirView()
    {
        openAndSettle(m_cache);
        waitForJobs();
        QVERIFY(save(file(QStringLiteral("bare.png"))));
        QVERIFY(wordsNow().isEmpty());
        QVERIFY(saveAnnotated(file(QStringLiteral("map.png"))));
        const QImage bare(file(QStringLiteral("bare.png")));
        const QImage annotated(file(QStringLiteral("map.png")));
        QCOMPARE(annotated.size(), bare.size());
        QVERIFY(annotated != bare);
        // The corner of the box and the tip of the arrow are dark where the map was not.
        int changed = 0;
        for (int y = 0; y < bare.height(); ++y)
            for (int x = 0; x < bare.width(); ++x)
                changed += annotated.pixel(x, y) != bare.pixel(x, y) ? 1 : 0;
        QVERIFY2(changed > 1'000 && changed < bare.width() * bare.height() / 8, qPrintable(QString::number(changed)));
        const QJsonArray words = wordsNow();
        QCOMPARE(words.size(), 3);
        QCOMPARE(words.at(2).toString(), QStringLiteral("label 0.6005,0.1 Label"));
        // Proposed again, for this view alone; the picture is the same again.
        QVERIFY(save(file(QStringLiteral("again.png"))));
        QCOMPARE(m_dialogs.proposedSize.annotations.size(), std::size_t{3});
        QCOMPARE(QImage(file(QStringLiteral("again.png"))), annotated);
        m_window->setView(ui::kProbeView);
        QVERIFY(wordsNow().isEmpty());
        // Another cache has none of it, and the figure brings it back.
        m_window->setView(ui::kMapView);
        openAndSettle(m_other);
        waitForJobs();
        QVERIFY(wordsNow().isEmpty());
        m_dialogs.nextPath = m_cache;
        reopen(file(QStringLiteral("map.png")));
        QCOMPARE(wordsNow(), words);
        QVERIFY(save(file(QStringLiteral("third.png"))));
        QCOMPARE(QImage(file(QStringLiteral("third.png"))), annotated);
    }

    void theyAreInTheWork()
    {
        openAndSettle(m_cache);
        waitForJobs();
        QVERIFY(saveAnnotated(file(QStringLiteral("map.svg"))));
        const QJsonArray words = wordsNow();
        QSignalSpy saved(&work(), &WorkSession::saved);
        m_dialogs.nextPath = file(QStringLiteral("mine.headscope"));
        action("actionSaveWorkAs")->trigger();
        WAIT_COMPARE(saved.count(), 1);
        closeWindow();
        begin();
        reopen(file(QStringLiteral("mine.headscope")));
        QCOMPARE(wordsNow(), words);
        QVERIFY(!work().unsaved());
        const QByteArray before = bytesOf(file(QStringLiteral("map.svg")));
        QVERIFY(save(file(QStringLiteral("map.svg"))));
        QVERIFY(bytesOf(file(QStringLiteral("map.svg"))).contains("here&apos;s") ||
                bytesOf(file(QStringLiteral("map.svg"))).contains("here's"));
        QVERIFY(!before.isEmpty());
    }

    /// As anyone may have written them.
    void hostileOnesAreLeftOut()
    {
        openAndSettle(m_cache);
        waitForJobs();
        QJsonObject state = work().gatherFor(ui::kMapView);
        QJsonArray many;
        for (int i = 0; i < 1'000; ++i)
            many.append(QStringLiteral("label 0.5,0.5 %1").arg(i));
        for (const auto& [given, kept] : std::vector<std::pair<QJsonValue, int>>{
                 {QJsonValue(7), 0},
                 {QJsonArray{1, QJsonValue::Null, QJsonObject()}, 0},
                 {QJsonArray{QStringLiteral("label 2,0.5 outside")}, 0},
                 {QJsonArray{QStringLiteral("circle 0.5,0.5 x")}, 0},
                 {QJsonArray{QStringLiteral("label nan,0.5 x")}, 0},
                 {QJsonArray{QString(QStringLiteral("label 0.5,0.5 ") + QString(500, u'x'))}, 0},
                 {QJsonArray{QStringLiteral("box 0,0 1,1")}, 1},
                 {many, 50}})
        {
            QJsonObject views = state.value(QStringLiteral("views")).toObject();
            QJsonObject map = views.value(QStringLiteral("map")).toObject();
            map[QStringLiteral("annotations")] = given;
            views[QStringLiteral("map")] = map;
            state[QStringLiteral("views")] = views;
            bool isShown = false;
            work().show(state, true, [&isShown](const QStringList&) { isShown = true; });
            WAIT_FOR(isShown);
            QCOMPARE(wordsNow().size(), kept);
        }
    }

    void undoTakesThemBack()
    {
        openAndSettle(m_cache);
        waitForJobs();
        QVERIFY(saveAnnotated(file(QStringLiteral("map.png"))));
        desktop::UndoHistory& undo = m_workbench->undo();
        WAIT_FOR(undo.canUndo());
        QCOMPARE(undo.undoText(), QStringLiteral("annotations of the figure"));
        undo.undo();
        QVERIFY(wordsNow().isEmpty());
        undo.redo();
        QCOMPARE(wordsNow().size(), 3);
    }

    /// What a verb draws of it has the same words.
    void verbsWriteThemToo()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kProbeView);
        action("actionProbe")->trigger();
        waitForJobs();
        WAIT_FOR(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount() > 0);
        const QString made = file(QStringLiteral("probe.png"));
        QVERIFY(saveAnnotated(made));
        const auto text = viz::recipeTextOf(made.toStdString());
        HEADSCOPE_VERIFY_OK(text);
        const auto recipe = readRecipe(*text);
        HEADSCOPE_VERIFY_OK(recipe);
        QCOMPARE(recipe->verb, std::string("probe"));
        const QString again = file(QStringLiteral("again.png"));
        const auto shell =
            runVerb({"figure", made.toStdString(), "-o", again.toStdString(), "--input", m_cache.toStdString()});
        QVERIFY2(shell.code == 0, shell.err.c_str());
        QCOMPARE(QImage(again), QImage(made));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopAnnotations)
#include "tst_desktop_annotations.moc"
