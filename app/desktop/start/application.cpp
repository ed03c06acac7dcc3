// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start/application.h"

#include "app/cli/cli.h"
#include "app/cli/engine_process.h"
#include "app/cli/window_options.h"
#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"
#include "app/desktop/work/work_session.h"
#include "app/shell/console.h"
#include "app/views/probe/probe_view.h"
#include "model/base/error.h"
#include "model/base/output/output_file.h"
#include "model/io/hdf5/hdf5_open.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_runner.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/job_list_model.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/view/view.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"
#include "ui/window/view_stack.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QPixmap>
#include <QStandardPaths>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using ui::MainWindow;

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
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // what is laid out anew is painted so
        const Status saved = write();
        if (!saved)
            say(saved.error().sentence());
        QCoreApplication::exit(saved ? 0 : exitCode(saved.error().code));
    }

    [[nodiscard]] Status write() const
    {
        const std::string file = m_file.toStdString();
        QByteArray bytes;
        QBuffer buffer(&bytes);
        const QByteArray format = QFileInfo(m_file).suffix().toLatin1().toLower();
        if (!buffer.open(QIODevice::WriteOnly) || !picture().save(&buffer, format.constData()))
            return Error{ErrorCode::Resource, "the image could not be encoded", file, {}};
        return writeFileAtomically(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    }

    /// The window, with the dialog that stands over it.
    [[nodiscard]] QPixmap picture() const
    {
        QPixmap whole = m_window.grab();
        QWidget* dialog = QApplication::activeModalWidget();
        if (dialog == nullptr)
            return whole;
        const QPoint corner((m_window.width() - dialog->width()) / 2,
                            std::max(0, (m_window.height() - dialog->height()) / 2));
        QPainter painter(&whole);
        painter.drawPixmap(corner, dialog->grab());
        painter.setPen(ui::Theme::instance().colors().hairline);
        painter.drawRect(QRect(corner, dialog->size()).adjusted(-1, -1, 0, 0));
        return whole;
    }

    MainWindow& m_window;
    QString m_file;
    QTimer m_latest;
    bool m_taken = false;
};

/// Whether Qt has anything to draw windows on; without it would end the program with its own words.
bool hasPlatform()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// The demos of the welcome page, and what was wrong with the settings.
void welcome(MainWindow& window, const QList<ui::Demo>& demos, const ui::Settings& settings)
{
    if (!settings.problem().isEmpty())
        window.showNotice(settings.problem());
    window.setDemos(demos);
}

int refuse(std::string_view sentence)
{
    say(sentence);
    return exitCode(ErrorCode::WrongUse);
}

} // namespace

void say(std::string_view sentence)
{
    shell::Console(std::cout, std::cerr).say(sentence);
}

std::string platformFault()
{
    const QString plugin = qEnvironmentVariable("QT_QPA_PLATFORM");
    const std::string asked =
        plugin.isEmpty() ? std::string() : fmt::format(" (QT_QPA_PLATFORM is set to \"{}\")", plugin.toStdString());
    return fmt::format("the window needs a display, but none can be reached{}; commands work without a display", asked);
}

