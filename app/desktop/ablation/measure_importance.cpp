// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/ablation/measure_importance.h"

#include "app/desktop/ablation/model_texts.h"
#include "app/desktop/engine/engine_server.h"
#include "model/base/output/output_file.h"
#include "model/base/output/temporary_path.h"
#include "model/io/texts/document_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Error badAnswer()
{
    return {ErrorCode::BadFormat, "expected what is lost without heads, found another answer of the engine", {}, {}};
}

double numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? found->get<double>() : kNan;
}

std::int64_t wholeOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Estimate estimateOf(const Json& object, const char* name)
{
    const Json part = object.value(name, Json::object());
    Estimate estimate;
    if (!part.is_object())
        return estimate;
    estimate.value = numberOf(part, "value");
    const Json interval = part.value("ci95", Json());
    if (interval.is_array() && interval.size() == 2 && interval[0].is_number() && interval[1].is_number())
        estimate.ci95 = {interval[0].get<double>(), interval[1].get<double>()};
    return estimate;
}

PlayerRole roleOf(const std::string& name, ImportanceMeasure measure)
{
    for (const PlayerRole role : {PlayerRole::Facilitating, PlayerRole::Interfering})
        if (name == roleName(role, measure))
            return role;
    return PlayerRole::Undecided;
}

PlayerValue playerOf(const Json& object, ImportanceMeasure measure)
{
    return {.leftOut = estimateOf(object, "left_out"),
            .alone = estimateOf(object, "alone"),
            .coefficient = estimateOf(object, "coefficient"),
            .standardError = numberOf(object, "standard_error"),
            .documentError = numberOf(object, "document_error"),
            .p = numberOf(object, "p"),
            .q = numberOf(object, "q"),
            .role = roleOf(textOf(object, "role"), measure),
            .shapley = numberOf(object, "shapley")};
}

Result<NamedValues> measureOf(const Json& object, std::size_t players)
{
    NamedValues found;
    const std::string name = textOf(object, "measure");
    if (name != measureName(ImportanceMeasure::Cosine) && name != measureName(ImportanceMeasure::Match))
        return badAnswer();
    found.measure =
        name == measureName(ImportanceMeasure::Match) ? ImportanceMeasure::Match : ImportanceMeasure::Cosine;
    found.values.documents = wholeOf(object, "documents");
    found.values.all = estimateOf(object, "all");
    found.values.none = estimateOf(object, "none");
    found.values.intercept = numberOf(object, "intercept");
    found.values.interceptError = numberOf(object, "intercept_error");
    found.values.r2 = numberOf(object, "r2");
    for (const Json& player : object.value("players", Json::array()))
    {
        if (!player.is_object())
            return badAnswer();
        found.values.players.push_back(playerOf(player, found.measure));
    }
    if (found.values.players.size() != players)
        return badAnswer();
    return found;
}

/// The answer of the engine as a value.
Result<ImportanceResult> resultOf(const Json& answer, const ImportanceAsk& ask)
{
    const ModelInfo& model = ask.reader->info().header.model;
    ImportanceResult result;
    result.groups = ask.groups;
    const std::int64_t units = ask.groups ? model.heads / std::max<std::int64_t>(1, model.groupSize()) : model.heads;
    for (std::int64_t unit = 0; unit < units; ++unit)
        result.players.push_back({ask.layer.value(), unit});
    if (!answer.is_object())
        return badAnswer();
    result.ablation = textOf(answer, "ablation");
    result.reference = textOf(answer, "reference");
    result.documents = wholeOf(answer, "documents");
    result.masks = wholeOf(answer, "masks");
    result.exhaustive = answer.value("exhaustive", Json()) == true;
    result.seed = ask.seed;
    result.model = textOf(answer, "model");
    result.label = ask.labels.column;
    result.topics = wholeOf(answer, "topics");
    if (const Json majority = answer.value("majority", Json()); majority.is_number())
        result.majority = std::clamp(majority.get<double>(), 0.0, 1.0);
    for (const Json& measure : answer.value("measures", Json::array()))
    {
        if (!measure.is_object())
            return badAnswer();
        HEADSCOPE_TRY(auto values, measureOf(measure, result.players.size()));
        result.measures.push_back(std::move(values));
    }
    if (result.measures.empty())
        return badAnswer();
    return result;
}

