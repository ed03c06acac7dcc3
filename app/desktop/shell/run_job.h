// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "app/views/map/map_view.h"

#include <QObject>
#include <QPointer>

#include <functional>

namespace headscope::desktop
{

/// A run that its view lets the user pause and stop, as the list of jobs needs to know it.
struct ListedRun
{
    QString key;                          ///< of its row
    std::function<QString()> title;       ///< of the row; called again for each run
    std::function<QString()> commandLine; ///< that does the same as the run; "" while it is not known
    std::function<void()> pause;
    std::function<void()> resume;
    std::function<void()> stop;
};

/// Lists a run among the jobs of the window, with its progress, Pause and Cancel. It has no row in the strip: the bar
/// under its view tells the same.
/// @threads GUI thread
class RunJob : public QObject
{
    Q_OBJECT

public:
    /// @param study  must outlive the object
    RunJob(Study& study, ListedRun run, QObject* parent = nullptr);

    /// Updates the row to the state of the run.
    void take(headscope::ui::MapRunState state, const headscope::ui::MapRunProgress& progress);
    /// The run has failed; to be called before take() with MapRunState::None.
    void fail(const headscope::Error& error);

private:
    void begin();
    void tellCommandLine();

    Study& m_study;
    ListedRun m_run;
    QPointer<ui::JobRow> m_row;
};

} // namespace headscope::desktop
