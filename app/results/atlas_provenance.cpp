// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/atlas_provenance.h"

#include "model/data/last_layer.h"

#include <fmt/format.h>

namespace headscope
{

Provenance atlasProvenance(const HeadMeasures& measures, const ModelInfo& model, const std::string& cache)
{
    Provenance provenance;
    provenance.add("cache", cache);
    provenance.add("stage", std::string(stageName(measures.stage)));
    if (const auto note = finalNormNote(model, LayerIndex(model.layers - 1), measures.stage); !note.empty())
        provenance.add("last_layer", fmt::format("stage 3 is taken {}", note));
    for (const HeadMeasure& measure : measures.measures)
    {
        if (measure.kind == MeasureKind::Place)
            continue;
        std::string text = measure.definition;
        if (measure.count > 0)
            text += measure.allCount > measure.count
                        ? fmt::format(" n = {} of {} {}.", measure.count, measure.allCount, measure.counted)
                        : fmt::format(" n = {} {}.", measure.count, measure.counted);
        if (!measure.intervalMethod.empty())
            text += fmt::format(" Intervals (95%): {}.", measure.intervalMethod);
        if (!measure.nullMethod.empty())
            text += fmt::format(" p: {}.", measure.nullMethod);
        if (measure.chance == measure.chance)
            text += fmt::format(" Chance: {:.4g}.", measure.chance);
        provenance.add(measure.key, fmt::format("{} From: {}.", text, measure.source));
    }
    return provenance;
}

} // namespace headscope
