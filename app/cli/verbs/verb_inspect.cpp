// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/inspect_command.h"
#include "app/frames/frame_json.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/last_layer.h"
#include "model/io/cache/cache_reader.h"
#include "viz/export/schema_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::cli
{
namespace
{

Json numberOrNull(std::int64_t number)
{
    return number > 0 ? Json(number) : Json();
}

Json vectorsJson(const std::vector<VectorsInfo>& vectors)
{
    Json list = Json::array();
    for (const VectorsInfo& each : vectors)
    {
        const std::string stage(stageName(each.stage));
        list.push_back({{"layer", each.layer.value()},
                        {"stage", stage.size() == 1 ? Json(stage[0] - '0') : Json(stage)},
                        {"shape", {each.documents, each.heads, each.dims}},
                        {"dtype", numberTypeName(each.type)}});
    }
    return list;
}

Json cacheJson(const CacheReader& cache, const DocumentSet& documents)
{
    const CacheInfo& info = cache.info();
    const ModelInfo& model = info.header.model;
    std::uint64_t vectorBytes = 0;
    for (const VectorsInfo& each : info.embeddings)
        vectorBytes += static_cast<std::uint64_t>(each.documents * each.heads * each.dims) * sizeof(float);
    Json labels = Json::array();
    for (const LabelColumn& label : documents.labels)
        labels.push_back({{"name", label.name}, {"categories", label.categories.size()}});
    Json topics = Json::array();
    for (const TopicColumnInfo& topic : info.topics)
        topics.push_back({{"label", topic.column}, {"vectors", vectorsJson(topic.vectors)}});
    return {{"kind", "cache"},
            {"family", textJson(model.family)},
            {"layers", model.layers},
            {"heads", model.heads},
            {"kv_heads", model.kvHeads},
            {"head_dim", numberOrNull(model.headDim)},
            {"model_dim", numberOrNull(model.modelDim)},
            {"vocabulary", numberOrNull(model.vocabulary)},
            {"dtype", textJson(info.header.computeDtype)},
            {"parameters", Json()},
            {"files", {{{"name", cache.path().filename().string()}, {"bytes", info.fileBytes}}}},
            {"tokenizer", textJson(info.header.tokenizerSha256)},
            {"pooling", textJson(info.header.pooling)},
            {"last_layer", hasFinalNorm(model) ? Json(model.lastLayerRaw ? "raw" : "normed") : Json()},
            {"ablated", textJson(model.changes.ablated)},
            {"ablation", textJson(model.changes.ablation)},
            {"reference", textJson(model.changes.reference)},
            {"regrouped_from", numberOrNull(model.changes.regroupedFrom)},
            {"changed", textJson(model.changes.words(model.kvHeads))},
            {"eos", textJson(info.header.eos)},
            {"modules", textJson(info.header.embedding.modules)},
            {"memory", {{"weights", Json()}, {"peak", vectorBytes}}},
            {"warnings", info.notices},
            {"version", info.version},
            {"model", textJson(model.name)},
            {"created", textJson(info.header.created)},
            {"command", textJson(info.header.command)},
            {"asks", linesJson(info.header.asks)},
            {"documents", info.documents},
            {"labels", labels},
            {"embeddings", vectorsJson(info.embeddings)},
            {"topics", topics},
            {"topic_template", textJson(info.header.topicTemplate)},
            {"maps", info.maps},
            {"map_sets", info.mapSets}};
}

/// The place of a stage in its layer.
std::string_view takenWhere(const VectorsInfo& vectors)
{
    switch (vectors.stage)
    {
    case Stage::HeadOutput:
        return "before o_proj";
    case Stage::ProjectedSegment:
    case Stage::Contribution:
        return "after o_proj";
    case Stage::OutputSegment:
        return vectors.finalNorm.empty() ? "at the layer's end" : vectors.finalNorm;
    case Stage::Embedding:
        return "after the model's modules";
    }
    return "";
}

std::string cacheText(const CacheReader& cache, const DocumentSet& documents)
{
    const CacheInfo& info = cache.info();
    const ModelInfo& model = info.header.model;
    const auto known = [](const std::string& text) { return text.empty() ? std::string("not known") : text; };
    std::string text = factsText({
        {"cache", fmt::format("{} ({:.1f} MB)", cache.path().string(), static_cast<double>(info.fileBytes) / 1e6)},
        {"created", fmt::format("{} by {}", known(info.header.created), known(info.header.application))},
        {"model", fmt::format("{} ({})", known(model.name), known(model.family))},
        {"size", fmt::format("{} layers, {}; head dimension {}, hidden size {}", model.layers, headsAndGroups(model),
                             model.headDim, model.modelDim)},
        {"changed", model.changes.any() ? model.changes.words(model.kvHeads) : std::string("nothing")},
        {"pooling", fmt::format("{}; eos {}", known(info.header.pooling), known(info.header.eos))},
        {"embedding", info.header.embedding.modules.empty() ? "none stored" : info.header.embedding.modules},
        {"documents", fmt::format("{}{}", withCommas(info.documents), info.hasTexts ? "" : ", without their texts")},
        {"topic names", info.header.topicTemplate.empty() ? "unchanged" : info.header.topicTemplate},
        {"maps", info.maps.empty() ? "none" : fmt::format("{}", fmt::join(info.maps, ", "))},
        {"aligned sets", info.mapSets.empty() ? "none" : fmt::format("{}", fmt::join(info.mapSets, ", "))},
    });
    TextTable vectors({"layer", "stage", "documents", "rows", "size", "stored as", "taken"});
    for (const VectorsInfo& each : info.embeddings)
        vectors.add({std::to_string(each.layer.value()), std::string(stageName(each.stage)),
                     std::to_string(each.documents), std::to_string(each.heads), std::to_string(each.dims),
                     std::string(numberTypeName(each.type)), std::string(takenWhere(each))});
    text += '\n' + vectors.text();
    if (!documents.labels.empty())
    {
        TextTable labels({"label", "categories", "labelled documents", "topic vectors"});
        for (const LabelColumn& label : documents.labels)
        {
            std::int64_t labelled = 0;
            for (const std::int64_t count : label.counts())
                labelled += count;
            const bool topics = std::any_of(info.topics.begin(), info.topics.end(),
                                            [&](const TopicColumnInfo& topic) { return topic.column == label.name; });
            labels.add(
                {label.name, std::to_string(label.categories.size()), std::to_string(labelled), topics ? "yes" : "no"});
        }
        text += '\n' + labels.text();
    }
    return text;
}

class InspectVerb : public VerbOf<commands::InspectCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        if (m_command.hashes)
            return wrongUse("--hashes", "expected a model, whose files have hashes, found a cache");
        if (!m_command.figure.empty())
        {
            if (auto format = viz::figureFormat(m_command.figure); !format)
                return std::move(format).error();
            HEADSCOPE_CHECK(checkOutputPath(m_command.figure, common.overwrite));
        }
        const FigureRecipe recipe = figureRecipe(common);
        HEADSCOPE_CHECK(FigureFiles::check(m_command.figure, m_command.paper, common, recipe.inputs));
        HEADSCOPE_TRY(const auto cache, CacheReader::open(m_command.path, job));
        HEADSCOPE_TRY(const auto documents, cache->documents(job));
        Answer answer;
        answer.notices = cache->info().notices;
        const auto ids = idNotices(*documents);
        answer.notices.insert(answer.notices.end(), ids.begin(), ids.end());
        *answer.json = cacheJson(*cache, *documents);
        (*answer.json)["warnings"] = answer.notices;
        answer.text = cacheText(*cache, *documents) + asksText(cache->info().header);
        if (!m_command.figure.empty())
        {
            HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.figure, m_command.paper, common, recipe,
                                                                 provenanceOf(*cache), cache.get(), job));
            HEADSCOPE_CHECK(writeSchema(cache->info(), files));
            HEADSCOPE_CHECK(files.finish(answer, {}));
        }
        return answer;
    }

private:
    [[nodiscard]] static Provenance provenanceOf(const CacheReader& cache)
    {
        Provenance provenance;
        provenance.add("verb", std::string("inspect"));
        provenance.add("cache", cache.path().filename().string());
        provenance.add("model", cache.info().header.model.name);
        return provenance;
    }

    [[nodiscard]] Status writeSchema(const CacheInfo& info, FigureFiles& files) const
    {
        const ModelInfo& model = info.header.model;
        std::int64_t last = 0;
        for (const VectorsInfo& each : info.embeddings)
            last = std::max(last, each.layer.value());
        const std::int64_t layer = m_command.layer.value_or(last);
        if (layer >= std::max(model.layers, last + 1))
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected a layer from 0 to {}, found {}", std::max(model.layers, last + 1) - 1, layer),
                {},
                "--layer"};
        return files.draw(viz::figureOfSchema(viz::layerSchema(model, layer)));
    }
};

} // namespace

std::unique_ptr<Verb> makeInspectVerb()
{
    return std::make_unique<InspectVerb>();
}

} // namespace headscope::cli
