// SPDX-License-Identifier: GPL-3.0-or-later
// The program's window as most tests of the desktop want it.
#pragma once

#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"
#include "tests/app/sample_cache.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/calm.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace headscope::test
{

/// The window with everything behind it, made anew for each function of a test: a base beside QObject.
/// init() calls makeWindow(), cleanup() calls dropWindow().
class DesktopFixture
{
protected:
    struct Setup
    {
        QString engine = QStringLiteral("/nowhere/headscope-engine");
        int iterations = 60;
        int perplexity = 0; ///< 0: as it is built in
        QSize size{1400, 900};
        bool keepsWork = false; ///< what one test makes is not there in the next
    };

    DesktopFixture() = default;
    ~DesktopFixture() = default; // never through this base
    DesktopFixture(const DesktopFixture&) = delete;
    DesktopFixture& operator=(const DesktopFixture&) = delete;

    void makeWindow(const Setup& setup)
    {
        m_settings = ui::Settings::temporary();
        m_settings->setNumber(ui::settingNamed("map/iterations"), setup.iterations);
        if (setup.perplexity > 0)
            m_settings->setNumber(ui::settingNamed("map/perplexity"), setup.perplexity);
        m_settings->setNumber(ui::SettingKey::Threads, 1);
        m_dialogs = {};
        m_window = std::make_unique<ui::MainWindow>(*m_settings, m_dialogs);
        m_workbench = std::make_unique<desktop::Workbench>(*m_window, setup.engine);
        m_workbench->keeper().setEnabled(setup.keepsWork);
        m_window->resize(setup.size);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
    }

    void dropWindow()
    {
        m_workbench.reset();
        m_window.reset();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        for (const QWidget* left : QApplication::topLevelWidgets())
            qWarning("%s %s was left behind", left->metaObject()->className(), qPrintable(left->objectName()));
        QVERIFY2(QApplication::topLevelWidgets().isEmpty(), "a window was left behind");
    }

    /// A small cache of many kinds of data, in the folder that goes with the test.
    void writeSample(const SampleCacheOptions& options = {})
    {
        m_cache = m_folder.filePath(QStringLiteral("sample.h5"));
        HEADSCOPE_VERIFY_OK(writeSampleCache(m_cache.toStdString(), options));
    }

    /// Until the vectors of the first layer and stage are there.
    void openAndLoad(const QString& path)
    {
        QSignalSpy opened(m_workbench.get(), &desktop::Workbench::cacheOpened);
        QSignalSpy loaded(&m_workbench->study(), &desktop::Study::sourceLoaded);
        m_workbench->open(path);
        WAIT_COMPARE(opened.count(), 1);
        WAIT_COMPARE(loaded.count(), 1);
    }

    /// Until the map stands still.
    void openAndSettle(const QString& path)
    {
        QSignalSpy settled(m_workbench.get(), &desktop::Workbench::mapSettled);
        m_workbench->open(path);
        WAIT_COMPARE(settled.count(), 1);
        WAIT_FOR(!m_workbench->isLoading());
    }

    /// Until nothing is read or computed.
    void waitForJobs() { WAIT_FOR(!m_workbench->anyJobRuns() && !m_workbench->isLoading()); }

    /// Until all that is under way has arrived, by whatever timer it is set off.
    void waitForCalm() { QVERIFY(calm()); }

    QAction* action(const char* name) { return m_window->findChild<QAction*>(QLatin1StringView(name)); }
    ui::SelectionHub& hub() { return m_window->selection(); }

    /// A click of the mouse on a button that is there to be clicked.
    void click(const char* name)
    {
        auto* button = m_window->findChild<QAbstractButton*>(QLatin1StringView(name));
        QVERIFY2(button != nullptr && button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    QTemporaryDir m_folder;
    QString m_cache;
    std::unique_ptr<ui::Settings> m_settings;
    PreparedDialogs m_dialogs;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<desktop::Workbench> m_workbench;
};

} // namespace headscope::test
