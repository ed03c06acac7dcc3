// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map/map_job.h"

#include "ui/jobs/job_strip.h"
#include "ui/views/map/map_view.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>

namespace headscope::desktop
{
namespace
{

const QString kJob = QStringLiteral("map run");

Progress progressOf(const ui::RunProgress& run)
{
    Progress progress;
    progress.stage = ui::toStdString(run.iteration > 0 ? MapJob::tr("t-SNE") : run.stage);
    if (run.iteration > 0)
    {
        progress.done = static_cast<std::uint64_t>(run.iteration);
        progress.total = static_cast<std::uint64_t>(std::max(0, run.iterations));
        progress.unit = ui::toStdString(MapJob::tr("iterations"));
        progress.rate = run.rate;
        progress.eta = run.eta;
    }
    return progress;
}

} // namespace

QString MapJob::key()
{
    return kJob;
}

MapJob::MapJob(Study& study, MapRun& run, QObject* parent) : QObject(parent), m_study(study), m_run(run)
{
    connect(&m_run, &MapRun::stateChanged, this, &MapJob::take);
    connect(&m_run, &MapRun::failed, this, [this](const Error& error) {
        if (m_row)
            m_row->setError(ui::errorText(error));
        m_study.window().jobStrip().end(kJob);
    });
}

void MapJob::begin()
{
    const QString title = tr("Map of layer %1, %2").arg(m_study.layer().value()).arg(ui::stageTitle(m_study.stage()));
    m_row = m_study.window().jobStrip().begin(kJob, title, true, ui::JobStrip::kPanelOnly);
    connect(m_row, &ui::JobRow::cancelRequested, &m_run, &MapRun::stop);
    connect(m_row, &ui::JobRow::pauseRequested, &m_run, [this](bool pause) {
        if (pause)
            m_run.pause();
        else
            m_run.resume();
    });
    if (const ui::ViewEntry* entry = m_study.window().views().find(ui::kMapView);
        entry != nullptr && entry->commandLine)
        m_row->setCommandLine(entry->commandLine());
}

void MapJob::take(ui::RunState state, const ui::RunProgress& progress)
{
    ui::JobStrip& strip = m_study.window().jobStrip();
    const bool active = state == ui::RunState::Running || state == ui::RunState::Paused;
    if (active && strip.row(kJob) == nullptr)
        begin();
    if (strip.row(kJob) == nullptr)
        return;
    if (state != ui::RunState::None)
        m_row->setProgress(progressOf(progress));
    if (active)
        return m_row->setPaused(state == ui::RunState::Paused);
    if (const ui::ViewEntry* entry = m_study.window().views().find(ui::kMapView);
        entry != nullptr && entry->commandLine)
        m_row->setCommandLine(entry->commandLine());
    if (std::isfinite(progress.kl) && progress.iteration > 0)
        m_row->addLog(tr("%1: KL divergence %2")
                          .arg(ui::countText(progress.iteration, tr("iteration"), tr("iterations")),
                               ui::numberText(progress.kl)));
    strip.end(kJob, state == ui::RunState::Finished ? ui::JobState::Done : ui::JobState::Cancelled);
}

} // namespace headscope::desktop
