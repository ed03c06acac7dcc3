// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/desktop/application.h"

#include <QGuiApplication>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace
{

bool hasDisplay()
{
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY") || set("QT_QPA_PLATFORM");
}

int runVerb(int argc, char** argv)
{
    std::unique_ptr<QGuiApplication> application;
    if (headscope::cli::needsGui(std::vector<std::string>(argv + 1, argv + argc)))
    {
        // Fonts need a platform; a machine without a display has the one that draws into memory.
        if (!hasDisplay())
            qputenv("QT_QPA_PLATFORM", "offscreen");
        int own = 1; // the verb's options are not Qt's
        application = std::make_unique<QGuiApplication>(own, argv);
    }
    return headscope::cli::run(argc, argv);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && headscope::cli::isVerb(argv[1]))
        return runVerb(argc, argv);
    return headscope::desktop::runWindow(argc, argv);
}
