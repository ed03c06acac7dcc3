// SPDX-License-Identifier: GPL-3.0-or-later
// Random cancels and reopen cycles: whatever is stopped wherever, nothing is left behind.
//
// HEADSCOPE_CYCLES says how many steps (1,000 in the nightly run; else as many as fit into eight
// seconds), HEADSCOPE_CYCLES_SEED where they begin.
#include "tests/app/desktop/demo_window.h"

#include "model/base/random.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/layer_strip.h"
#include "ui/views/map/map_view.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QMutex>
#include <QTemporaryDir>

#include <atomic>
#include <unordered_map>

using namespace headscope;

// Qt's own table of callbacks for debuggers (qhooks_p.h): told of every QObject that comes and goes.
extern "C" Q_DECL_IMPORT quintptr qtHookData[];

namespace
{

constexpr int kAddQObject = 3;
constexpr int kRemoveQObject = 4;
constexpr qint64 kBudgetMs = 8000;

QMutex g_objectsMutex;
std::unordered_map<QObject*, int>& objects()
{
    static std::unordered_map<QObject*, int> all;
    return all;
}
std::atomic<int> g_now = 0;

void objectAdded(QObject* object)
{
    const QMutexLocker lock(&g_objectsMutex);
    objects()[object] = g_now;
}

void objectRemoved(QObject* object)
{
    const QMutexLocker lock(&g_objectsMutex);
    objects().erase(object);
}

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
    const QMutexLocker lock(&g_objectsMutex);
    return {threads, children, QApplication::allWidgets().size(), qsizetype(objects().size())};
}

/// Classes of the objects that came after `mark` and are still there.
QStringList leftSince(int mark)
{
    const QMutexLocker lock(&g_objectsMutex);
    QMap<QString, int> classes;
    for (const auto& [object, when] : objects())
        if (when >= mark)
            ++classes[QString::fromLatin1(object->metaObject()->className())];
    QStringList lines;
    for (auto each = classes.constBegin(); each != classes.constEnd(); ++each)
        lines << QStringLiteral("%1 x %2").arg(each.value()).arg(each.key());
    return lines;
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
        m_demo->settings->setNumber(ui::SettingKey::Iterations, 60);
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
            dialog != nullptr && !m_demo->workbench->engine().running())
        {
            Q_EMIT dialog->extractRequested({QStringLiteral("slow"), QStringLiteral("t"), QStringLiteral("last"),
                                             QStringLiteral("1"), m_folder.filePath(QStringLiteral("never.h5"))});
            dialog->reject();
        }
        QTest::qWait(draw(20));
        m_demo->workbench->engine().cancel();
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
        m_demo.reset();
        for (int i = 0; i < 3; ++i)
        {
            QTest::qWait(20);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    /// What is made once and kept: fonts, styles, caches, workers of the libraries.
    void warmUp()
    {
        reopenTheWindow();
        QVERIFY(m_demo->open());
        for (const ui::ViewEntry& entry : window().views().entries())
        {
            window().setView(entry.id);
            QTest::qWait(30);
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
            QTest::qWait(20);
            closeDialogs();
        }
        letGo();
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_engine = m_folder.filePath(QStringLiteral("engine.sh"));
        QFile file(m_engine);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\necho starting >&2\nexec sleep 20\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qtHookData[kAddQObject] = reinterpret_cast<quintptr>(&objectAdded);
        qtHookData[kRemoveQObject] = reinterpret_cast<quintptr>(&objectRemoved);
    }
    void cleanupTestCase()
    {
        qtHookData[kAddQObject] = 0;
        qtHookData[kRemoveQObject] = 0;
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
        const int mark = ++g_now;

        QElapsedTimer clock;
        clock.start();
        int cycles = 0;
        reopenTheWindow();
        for (; counted ? cycles < wanted : clock.elapsed() < kBudgetMs; ++cycles)
        {
            step();
            QTest::qWait(draw(3) == 0 ? draw(60) : 0);
        }
        letGo();
        // A worker that was asked to stop in its last step may still be on its way out.
        QTRY_VERIFY_WITH_TIMEOUT(held().threads <= before.threads, 5000);
        // And a single shot of a moment ago (Qt keeps it until its time) has not been fired yet.
        for (int waited = 0; held().objects > before.objects && waited < 100; ++waited)
            QTest::qWait(100);
        const Held after = held();
        qInfo(
            "%d cycles in %lld ms; threads %lld -> %lld, children %lld -> %lld, widgets %lld -> %lld, objects %lld -> "
            "%lld",
            cycles, clock.elapsed(), qint64(before.threads), qint64(after.threads), qint64(before.children),
            qint64(after.children), qint64(before.widgets), qint64(after.widgets), qint64(before.objects),
            qint64(after.objects));
        QVERIFY(cycles > 0);
        QCOMPARE(after.children, before.children);
        QCOMPARE(after.widgets, before.widgets);
        QVERIFY2(after.objects <= before.objects, qPrintable(leftSince(mark).join(QStringLiteral(", "))));
    }
};

HEADSCOPE_WINDOW_TEST(TestCycles)
#include "tst_cycles.moc"
