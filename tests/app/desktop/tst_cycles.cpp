// SPDX-License-Identifier: GPL-3.0-or-later
// Random cancels and reopen cycles: whatever is stopped wherever, nothing is left behind.
//
// HEADSCOPE_CYCLES says how many steps (1,000 in the nightly run; else 150), HEADSCOPE_CYCLES_SEED where they begin.
// The moments are places in what the workers deliver, not times.
#include "tests/app/desktop/demo_window.h"

#include "app/desktop/extract/extract_controller.h"
#include "app/views/map/map_view.h"
#include "model/base/random.h"
#include "tests/app/desktop/engine_script.h"
#include "tests/support/waiting.h"
#include "tests/ui/calm.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/layer_strip.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QEvent>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace headscope;

namespace
{

constexpr int kCycles = 150;

/// Counts what the workers deliver to this thread.
class Deliveries : public QObject
{
public:
    int count = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::MetaCall && qobject_cast<ui::JobRunner*>(watched) != nullptr ? 1 : 0;
        return false;
    }
};

/// What a process holds that a cycle must give back.
struct Held
{
    qsizetype threads = 0;
    qsizetype children = 0;
    qsizetype widgets = 0;
    qsizetype objects = 0; ///< timers among them
};

qsizetype childProcesses()
{
    const QByteArray self = QByteArray::number(QCoreApplication::applicationPid());
    qsizetype count = 0;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs))
    {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(name));
        if (!stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray line = stat.readAll();
        const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
        count += fields.size() > 1 && fields.at(1) == self ? 1 : 0;
    }
    return count;
}

Held held()
{
    const qsizetype threads =
        QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
    const qsizetype children = childProcesses(); // reads by QFile, which is an object that is counted
    return {threads, children, QApplication::allWidgets().size(), test::LiveObjects::count()};
}

} // namespace

