// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/recovery.h"

#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>

#include <utility>

namespace headscope::desktop
{
namespace
{

std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // however old: what counts is whether its process is there
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

void removeWork(const QString& file)
{
    QFile::remove(file);
    QFile::remove(file + u'~');
}

} // namespace

Recovery::~Recovery()
{
    remove();
}

std::optional<WorkDocument> Recovery::find()
{
    const QDir folder(m_folder);
    for (const QString& name : folder.entryList({QStringLiteral("*.headscope")}, QDir::Files, QDir::Time))
    {
        const QString path = folder.filePath(name);
        if (path == m_file)
            continue;
        auto lock = lockOf(path);
        if (lock == nullptr)
            continue; // its window is open
        auto document = readWork(ui::toStdString(path));
        if (!document)
            continue;
        m_found = path;
        m_foundLock = std::move(lock);
        return std::move(*document);
    }
    return std::nullopt;
}

void Recovery::take()
{
    if (m_found.isEmpty())
        return;
    remove();
    m_file = std::exchange(m_found, {});
    m_lock = std::move(m_foundLock);
}

void Recovery::discard()
{
    if (!m_found.isEmpty())
        removeWork(std::exchange(m_found, {}));
    m_foundLock.reset();
}

QString Recovery::file()
{
    if (!m_file.isEmpty())
        return m_file;
    if (!QDir().mkpath(m_folder))
        return {};
    const QString path = QDir(m_folder).filePath(QStringLiteral("%1-%2.headscope")
                                                     .arg(QDateTime::currentMSecsSinceEpoch())
                                                     .arg(QCoreApplication::applicationPid()));
    m_lock = lockOf(path);
    if (m_lock != nullptr)
        m_file = path;
    return m_file;
}

void Recovery::remove()
{
    if (!m_file.isEmpty())
        removeWork(std::exchange(m_file, {}));
    m_lock.reset();
}

} // namespace headscope::desktop