/// The labels as the model is to embed their names: those of the cache, also where they were merged in the window.
WrittenLabels labelsOf(const HeatmapLabels& labels)
{
    WrittenLabels written;
    const LabelColumn* column = labels.column.empty() ? nullptr : labels.documents->label(labels.column);
    if (column == nullptr)
        return written;
    written.names = column->categories;
    const LabelColumn* source = labels.documents->label(labels.topicColumn);
    if (!labels.topicRows.empty() && source != nullptr)
        for (std::size_t i = 0; i < std::min(labels.topicRows.size(), written.names.size()); ++i)
            if (const std::int64_t row = labels.topicRows[i]; row >= 0 && row < std::ssize(source->categories))
                written.names[i] = source->categories[static_cast<std::size_t>(row)];
    const std::set<std::string> different(written.names.begin(), written.names.end());
    constexpr std::size_t kMostLabels = 1000; // each is run with every mask
    if (different.size() == written.names.size() && different.size() >= 2 && different.size() <= kMostLabels)
        written.column = column;
    return written;
}

Status writeTopics(const std::filesystem::path& path, const WrittenLabels& labels)
{
    const Json lists = {{"label", labels.names}};
    return writeFileAtomically(path, lists.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

Result<ImportanceComparison> measureImportance(EngineServer& engine, const ImportanceAsk& ask, JobContext& job)
{
    const CacheHeader& header = ask.reader->info().header;
    HEADSCOPE_TRY(const auto documents, ask.reader->documents(job));
    HEADSCOPE_CHECK(checkSameModel(engine, ask.model, header.model, job));
    HEADSCOPE_TRY(const auto folder, TemporaryPath::makeFolder("headscope-importance"));
    const auto candidates = drawnDocuments(*documents, ask.documents, std::numeric_limits<std::int64_t>::max(), 0);
    const auto rows = drawnDocuments(*documents, ask.documents, ask.sample, ask.seed);
    const WrittenLabels labels = labelsOf(ask.labels);
    HEADSCOPE_CHECK(writeDocumentLines(folder.path() / "texts.jsonl", *documents, rows, labels));
    Json params = encodingParams(header);
    params.update(Json{{"model", ask.model},
                       {"documents", Json::array({(folder.path() / "texts.jsonl").string()})},
                       {"id-column", "id"},
                       {"layers", std::to_string(ask.layer.value())},
                       {"units", ask.groups ? "groups" : "heads"},
                       {"ablation", ask.mean ? "mean" : "zero"},
                       {"label", labels.column == nullptr ? "" : "label"},
                       {"seed", ask.seed},
                       {"threads", ask.threads}});
    if (labels.column != nullptr)
    {
        HEADSCOPE_CHECK(writeTopics(folder.path() / "topics.json", labels));
        params["topics"] = (folder.path() / "topics.json").string();
        if (!header.topicTemplate.empty())
            params["topic-template"] = header.topicTemplate;
    }
    HEADSCOPE_TRY(const Json answer, engine.ask("importance", params, job));
    ImportanceComparison comparison;
    HEADSCOPE_TRY(comparison.inModel, resultOf(answer, ask));
    comparison.inModel.allDocuments = std::ssize(candidates);
    comparison.rows = rows;
    comparison.origin = comparison.inModel.origin = ask.reader->origin();
    HEADSCOPE_TRY(comparison.ofCache, cutValues(ask, rows, comparison.cutMissing, job));
    if (!ask.labels.column.empty() && labels.column == nullptr)
        comparison.notices.emplace_back(
            "No match: the label has fewer than two or more than 1,000 names, or two of the "
            "same.");
    return comparison;
}

} // namespace headscope::desktop
