// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/measure_importance.h"

#include "app/commands/attention/importance_command.h"
#include "app/commands/command_line.h"
#include "app/desktop/engine/engine_server.h"
#include "app/frames/frame_json.h"
#include "app/results/as_cache.h"
#include "app/shell/request_params.h"
#include "app/views/ablation/model_texts.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/base/output/output_file.h"
#include "model/base/output/temporary_path.h"
#include "model/data/results/importance_frame.h"
#include "model/io/texts/document_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

/// The answer of the engine as a value.
Result<ImportanceResult> resultOf(const headscope::Json& answer, const ImportanceRequest& ask)
{
    const ModelInfo& model = ask.reader->info().header.model;
    ImportanceResult result;
    result.groups = ask.byGroups();
    const std::int64_t units =
        ask.byGroups() ? model.heads / std::max<std::int64_t>(1, model.groupSize()) : model.heads;
    for (std::int64_t unit = 0; unit < units; ++unit)
        result.players.push_back({ask.layer().value(), unit});
    constexpr std::array kTables = {NamedFrame{"players", &kPlayersFrame}};
    HEADSCOPE_TRY(const Node node, nodeFrom(answer, kTables));
    result.seed = ask.seed;
    result.label = ask.labels.column;
    HEADSCOPE_CHECK(takeImportance(node, result));
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
    constexpr std::size_t kMaxLabels = 1000; // each is run with every mask
    if (different.size() == written.names.size() && different.size() >= 2 && different.size() <= kMaxLabels)
        written.column = column;
    return written;
}

Status writeTopics(const std::filesystem::path& path, const WrittenLabels& labels)
{
    const Json lists = {{"label", labels.names}};
    return writeFileAtomically(path, lists.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

Result<ImportanceComparison> measureImportance(EngineServer& engine, const ImportanceRequest& ask, JobContext& job)
{
    const CacheHeader& header = ask.reader->info().header;
    HEADSCOPE_TRY(const auto documents, ask.reader->documents(job));
    HEADSCOPE_TRY(const std::string notice, checkModelOfCache(engine, ask.model, header.model, job));
    HEADSCOPE_TRY(const auto folder, TemporaryPath::makeFolder("headscope-importance"));
    const auto candidates = drawnDocuments(*documents, ask.documents, std::numeric_limits<std::int64_t>::max(), 0);
    const auto rows = drawnDocuments(*documents, ask.documents, ask.chosen.documents, ask.seed);
    const WrittenLabels labels = labelsOf(ask.labels);
    HEADSCOPE_CHECK(writeDocumentLines(folder.path() / "texts.jsonl", *documents, rows, labels));
    commands::CommandLine<commands::ImportanceCommand> line;
    line.command.model = ask.model;
    line.command.inputs = {(folder.path() / "texts.jsonl").string()};
    line.command.idColumn = "id";
    line.command.layers = std::to_string(ask.layer().value());
    line.command.units = ask.chosen.units;
    line.command.ablation = ask.chosen.ablation;
    line.command.label = "";
    line.command.prompt = header.prompt;
    encodeAsCache(header, line.command);
    line.common.seed = ask.seed;
    line.common.threads = ask.threads;
    if (labels.column != nullptr)
    {
        HEADSCOPE_CHECK(writeTopics(folder.path() / "topics.json", labels));
        line.command.label = "label";
        line.command.topics = (folder.path() / "topics.json").string();
        line.command.topicTemplate = header.topicTemplate;
    }
    HEADSCOPE_TRY(const Json answer, engine.ask("importance", shell::requestParams(line), job));
    ImportanceComparison comparison;
    HEADSCOPE_TRY(comparison.inModel, resultOf(answer, ask));
    comparison.inModel.allDocuments = std::ssize(candidates);
    comparison.rows = rows;
    comparison.origin = comparison.inModel.origin = ask.reader->origin();
    HEADSCOPE_TRY(comparison.ofCache, cutValues(ask, rows, comparison.cutMissing, job));
    if (!notice.empty())
        comparison.notices.push_back(notice);
    if (!ask.labels.column.empty() && labels.column == nullptr)
        comparison.notices.emplace_back("The match is not measured: the label has fewer than 2 or more than 1,000 "
                                        "values, or two of the values have the same vector.");
    return comparison;
}

} // namespace headscope::desktop
