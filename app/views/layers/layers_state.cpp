// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_state.h"

#include "app/desktop/work/result_values.h"
#include "app/desktop/work/state_values.h"
#include "model/data/model_info.h"
#include "ui/words/wording.h"

#include <utility>

namespace headscope
{
namespace
{

std::string writeStage(const Stage& stage)
{
    return std::string(stageName(stage));
}

std::string readStage(Stage& stage, const std::string& text)
{
    const auto named = stageFromName(text);
    stage = named.value_or(stage);
    return named ? std::string() : "a stage";
}

} // namespace

void fields(RecordFields& record, LayerMeasures& one)
{
    record("layer", one.layer).required().within(0, 100'000);
    record.text<writeStage, readStage>("stage", one.stage);
    record("documents", one.documents).countFrom(0);
    record("heads", one.heads).countFrom(0);
    record("after_final_norm", one.afterFinalNorm);
    record("accuracy", one.accuracy);
    record.row("ci95", one.accuracyCi95);
    record("ci95_method", one.accuracyMethod);
    record("effective_rows", one.effectiveRows);
    record("test_documents", one.testDocuments).countFrom(0);
    record("chance", one.accuracyChance);
    record("converged", one.converged);
    record("purity", one.purity);
    record.row("purity_ci95", one.purityCi95);
    record.row("purity_null", one.purityNull);
    record("purity_chance", one.purityChance);
    record("purity_documents", one.purityDocuments).countFrom(0);
    record("redundancy", one.redundancy);
    record.row("redundancy_ci95", one.redundancyCi95);
    record("redundancy_pairs", one.redundancyPairs).countFrom(0);
    record.texts("missing", one.missing);
    record("seconds", one.seconds);
}

} // namespace headscope

namespace headscope::desktop
{
namespace
{

/// As a work file has them: indices as ranges.
struct KeptLayers
{
    std::string origin;
    std::string labels;
    std::string heads;
    std::string documents;
    LayerOptions options;
    std::vector<LayerMeasures> measures;
};

void fields(RecordFields& record, KeptLayers& kept)
{
    record("origin", kept.origin).required();
    record("labels", kept.labels);
    record("heads", kept.heads).required();
    record("documents", kept.documents);
    headscope::fields(record.attributes(), kept.options);
    for (const char* option : {"neighbors", "permutations", "seed"})
        record.attributes().require(option);
    record.list("measures", kept.measures);
}

} // namespace

QJsonObject layersJson(const MeasuredLayers& measured, const Origin& origin)
{
    KeptLayers kept{origin.hash,
                    measured.labels,
                    ui::toStdString(state::rangesText(measured.heads)),
                    ui::toStdString(state::rangesText(measured.documents)),
                    measured.measures.front()->options,
                    {}};
    for (const auto& each : measured.measures)
        kept.measures.push_back(*each);
    return state::recordObject(recordOf(kept));
}

std::optional<MeasuredLayers> layersOf(const QJsonObject& object, const Origin& origin, const ModelInfo& model,
                                       std::int64_t documents)
{
    KeptLayers kept;
    if (origin.hash.empty() || !state::takeRecord(object, recordOf(kept)) || kept.origin != origin.hash)
        return std::nullopt;
    auto heads = state::rangesOf(ui::toQString(kept.heads), model.heads);
    auto rows = state::rangesOf(ui::toQString(kept.documents), documents);
    if (!heads || heads->empty() || !rows || kept.measures.empty())
        return std::nullopt;
    MeasuredLayers measured{std::move(*heads), std::move(*rows), kept.labels, {}};
    for (LayerMeasures& each : kept.measures)
    {
        each.options = kept.options;
        each.origin = origin;
        measured.measures.push_back(std::make_shared<const LayerMeasures>(std::move(each)));
    }
    return measured;
}

} // namespace headscope::desktop
