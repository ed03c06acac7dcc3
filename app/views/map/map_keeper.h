// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "ui/jobs/job_runner.h"

#include <QObject>

#include <cstdint>
#include <deque>

namespace headscope::desktop
{

/// Background work on the maps of the library: paints thumbnails, measures trust numbers, stores maps in the cache.
/// @threads GUI thread
class MapKeeper : public QObject
{
    Q_OBJECT

public:
    explicit MapKeeper(Study& study, QObject* parent = nullptr);

    /// Measures a map as soon as nothing else is measured and no run continues.
    void measure(std::uint64_t id);
    /// Measuring waits while a run needs the cores.
    void setRunning(bool running);
    /// Puts a map into the cache; asks before it replaces one of that name.
    void store(std::uint64_t id);

    void stop();
    /// Another cache opens: drops what was to be measured or painted. A map that is being stored is finished.
    void leave();
    /// Whether a map is being stored, which must not be interrupted.
    [[nodiscard]] bool storing() const { return m_store.running(); }

Q_SIGNALS:
    void stored(quint64 id);

private:
    void paintThumbnails(bool all);
    void measureNext();
    void storeNow(std::uint64_t id, bool replace);
    void askToReplace(std::uint64_t id);

    Study& m_study;
    std::deque<std::uint64_t> m_toMeasure;
    bool m_running = false;
    // Last: their destructors wait for workers.
    ui::JobRunner m_paint;
    ui::JobRunner m_measure;
    ui::JobRunner m_store;
};

} // namespace headscope::desktop