class TestCycles : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_engine;
    CounterRandom m_random{1};
    std::uint64_t m_drawn = 0;
    std::unique_ptr<test::DemoWindow> m_demo;

    int draw(int below) { return static_cast<int>(m_random.below(m_drawn++, static_cast<std::uint64_t>(below))); }
    ui::MainWindow& window() { return *m_demo->window; }
    void trigger(const char* name)
    {
        auto* action = window().findChild<QAction*>(QLatin1StringView(name));
        if (action != nullptr && action->isEnabled())
            action->trigger();
    }

    void reopenTheWindow()
    {
        m_demo.reset();
        m_demo = std::make_unique<test::DemoWindow>(m_engine);
        m_demo->settings->setNumber(ui::settingNamed("map/iterations"), 60);
    }
    void closeDialogs()
    {
        for (QDialog* dialog : window().findChildren<QDialog*>())
            if (dialog->isVisible())
                dialog->reject();
    }
    void extractAndCancel()
    {
        trigger("actionExtract");
        if (auto* dialog = window().findChild<ui::ExtractDialog*>();
            dialog != nullptr && !m_demo->workbench->extraction().busy())
        {
            Q_EMIT dialog->extractRequested({QStringLiteral("slow"), QStringLiteral("t"), QStringLiteral("last"),
                                             QStringLiteral("1"), m_folder.filePath(QStringLiteral("never.h5"))});
            dialog->reject();
        }
        ui::JobRunner& runner = m_demo->workbench->extraction().runner();
        const QSignalSpy progressed(&runner, &ui::JobRunner::progressed);
        if (draw(2) == 0)
            QVERIFY(test::waitFor([&] { return !progressed.isEmpty() || !runner.running(); }));
        if (ui::JobRow* row = window().jobStrip().row(QStringLiteral("extract")))
            row->requestCancel();
    }
    void cancelAnyJob()
    {
        ui::JobStrip& strip = window().jobStrip();
        const int rows = strip.jobs().rowCount();
        for (int row = 0; row < rows; ++row)
            if (const ui::JobRecord& job = strip.jobs().job(strip.jobs().index(row, 0)); isActive(job.state))
                return strip.cancel(job.id);
    }
    void choose()
    {
        const auto overview = window().overview();
        if (overview == nullptr)
            return;
        const auto count = static_cast<int>(overview->documents->count());
        std::vector<std::int64_t> documents{draw(count / 2), count / 2 + draw(count / 2)};
        window().selection().setDocuments(documents);
        window().selection().setPrimary(DocumentIndex(draw(count)), HeadIndex(draw(2)));
    }

    /// Until the workers have delivered so many messages more, have none, or wait at a pause.
    void letDeliver(int messages)
    {
        Deliveries deliveries;
        QApplication::instance()->installEventFilter(&deliveries);
        QVERIFY(test::waitFor([&] {
            return deliveries.count >= messages || test::workersRest() || m_demo->workbench->mapRun().stands();
        }));
    }

    /// One random thing that a user may do.
    void step()
    {
        static constexpr const char* kToggles[] = {"actionShowData", "actionShowInspector", "actionShowLegend",
                                                   "actionShowJobs", "actionShowHelp",      "actionShowTools"};
        switch (draw(20))
        {
        case 0:
        case 1:
            return m_demo->workbench->open(test::DemoWindow::demo());
        case 2:
            return m_demo->workbench->open(test::DemoWindow::demo("demo-minilm.h5"));
        case 3:
            return m_demo->workbench->open(m_folder.filePath(QStringLiteral("missing.h5")));
        case 4:
        case 5:
            return trigger("actionMap");
        case 6:
            return cancelAnyJob();
        case 7:
            return m_demo->workbench->mapRun().pause();
        case 8:
            return m_demo->workbench->mapRun().resume();
        case 9:
            return m_demo->workbench->mapRun().stop();
        case 10:
            return m_demo->workbench->stopAll();
        case 11:
            return window().choices().setStage(static_cast<Stage>(1 + draw(3)));
        case 12:
        {
            auto* layers = window().dataPanel().layerStrip();
            return QTest::keyClick(layers, draw(2) == 0 ? Qt::Key_Left : Qt::Key_Right);
        }
        case 13:
        {
            const auto& entries = window().views().entries();
            return window().setView(std::next(entries.begin(), draw(static_cast<int>(entries.size())))->id);
        }
        case 14:
            return trigger("actionProbe");
        case 15:
            return trigger(draw(2) == 0 ? "actionScheme_dark" : "actionScheme_light");
        case 16:
            return trigger(kToggles[draw(static_cast<int>(std::size(kToggles)))]);
        case 17:
            trigger(draw(2) == 0 ? "actionSettings" : "actionCommands");
            return closeDialogs();
        case 18:
            choose();
            return trigger("actionUndo");
        default:
            return draw(4) == 0 ? reopenTheWindow() : draw(2) == 0 ? extractAndCancel() : choose();
        }
    }

    void letGo()
    {
        constexpr int kLongestShotMs = 60'000; // a single shot is kept until its time
        m_demo.reset();
        test::passMs(kLongestShotMs);
    }

    /// What is made once and kept: fonts, styles, caches, workers of the libraries.
    void warmUp()
    {
        reopenTheWindow();
        QVERIFY(m_demo->open());
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QVERIFY(test::calm());
        }
        trigger("actionProbe");
        QVERIFY(m_demo->settle());
        extractAndCancel();
        QVERIFY(m_demo->settle());
        trigger("actionScheme_dark");
        trigger("actionScheme_light");
        for (const char* name : {"actionSettings", "actionCommands", "actionShortcuts"})
        {
            trigger(name);
            test::settle();
            closeDialogs();
        }
        letGo();
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_engine = m_folder.filePath(QStringLiteral("engine.sh"));
        QVERIFY(test::writeEngine(m_engine, {.body = test::answering(R"("progress":{"stage":"a","done":1,"total":2})"),
                                             .cancel = test::answeringCancelled()}));
    }

    void nothingIsLeft()
    {
        bool counted = false;
        const int wanted = qEnvironmentVariableIntValue("HEADSCOPE_CYCLES", &counted);
        const int seed = qEnvironmentVariableIntValue("HEADSCOPE_CYCLES_SEED");
        m_random = CounterRandom(static_cast<std::uint64_t>(seed == 0 ? 20 : seed));
        warmUp();
        warmUp(); // the second one shows what the first made for good
        const Held before = held();
        const int mark = test::LiveObjects::mark();

        const int cycles = counted ? wanted : kCycles;
        reopenTheWindow();
        for (int cycle = 0; cycle < cycles; ++cycle)
        {
            step();
            if (draw(3) == 0)
                letDeliver(draw(20));
            else
                test::settle();
            if (QTest::currentTestFailed())
                return;
        }
        letGo();
        // A worker that was asked to stop in its last step may still be on its way out.
        WAIT_FOR(held().threads <= before.threads);
        WAIT_FOR2(held().objects <= before.objects,
                  qPrintable(test::LiveObjects::leftSince(mark).join(QStringLiteral(", "))));
        const Held after = held();
        qInfo("%d cycles; threads %lld -> %lld, children %lld -> %lld, widgets %lld -> %lld, objects %lld -> %lld",
              cycles, qint64(before.threads), qint64(after.threads), qint64(before.children), qint64(after.children),
              qint64(before.widgets), qint64(after.widgets), qint64(before.objects), qint64(after.objects));
        QCOMPARE(after.children, before.children);
        QCOMPARE(after.widgets, before.widgets);
    }
};

HEADSCOPE_WINDOW_TEST(TestCycles)
#include "tst_cycles.moc"
