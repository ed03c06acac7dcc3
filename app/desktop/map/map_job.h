// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/map/make_map.h"
#include "app/desktop/shell/study.h"

#include <QObject>
#include <QPointer>

namespace headscope::desktop
{

/// Lists the run of the map among the jobs of the window, with its progress, Pause and Cancel. It
/// has no row in the strip: the bar under the map tells the same.
/// @threads GUI thread
class MapJob : public QObject
{
    Q_OBJECT

public:
    /// @param study, run  must outlive the object
    MapJob(Study& study, MapRun& run, QObject* parent = nullptr);
    /// Of its row.
    [[nodiscard]] static QString key();

private:
    void take(ui::RunState state, const ui::RunProgress& progress);
    void begin();

    Study& m_study;
    MapRun& m_run;
    QPointer<ui::JobRow> m_row;
};

} // namespace headscope::desktop
