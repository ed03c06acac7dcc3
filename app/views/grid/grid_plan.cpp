// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_plan.h"

#include "app/views/grid/grid_bar.h"
#include "model/analysis/tsne/affinities.h"
#include "model/base/fields/fields.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <vector>

namespace headscope::desktop
{

GridRequest GridPlan::request() const
{
    GridRequest wanted;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    wanted.reader = m_study.cache()->reader;
    wanted.heads = m_study.headsOfLayers();
    wanted.numThreads = m_study.threads();
    const ui::GridChoice choice = m_bar.choice();
    if (choice.kind == ui::GridChoice::Kind::Layers)
    {
        std::vector<LayerIndex> there;
        for (const auto& [layer, stages] : overview.stages)
            if (std::find(stages.begin(), stages.end(), m_study.stage()) != stages.end())
                there.push_back(layer);
        wanted.layers = spreadLayers(there, choice.layers);
        wanted.stages = {m_study.stage()};
    }
    else
    {
        wanted.layers = {m_study.layer()};
        wanted.stages = overview.stagesOf(m_study.layer());
        // Contributions are as wide as the model: a grid of them is another question.
        std::erase(wanted.stages, Stage::Contribution);
    }
    TsneOptions kept;
    Fields rows;
    fields(rows, kept);
    m_study.window().settings().load("map/", rows);
    TsneOptions& options = wanted.options;
    // Each map has a point per document.
    const double largest = std::max(1.0, largestPerplexity(overview.documents->count()));
    options.perplexities = {std::min(kept.perplexities.front(), largest)};
    options.iterations = kept.iterations;
    options.exaggerationIterations = std::min(options.exaggerationIterations, options.iterations);
    options.seed = kept.seed;
    return wanted;
}

QString GridPlan::key() const
{
    const ui::GridChoice choice = m_bar.choice();
    switch (choice.kind)
    {
    case ui::GridChoice::Kind::Stages:
        return QStringLiteral("stages of layer %1").arg(m_study.layer().value());
    case ui::GridChoice::Kind::Layers:
        return QStringLiteral("%1 layers, stage %2").arg(choice.layers).arg(ui::toQString(stageName(m_study.stage())));
    case ui::GridChoice::Kind::Stored:
        break;
    }
    return kStoredKey + choice.stored;
}

std::int64_t GridPlan::cells() const
{
    const GridRequest wanted = request();
    return 1 + static_cast<std::int64_t>(wanted.layers.size() * wanted.stages.size() * wanted.heads.size());
}

} // namespace headscope::desktop