QList<ui::Demo> bundledDemos()
{
    const QDir program(QCoreApplication::applicationDirPath());
    QList<ui::Demo> demos;
    const std::tuple<QString, QString, QString> bundled[] = {
        {QObject::tr("SmolLM2-135M"), QObject::tr("192 texts, 9 query heads in 3 KV groups, language model"),
         QStringLiteral("demo-cache.h5")},
        {QObject::tr("all-MiniLM-L6-v2"), QObject::tr("the same texts, 12 heads, embedding model"),
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

namespace
{

/// Why no window can be opened for these arguments, and says so; 0: it can.
int refusal(int argc, char** argv)
{
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (!first.empty() && !first.starts_with('-') && !std::filesystem::exists(first))
        return refuse(cli::neitherVerbNorPath(first));
    if (!hasPlatform())
        return refuse("the window needs a display (DISPLAY or WAYLAND_DISPLAY), but there is none; commands work "
                      "without a display");
    return 0;
}

/// The options of the window, without the words that Qt took for itself.
Result<cli::WindowOptions> windowOptions()
{
    std::vector<std::string> words;
    for (const QString& word : QCoreApplication::arguments().mid(1))
        words.push_back(ui::toStdString(word));
    return cli::parseWindowOptions(words);
}

void applyTheme(QApplication& application, const cli::WindowOptions& options, const ui::Settings& settings)
{
    const QString scheme =
        options.theme.empty() ? settings.text(ui::SettingKey::ColorScheme) : ui::toQString(options.theme);
    ui::Theme::instance().setScheme(ui::Theme::schemeFromName(scheme));
    ui::Theme::instance().apply(application);
}

/// What the window opens when it starts, unless it offers to recover work: the file that was asked for, else the demo.
QString firstToOpen(const std::string& asked, const QList<ui::Demo>& demos, const ui::Settings& settings)
{
    if (!asked.empty())
        return QDir::current().absoluteFilePath(ui::toQString(asked));
    return demos.isEmpty() || settings.flag(ui::SettingKey::WelcomeAtStart) ? QString() : demos.front().path;
}

/// Checks the cache that is opened first in another process while the window is made; opening it then finds the answer.
/// What is wrong with it is said when it is opened.
void checkAhead(ui::JobRunner& runner, const QString& path)
{
    if (path.isEmpty() || ui::fileKind(path) != ui::FileKind::Cache)
        return;
    runner.start<CheckedHdf5>([path = ui::toStdString(path)](JobContext& job) { return checkHdf5(path, job); },
                              [](const Result<CheckedHdf5>&) {});
}

/// A view that waits for a choice (a head, a query), and a window without a cache, announce no result: they settle once
/// nothing has run for a second.
void settleAtRest(Screenshot& screenshot, MainWindow& window, Workbench& workbench)
{
    constexpr int kTickMs = 250;
    constexpr int kTicks = 4;
    auto* timer = new QTimer(&screenshot);
    QObject::connect(timer, &QTimer::timeout, &screenshot, [&screenshot, &window, &workbench, quiet = 0]() mutable {
        const ui::ViewEntry* entry = window.views().currentEntry();
        const auto* view = entry == nullptr ? nullptr : qobject_cast<const ui::View*>(entry->widget);
        const bool waits = !workbench.study().cache() ||
                           (view != nullptr && view->emptyState() != nullptr && view->emptyState()->isVisible());
        const bool rests = waits && workbench.rests() && window.jobStrip().jobs().activeCount() == 0;
        quiet = rests ? quiet + 1 : 0;
        if (quiet == kTicks)
            screenshot.settle();
    });
    timer->start(kTickMs);
}

/// Takes the picture that the options ask for, once what it shows has come to rest; null: they ask for none.
std::unique_ptr<Screenshot> takeScreenshot(MainWindow& window, Workbench& workbench, const cli::WindowOptions& options)
{
    constexpr int kMsPerSecond = 1000;
    if (options.screenshot.empty())
        return nullptr;
    workbench.keeper().setEnabled(false); // a picture shows the cache alone, and leaves nothing behind
    auto screenshot =
        std::make_unique<Screenshot>(window, ui::toQString(options.screenshot), options.seconds * kMsPerSecond);
    const auto settle = [shot = screenshot.get()] { shot->settle(); };
    QObject::connect(&workbench, &Workbench::viewShown, screenshot.get(), [&window, settle](ui::ViewId view) {
        if (view == window.view())
            settle();
    });
    QObject::connect(&workbench, &Workbench::extractAsked, screenshot.get(), settle); // for a model or texts
    settleAtRest(*screenshot, window, workbench);
    if (window.view() == ui::kProbeView)
        QObject::connect(&workbench, &Workbench::cacheOpened, &window,
                         [&window] { window.actions().find(QStringLiteral("actionProbe"))->trigger(); });
    QObject::connect(&workbench, &Workbench::openFailed, screenshot.get(), [](const Error& error) {
        say(error.sentence());
        // Not before the event loop runs, which would not hear of it.
        QTimer::singleShot(0, qApp, [code = exitCode(error.code)] { QCoreApplication::exit(code); });
    });
    return screenshot;
}

} // namespace

int runWindow(int argc, char** argv)
{
    if (const int code = refusal(argc, argv); code != 0)
        return code;
    QApplication application(argc, argv);
    QApplication::setLayoutDirection(Qt::LeftToRight); // of its texts, which are English whatever the locale
    QCoreApplication::setApplicationName(QStringLiteral("headscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(HEADSCOPE_VERSION));
    const Result<cli::WindowOptions> options = windowOptions();
    if (!options)
    {
        say(options.error().sentence());
        return exitCode(options.error().code);
    }
    if (options->help)
        return cli::run({"--help"}, std::cout, std::cerr);

    ui::Settings settings;
    ui::DesktopDialogs dialogs;
    const QList<ui::Demo> demos = bundledDemos();
    const QString first = firstToOpen(options->path, demos, settings);
    ui::JobRunner checker;
    checkAhead(checker, first);
    applyTheme(application, *options, settings);
    MainWindow window(settings, dialogs);
    Workbench workbench(window, ui::toQString(cli::enginePath().string()));
    if (options->size)
        window.resize(options->size->first, options->size->second);
    else if (options->screenshot.empty()) // a picture needs no screen
        window.fitToScreen();
    if (options->tab)
        window.setView(window.views().idOf(QLatin1StringView(cli::kTabNames[*options->tab])));
    welcome(window, demos, settings);
    window.show();

    const std::unique_ptr<Screenshot> screenshot = takeScreenshot(window, workbench, *options);
    workbench.work().keepPictures(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                                  QStringLiteral("/headscope/work-pictures"));
    if (options->screenshot.empty()) // a picture leaves nothing behind
        workbench.work().keepRecovery(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                                      QStringLiteral("/headscope/recovery"));
    if (!first.isEmpty() && (!options->path.empty() || !workbench.work().offersRecovery()))
        workbench.open(first);
    const int code = QApplication::exec();
    workbench.stopAll();
    return code;
}

} // namespace headscope::desktop
