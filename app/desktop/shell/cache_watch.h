// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <optional>

namespace headscope::desktop
{

/// Says in a sentence, once, when the file of the open cache is gone from the disk, another one
/// is in its place, or another program has changed it. Nothing is closed: what was read stays,
/// and an open file can be read on after its name has gone.
/// @threads GUI thread
class CacheWatch : public QObject
{
    Q_OBJECT

public:
    explicit CacheWatch(Study& study, QObject* parent = nullptr);

private:
    /// What tells a file from another one of its name.
    struct Stamp
    {
        std::uint64_t device = 0;
        std::uint64_t node = 0;
        std::int64_t bytes = 0;
        std::int64_t changedNs = 0;

        bool operator==(const Stamp&) const = default;
    };

    [[nodiscard]] static std::optional<Stamp> stampOf(const QString& path);
    void follow();
    void check();

    Study& m_study;
    QString m_path;
    std::optional<Stamp> m_known;
    QFileSystemWatcher m_watcher;
    QTimer m_calm; ///< waits for a pause: a file that is being written changes many times
};

} // namespace headscope::desktop
