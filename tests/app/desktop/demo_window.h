// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"

#include "tests/support/test_paths.h"
#include "tests/support/waiting.h"
#include "tests/ui/calm.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"

#include <QSignalSpy>

#include <memory>

namespace headscope::test
{

/// The program's window with everything behind it, as a test opens it on the bundled demo.
class DemoWindow
{
public:
    explicit DemoWindow(const QString& engine = QStringLiteral("/nowhere/headscope-engine"))
    {
        settings->setNumber(ui::settingNamed("map/iterations"), 100);
        settings->setNumber(ui::SettingKey::Threads, 2);
        window = std::make_unique<ui::MainWindow>(*settings, dialogs);
        workbench = std::make_unique<desktop::Workbench>(*window, engine);
        workbench->keeper().setEnabled(false);
        window->setDemos({{QStringLiteral("Demo"), demo(), QStringLiteral("a small one")}});
        window->resize(1440, 900);
        window->show();
    }
    ~DemoWindow()
    {
        workbench->stopAll();
        workbench.reset();
        window.reset();
    }
    DemoWindow(const DemoWindow&) = delete;
    DemoWindow& operator=(const DemoWindow&) = delete;

    static QString demo(const char* name = "demo-cache.h5")
    {
        return QString::fromStdString(source(std::string("resources/demo/") + name).string());
    }

    /// Opens the demo and waits until its map stands still.
    [[nodiscard]] bool open()
    {
        QSignalSpy settled(workbench.get(), &desktop::Workbench::mapSettled);
        workbench->open(demo());
        return test::waitFor([&settled] { return settled.count() > 0; }) && settle();
    }

    /// Waits until no job runs.
    [[nodiscard]] bool settle()
    {
        return test::waitFor([this] { return !workbench->anyJobRuns() && !workbench->isLoading(); });
    }

    std::unique_ptr<ui::Settings> settings = ui::Settings::temporary();
    PreparedDialogs dialogs;
    std::unique_ptr<ui::MainWindow> window;
    std::unique_ptr<desktop::Workbench> workbench;
};

} // namespace headscope::test
