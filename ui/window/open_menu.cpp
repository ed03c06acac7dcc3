// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/open_menu.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"
#include "ui/words/distinct_names.h"
#include "ui/words/opened_file_kind.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kOpen{MenuId::File, 0};
constexpr MenuPlace kQuit{MenuId::File, 90};

QString localPath(const QMimeData* data)
{
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
}

} // namespace

OpenMenu::OpenMenu(MainWindow& window) : QObject(&window), m_window(window)
{
    addCommands();
    connectWelcome();
    connect(m_recent, &QMenu::aboutToShow, this, &OpenMenu::fillRecent);
}

void OpenMenu::addCommands()
{
    Actions& actions = m_window.actions();
    actions.add({.id = QStringLiteral("actionOpen"),
                 .text = tr("Open…"),
                 .tip = tr("Open a cache, a project, a figure, a model or texts"),
                 .keys = QKeySequence::Open,
                 .place = kOpen,
                 .act = [this] { ask(); },
                 .toolBar = 10});
    m_recent = actions.addMenu(kOpen, tr("Open recent"), tr("Recently opened files"));
    m_demos = actions.addMenu(kOpen, tr("Open demo"), tr("Caches included with Headscope"));
    m_demos->menuAction()->setVisible(false);
    actions.add({.id = QStringLiteral("actionExtract"),
                 .text = tr("Extract…"),
                 .tip = tr("Run a model over texts and save the vectors of its heads in a cache"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+E")),
                 .place = kOpen,
                 .act = [this] { Q_EMIT m_window.extractRequested(); },
                 .toolBar = 11});
    actions.add({.id = QStringLiteral("actionQuit"),
                 .text = tr("Quit"),
                 .tip = tr("Close the window"),
                 .keys = QKeySequence::Quit,
                 .place = kQuit,
                 .act = [this] { m_window.close(); }});
}

void OpenMenu::connectWelcome()
{
    WelcomePage& welcome = m_window.welcome();
    connect(&welcome, &WelcomePage::openAsked, this, &OpenMenu::ask);
    connect(&welcome, &WelcomePage::extractAsked, &m_window, &MainWindow::extractRequested);
    connect(&welcome, &WelcomePage::openRequested, &m_window, &MainWindow::openRequested);
    connect(&welcome, &WelcomePage::backAsked, this, [this] { m_window.setWelcomeShown(false); });
    connect(&m_window.settings(), &Settings::changed, this, [this](SettingKey key) {
        if (key == SettingKey::RecentFiles && m_window.welcomeShown())
            m_window.welcome().setRecent(m_window.settings().list(key));
    });
}

void OpenMenu::ask()
{
    Settings& settings = m_window.settings();
    m_window.dialogs().openFile(
        &m_window, tr("Open a cache, a project, a figure, a model or texts"), settings.text(SettingKey::LastFolder),
        tr("All supported files (*.h5 *.hdf5 *.headscope *.gguf *.safetensors *.json *.jsonl *.ndjson *.csv *.tsv "
           "*.parquet *.txt *.gz *.zst *.pdf *.svg *.png);;Caches (*.h5 *.hdf5);;Headscope projects "
           "(*.headscope);;Figures (*.pdf *.svg *.png *.json);;All files (*)"),
        [this](const QString& path) {
            m_window.settings().setText(SettingKey::LastFolder, QFileInfo(path).absolutePath());
            Q_EMIT m_window.openRequested(path);
        });
}

void OpenMenu::takeDrag(QDragEnterEvent* event)
{
    const QString path = localPath(event->mimeData());
    if (path.isEmpty())
        return event->ignore();
    if (fileKind(path) == FileKind::Unknown)
    {
        m_window.showNotice(unknownFileReason(path));
        return event->ignore();
    }
    event->acceptProposedAction();
}

void OpenMenu::takeDrop(QDropEvent* event)
{
    const QString path = localPath(event->mimeData());
    if (path.isEmpty() || fileKind(path) == FileKind::Unknown)
        return event->ignore();
    event->acceptProposedAction();
    Q_EMIT m_window.openRequested(path);
}

void OpenMenu::fillRecent()
{
    m_recent->clear();
    const QStringList files = m_window.settings().list(SettingKey::RecentFiles);
    const QStringList names = distinctNames(files);
    for (qsizetype i = 0; i < files.size(); ++i)
    {
        const QString& path = files.at(i);
        QAction* action = m_recent->addAction(names.at(i));
        action->setToolTip(path);
        action->setStatusTip(path);
        // A file that is gone stays in the list, greyed: it may be on a disk that comes back.
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, &m_window, [this, path] { Q_EMIT m_window.openRequested(path); });
    }
    if (files.isEmpty())
    {
        QAction* none = m_recent->addAction(tr("No recent files"));
        none->setStatusTip(tr("Files that you open are listed here"));
        none->setEnabled(false);
    }
}

void OpenMenu::setDemos(const QList<Demo>& demos)
{
    m_demos->clear();
    m_demoPaths.clear();
    for (const Demo& demo : demos)
    {
        m_demoPaths << QFileInfo(demo.path).canonicalFilePath();
        QAction* action = m_demos->addAction(demo.title);
        action->setStatusTip(demo.path);
        connect(action, &QAction::triggered, &m_window,
                [this, path = demo.path] { Q_EMIT m_window.openRequested(path); });
    }
    m_demos->menuAction()->setVisible(!demos.isEmpty());
}

bool OpenMenu::isDemo(const QString& path) const
{
    return m_demoPaths.contains(QFileInfo(path).canonicalFilePath());
}

} // namespace headscope::ui
