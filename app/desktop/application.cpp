// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/application.h"

#include "app/desktop/engine_client.h"
#include "app/desktop/workbench.h"
#include "model/base/error.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/main_window.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <tuple>

namespace headscope::desktop
{
namespace
{

using ui::MainWindow;

/// The view whose tab has this name in lower case; the map when none has.
ui::View viewFromName(MainWindow& window, const QString& name)
{
    for (const auto& [view, entry] : window.views().entries())
        if (entry.title.toLower() == name)
            return view;
    return ui::View::Map;
}

/// Renders the window into a file as soon as its view has something to show, and ends the program.
class Screenshot : public QObject
{
public:
    Screenshot(MainWindow& window, QString file, int latestMs) : m_window(window), m_file(std::move(file))
    {
        m_latest.setSingleShot(true);
        connect(&m_latest, &QTimer::timeout, this, [this] { take(); });
        m_latest.start(latestMs);
    }

    /// The view has settled: one more moment for its last paint.
    void settle()
    {
        constexpr int kLastPaintMs = 400;
        QTimer::singleShot(kLastPaintMs, this, [this] { take(); });
    }

private:
    void take()
    {
        if (std::exchange(m_taken, true))
            return;
        const bool saved = m_window.grab().save(m_file);
        if (!saved)
            std::fprintf(stderr, "headscope: %s: could not be written\n", qPrintable(m_file));
        QCoreApplication::exit(saved ? 0 : 4);
    }

    MainWindow& m_window;
    QString m_file;
    QTimer m_latest;
    bool m_taken = false;
};

struct Arguments
{
    QString path;
    QString screenshot;
    QString tab;
    int seconds = 30;
    QString size;
};

Arguments parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("A microscope for the attention heads of embedding models."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("Cache, model or texts to open"),
                                 QStringLiteral("[FILE|FOLDER]"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                        QStringLiteral("Write the window to FILE when its view has settled, and end"),
                                        QStringLiteral("FILE"));
    const QCommandLineOption after(QStringLiteral("after"), QStringLiteral("Take it after N seconds at the latest"),
                                   QStringLiteral("N"), QStringLiteral("30"));
    const QCommandLineOption tab(QStringLiteral("tab"), QStringLiteral("View to begin with: map, heatmap, probe …"),
                                 QStringLiteral("NAME"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window"), QStringLiteral("WxH"));
    parser.addOptions({screenshot, after, tab, size});
    if (!parser.parse(arguments))
    {
        fmt::print(stderr, "headscope: {}\n", parser.errorText().toStdString());
        std::exit(exitCode(ErrorCode::WrongUse));
    }
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp();
    Arguments result;
    if (!parser.positionalArguments().isEmpty())
        result.path = QDir::current().absoluteFilePath(parser.positionalArguments().constFirst());
    result.screenshot = parser.value(screenshot);
    result.tab = parser.value(tab);
    result.seconds = std::max(1, parser.value(after).toInt());
    result.size = parser.value(size);
    return result;
}

/// Whether Qt has anything to draw windows on; without it would end the program with its own words.
bool hasPlatform()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int refuse(std::string_view what, std::string_view sentence)
{
    fmt::print(stderr, "headscope: {}: {}\n", what, sentence);
    return exitCode(ErrorCode::WrongUse);
}

} // namespace

QList<ui::Demo> bundledDemos()
{
    const QDir program(QCoreApplication::applicationDirPath());
    QList<ui::Demo> demos;
    const std::tuple<QString, QString, QString> bundled[] = {
        {QObject::tr("SmolLM2-135M"), QObject::tr("192 texts, 9 heads in 3 KV groups, language model"),
         QStringLiteral("demo-cache.h5")},
        {QObject::tr("all-MiniLM-L6-v2"), QObject::tr("the same texts, 12 heads, trained to embed"),
         QStringLiteral("demo-minilm.h5")}};
    for (const auto& [title, line, name] : bundled)
        for (const QString& folder :
             {program.filePath(QStringLiteral("../share/headscope/demo")), QStringLiteral(HEADSCOPE_DEMO_DIR)})
            if (const QString path = QDir(folder).filePath(name); QFileInfo::exists(path))
            {
                demos.append({title, QDir::cleanPath(path), line});
                break;
            }
    return demos;
}

int runWindow(int argc, char** argv)
{
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (!first.empty() && !first.starts_with('-') && !std::filesystem::exists(first))
        return refuse(first, "expected a verb (headscope --help lists them), a file or a folder, found none of them");
    if (!hasPlatform())
        return refuse("the window", "expected a display (DISPLAY or WAYLAND_DISPLAY), found none; the verbs need none");
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("headscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(HEADSCOPE_VERSION));
    const Arguments arguments = parse(QCoreApplication::arguments());

    ui::Settings settings;
    ui::DesktopDialogs dialogs;
    ui::Theme::instance().setScheme(ui::Theme::schemeFromName(settings.text(ui::SettingKey::ColorScheme)));
    ui::Theme::instance().apply(application);
    MainWindow window(settings, dialogs);
    Workbench workbench(window, findEngine());
    if (const QStringList size = arguments.size.split(u'x'); size.size() == 2)
        window.resize(size[0].toInt(), size[1].toInt());
    else if (arguments.screenshot.isEmpty()) // a picture needs no screen
        window.fitToScreen();
    if (!arguments.tab.isEmpty())
        window.setView(viewFromName(window, arguments.tab));
    const QList<MainWindow::Demo> demos = bundledDemos();
    window.setDemos(demos);
    window.show();

    std::unique_ptr<Screenshot> screenshot;
    if (!arguments.screenshot.isEmpty())
    {
        constexpr int kMsPerSecond = 1000;
        screenshot = std::make_unique<Screenshot>(window, arguments.screenshot, arguments.seconds * kMsPerSecond);
        const auto settle = [shot = screenshot.get()] { shot->settle(); };
        QObject::connect(&workbench, &Workbench::viewShown, screenshot.get(), [&window, settle](ui::View view) {
            if (view == window.view())
                settle();
        });
        if (window.view() == ui::View::Probe)
            QObject::connect(&workbench, &Workbench::cacheOpened, &window, &MainWindow::probeRequested);
        QObject::connect(&workbench, &Workbench::openFailed, screenshot.get(), settle);
    }
    if (!arguments.path.isEmpty())
        workbench.open(arguments.path);
    else if (!demos.isEmpty() && !settings.flag(ui::SettingKey::WelcomeAtStart))
        workbench.open(demos.front().path);
    const int code = QApplication::exec();
    workbench.stopAll();
    return code;
}

} // namespace headscope::desktop
