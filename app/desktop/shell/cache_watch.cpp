// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/cache_watch.h"

#include "ui/jobs/job_strip.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>

#include <sys/stat.h>

namespace headscope::desktop
{

CacheWatch::CacheWatch(Study& study, QObject* parent) : QObject(parent), m_study(study)
{
    constexpr int kCalmMs = 400;
    m_calm.setSingleShot(true);
    m_calm.setInterval(kCalmMs);
    connect(&m_calm, &QTimer::timeout, this, &CacheWatch::check);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_calm, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_calm, qOverload<>(&QTimer::start));
    // File systems of a network tell nothing: looked at when the user comes back.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive)
            m_calm.start();
    });
    connect(&study, &Study::cacheChanged, this, &CacheWatch::follow);
    connect(&study, &Study::readerChanged, this, &CacheWatch::follow);
}

std::optional<CacheWatch::Stamp> CacheWatch::stampOf(const QString& path)
{
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    struct stat info = {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return std::nullopt;
    return Stamp{info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec * kNsPerSecond + info.st_mtim.tv_nsec};
}

void CacheWatch::follow()
{
    m_calm.stop();
    if (const QStringList before = m_watcher.files() + m_watcher.directories(); !before.isEmpty())
        m_watcher.removePaths(before);
    m_path = ui::toQString(m_study.cache()->reader->path().string());
    m_known = stampOf(m_path);
    m_watcher.addPaths({m_path, QFileInfo(m_path).absolutePath()});
}

void CacheWatch::check()
{
    if (!m_study.cache() || m_path.isEmpty())
        return;
    const auto now = stampOf(m_path);
    if (now == m_known)
        return;
    const QString name = QFileInfo(m_path).fileName();
    QString sentence;
    if (!now)
        sentence =
            tr("%1 was deleted or moved. You can still view the open data, but nothing can be stored in it.").arg(name);
    else if (!m_known || now->node != m_known->node || now->device != m_known->device)
        sentence = tr("%1 was replaced by another file. Open the new file to see its contents.").arg(name);
    else
        sentence = tr("%1 was changed by another program. Open the cache again before you continue.").arg(name);
    m_known = now; // said once
    if (now && !m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);
    m_study.window().jobStrip().addLog(sentence);
    m_study.window().showError(tr("Cache file changed"), sentence);
    m_study.window().notices().setAbout(sentence, ui::NoticeBar::About::OpenCache);
}

} // namespace headscope::desktop
