// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/run_job.h"
#include "app/views/map/map_run.h"

namespace headscope::desktop
{

/// The run of the map among the jobs of the window.
/// @threads GUI thread
class MapJob : public RunJob
{
    Q_OBJECT

public:
    /// @param study, run  must outlive the object
    MapJob(Study& study, MapRun& run, QObject* parent = nullptr);
    /// Key of its row in the list of jobs.
    [[nodiscard]] static QString key();
};

} // namespace headscope::desktop
