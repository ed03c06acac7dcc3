// SPDX-License-Identifier: GPL-3.0-or-later
// A window that nothing happens in paints nothing: no timer turns, no battery is used, and a remote
// display gets no pictures.
#include "tests/app/desktop/demo_window.h"

#include "tests/support/waiting.h"
#include "tests/ui/paint_counter.h"
#include "ui/jobs/job_strip.h"

#include <QAction>

using namespace headscope;

class TestIdlePaints : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<test::DemoWindow> m_demo;

    /// Once all that a view owes has come, the timers of ten seconds bring no paint event, and set no worker to work.
    void verifyQuiet(const QString& where)
    {
        constexpr int kQuietMs = 10'000;
        QVERIFY2(test::calm(), qPrintable(where));
        test::PaintCounter counter;
        QApplication::instance()->installEventFilter(&counter);
        test::passMs(kQuietMs);
        const bool worked = !test::workersRest();
        QApplication::instance()->removeEventFilter(&counter);
        QStringList who;
        for (const auto& [name, count] : counter.paints)
            who << QStringLiteral("%1: %2").arg(name).arg(count);
        QVERIFY2(who.isEmpty() && !worked,
                 qPrintable(where + QStringLiteral(" painted ") + who.join(QStringLiteral(", "))));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_demo = std::make_unique<test::DemoWindow>();
        QVERIFY(test::exposed(m_demo->window.get()));
    }
    void cleanupTestCase() { m_demo.reset(); }

    void welcomePage() { verifyQuiet(QStringLiteral("welcome page")); }

    void everyView()
    {
        QVERIFY(m_demo->open());
        for (const ui::ViewEntry& entry : m_demo->window->views().entries())
        {
            m_demo->window->setView(entry.id);
            entry.widget->setFocus();
            verifyQuiet(entry.title);
        }
    }

    void jobPanelWithEndedJobs()
    {
        m_demo->window->jobStrip().setPanelShown(true);
        QVERIFY(m_demo->window->jobStrip().jobs().endedCount() > 0);
        verifyQuiet(QStringLiteral("job panel"));
        m_demo->window->jobStrip().setPanelShown(false);
    }
};

HEADSCOPE_WINDOW_TEST(TestIdlePaints)
#include "tst_idle_paints.moc"
