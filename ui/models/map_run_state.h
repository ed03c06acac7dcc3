// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

/// What the run behind the map is doing.
enum class MapRunState
{
    None, ///< there is no run
    Running,
    Paused,
    Stopped, ///< ended before its last iteration; may continue
    Finished,
};

/// How far a run is, as its worker publishes it.
struct MapRunProgress
{
    int iteration = 0;
    int iterations = 0;
    double kl = 0; ///< NaN before the first check
    bool klFalls = false;
    double rate = 0; ///< iterations per second
    double eta = -1; ///< seconds
    QString stage;   ///< shown instead of the iterations before the first one: "neighbours"
};

} // namespace headscope::ui
