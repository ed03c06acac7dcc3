// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_job.h"

#include "app/views/map/map_view.h"
#include "ui/words/wording.h"

namespace headscope::desktop
{
namespace
{

const QString kJob = QStringLiteral("map run");

ListedRun listed(Study& study, MapRun& run)
{
    return {kJob,
            [&study] {
                return MapJob::tr("Map of layer %1, %2").arg(study.layer().value()).arg(ui::stageTitle(study.stage()));
            },
            [&study] {
                const ui::ViewEntry* entry = study.window().views().find(ui::kMapView);
                return entry != nullptr && entry->commandLine ? entry->commandLine() : QString();
            },
            [&run] { run.pause(); },
            [&run] { run.resume(); },
            [&run] { run.stop(); }};
}

} // namespace

QString MapJob::key()
{
    return kJob;
}

MapJob::MapJob(Study& study, MapRun& run, QObject* parent) : RunJob(study, listed(study, run), parent)
{
    connect(&run, &MapRun::stateChanged, this, &MapJob::take);
    connect(&run, &MapRun::failed, this, &MapJob::fail);
}

} // namespace headscope::desktop
