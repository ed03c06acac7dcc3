// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/as_cache.h"

#include "model/data/ablation_spec.h"
#include "model/data/head_vectors.h"
#include "model/data/model_digests.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

/// Why no text can be embedded as the documents of a cache were.
Error meansNotKnown(const ModelInfo& cache, const std::string& place)
{
    return {
        ErrorCode::InvalidArgument,
        fmt::format("the model of the cache was changed ({}), and the cache does not hold the texts or the prompt of "
                    "the mean ({}), so no text can be embedded as its documents were: search with a document of "
                    "the cache, or with queries that were extracted with --ablate \"{}\" --ablation mean "
                    "--reference DOCS",
                    cache.changes.words(cache.kvHeads), cache.changes.reference, cache.changes.ablated),
        place,
        {}};
}

} // namespace

commands::AblationChoices changesAsCache(const ModelInfo& model)
{
    commands::AblationChoices choices;
    choices.ablate = model.changes.ablated;
    if (!model.changes.ablation.empty())
        choices.ablation = model.changes.ablation;
    choices.regroup = model.changes.regroupedFrom != 0 ? model.kvHeads : 0;
    return choices;
}

Status addReference(CacheReader& cache, const std::filesystem::path& folder, commands::AblationChoices& choices,
                    JobContext& job)
{
    if (choices.ablation != "mean")
        return {};
    const ModelInfo& model = cache.info().header.model;
    HEADSCOPE_TRY(const auto documents, cache.documents(job));
    const std::int64_t count = std::min(kMaxReferenceDocuments, documents->count());
    if (documents->texts.empty() || !model.changes.reference.starts_with(fmt::format("{} documents,", count)))
        return meansNotKnown(model, cache.path().string());
    const std::filesystem::path path = folder / "reference.jsonl";
    HEADSCOPE_CHECK(writeDocumentLines(path, *documents, allIndices(count)));
    choices.reference = path.string();
    return {};
}

Status checkChangedAsCache(const ModelInfo& cache, const ModelInfo& asked, const std::string& place)
{
    HEADSCOPE_CHECK(checkSameChanges(cache, asked, place));
    return meansNotice(cache, asked, "text").empty() ? Status() : meansNotKnown(cache, place);
}

std::pair<std::string, std::string> placesOfSearch(const CacheReader& cache, LayerIndex layer, Stage stage)
{
    const LayerIndex last(cache.info().header.model.layers - 1);
    if (stage == Stage::Embedding) // which extract stores beside it
        return {std::to_string(last.value()), "3"};
    std::string layers = std::to_string(layer.value());
    std::string stages(stageName(stage));
    if (cache.find(last, Stage::OutputSegment) == nullptr)
        return {layers, stages};
    if (layer != last)
        layers += fmt::format(",{}", last.value());
    if (stage != Stage::OutputSegment)
        stages += ",3";
    return {layers, stages};
}

} // namespace headscope
