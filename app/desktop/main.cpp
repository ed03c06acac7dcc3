// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/cli/input_search.h"
#include "app/cli/pictures/window_figure.h"
#include "app/desktop/start/application.h"
#include "app/desktop/start/make_window_figure.h"
#include "app/shell/process.h"
#include "model/base/error.h"
#include "model/base/log.h"
#include "model/base/output/temporary_path.h"

#include <QApplication>
#include <QGuiApplication>
#include <QtGlobal>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace
{

/// Qt's own messages go to our log, but for one that no user of a bare shell can do anything with.
void takeQtMessage(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message)
{
    using headscope::LogLevel;
    if (type == QtFatalMsg && message.contains(QLatin1String("no Qt platform plugin could be initialized")))
    {
        // Qt would abort with its own words: a display or a plugin is named, but nothing answers there.
        headscope::desktop::say(headscope::desktop::platformFault());
        std::_Exit(headscope::exitCode(headscope::ErrorCode::WrongUse));
    }
    if (message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")) ||
        message == QLatin1String("This plugin does not support propagateSizeHints()"))
        return; // of platforms without windows: nobody's business
    headscope::logMessage(type == QtDebugMsg || type == QtInfoMsg ? LogLevel::Info : LogLevel::Warning,
                          message.toStdString());
}

int runVerb(int argc, char** argv)
{
    std::unique_ptr<QGuiApplication> application;
    if (headscope::cli::needsGui(std::vector<std::string>(argv + 1, argv + argc)))
    {
        // Fonts need a platform, and a verb never a window: the one that draws into memory.
        qputenv("QT_QPA_PLATFORM", "offscreen");
        int own = 1;                               // the verb's options are not Qt's
        if (std::string_view(argv[1]) == "figure") // one that was saved from the window is made by its view
            application = std::make_unique<QApplication>(own, argv);
        else
            application = std::make_unique<QGuiApplication>(own, argv);
        headscope::cli::setWindowFigureMaker(headscope::desktop::makeWindowFigure);
        std::vector<std::filesystem::path> demos;
        for (const auto& demo : headscope::desktop::bundledDemos())
            demos.push_back(std::filesystem::path(demo.path.toStdString()).parent_path());
        headscope::cli::setInputPlaces(std::move(demos));
    }
    const int code = headscope::cli::run(argc, argv);
    if (application && code == headscope::exitCode(headscope::ErrorCode::OutOfMemory))
    {
        // Qt is not made for exceptions: where one left it, its own end may wait for ever.
        std::fflush(nullptr);
        headscope::removeTemporaryPaths();
        std::_Exit(code);
    }
    return code;
}

int runEither(int argc, char** argv)
{
    qInstallMessageHandler(takeQtMessage);
    if (argc > 1 && headscope::cli::isVerb(argv[1]))
        return runVerb(argc, argv);
    return headscope::desktop::runWindow(argc, argv);
}

} // namespace

int main(int argc, char** argv)
{
    return headscope::shell::runProgram(runEither, argc, argv);
}
