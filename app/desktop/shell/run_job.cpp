// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/run_job.h"

#include "ui/jobs/job_strip.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

Progress progressOf(const ui::MapRunProgress& run)
{
    Progress progress;
    progress.stage = ui::toStdString(run.iteration > 0 ? RunJob::tr("t-SNE") : run.stage);
    if (run.iteration > 0)
    {
        progress.done = static_cast<std::uint64_t>(run.iteration);
        progress.total = static_cast<std::uint64_t>(std::max(0, run.iterations));
        progress.unit = ui::toStdString(RunJob::tr("iterations"));
        progress.rate = run.rate;
        progress.eta = run.eta;
    }
    return progress;
}

} // namespace

RunJob::RunJob(Study& study, ListedRun run, QObject* parent) : QObject(parent), m_study(study), m_run(std::move(run)) {}

void RunJob::begin()
{
    m_row = m_study.window().jobStrip().begin(m_run.key, m_run.title(), true, ui::JobStrip::kPanelOnly);
    connect(m_row, &ui::JobRow::cancelRequested, this, [this] { m_run.stop(); });
    connect(m_row, &ui::JobRow::pauseRequested, this, [this](bool pause) { (pause ? m_run.pause : m_run.resume)(); });
    tellCommandLine();
}

void RunJob::tellCommandLine()
{
    if (const QString line = m_run.commandLine(); !line.isEmpty())
        m_row->setCommandLine(line);
}

void RunJob::take(ui::MapRunState state, const ui::MapRunProgress& progress)
{
    ui::JobStrip& strip = m_study.window().jobStrip();
    const bool active = state == ui::MapRunState::Running || state == ui::MapRunState::Paused;
    if (active && strip.row(m_run.key) == nullptr)
        begin();
    if (strip.row(m_run.key) == nullptr)
        return;
    if (state != ui::MapRunState::None)
        m_row->setProgress(progressOf(progress));
    if (active)
        return m_row->setPaused(state == ui::MapRunState::Paused);
    tellCommandLine();
    if (std::isfinite(progress.kl) && progress.iteration > 0)
        m_row->addLog(tr("%1: KL divergence %2")
                          .arg(ui::countText(progress.iteration, tr("iteration"), tr("iterations")),
                               ui::numberText(progress.kl)));
    strip.end(m_run.key, state == ui::MapRunState::Finished ? ui::JobState::Done : ui::JobState::Cancelled);
}

void RunJob::fail(const Error& error)
{
    if (m_row)
        m_row->setError(ui::errorText(error));
    m_study.window().jobStrip().end(m_run.key);
}

} // namespace headscope::desktop
