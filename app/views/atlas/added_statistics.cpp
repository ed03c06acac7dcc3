// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/added_statistics.h"

#include "app/cli/retrieval_input.h"
#include "model/data/model_digests.h"
#include "model/io/results/attention/head_statistics_file.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// What a statistic is; of a name that the program does not know nobody says.
std::string definitionOf(const HeadMeasureInfo* known, const std::string& name, const std::string& file)
{
    if (known == nullptr)
        return fmt::format("Read from {}, where it is named {}. The file gives no definition.", file, name);
    if (name == "induction" || name == "duplicate_token")
        return fmt::format("Read from {}, where it is named {}. It was measured on texts, where words may repeat "
                           "because of grammar or topic. Random ids repeat only by design.",
                           file, name);
    return known->sentences(Stage::HeadOutput);
}

} // namespace

Result<std::vector<HeadMeasure>> readStatistics(const std::filesystem::path& path, const ModelInfo& info,
                                                const Origin& origin, JobContext& job)
{
    HEADSCOPE_TRY(const HeadStatisticsFile file, readHeadStatistics(path, job));
    if (!cli::otherModelNotice(info, file.model).empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected statistics of the model that made the cache ({}), found those of a model "
                                 "with other weights ({})",
                                 info.name, file.model.name),
                     path.string(),
                     {}};
    HEADSCOPE_CHECK(checkSameChanges(info, file.model, path.string()));
    if (file.heads != info.heads || file.layers.back() >= info.layers)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected {} heads per layer in layers 0 to {}, found {} heads per layer in layers {} to {}",
                        info.heads, info.layers - 1, file.heads, file.layers.front(), file.layers.back()),
            path.string(),
            {}};
    const std::string name = path.filename().string();
    std::vector<HeadMeasure> measures;
    for (const HeadStatisticsFile::Table& table : file.tables)
    {
        const HeadMeasureInfo* const known = findMeasureInfo(table.name);
        HeadMeasure measure;
        measure.key = fmt::format("file/{}", table.name);
        measure.title =
            known != nullptr ? fmt::format("{} (file)", known->title) : fmt::format("{} (file)", table.name);
        measure.unit = known != nullptr ? known->unit : std::string_view();
        measure.definition = definitionOf(known, table.name, name);
        measure.kind = MeasureKind::File;
        measure.value = noValues(info.layers, info.heads);
        for (std::size_t row = 0; row < file.layers.size(); ++row)
            for (std::int64_t head = 0; head < file.heads; ++head)
                measure.value(file.layers[row], head) = table.values(static_cast<std::int64_t>(row), head);
        measure.count = file.documents;
        measure.source = name;
        measure.origin = origin;
        measures.push_back(std::move(measure));
    }
    return measures;
}

} // namespace headscope::desktop
