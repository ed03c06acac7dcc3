// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/cache_input.h"

#include "app/frames/json_type.h"
#include "app/results/first_names.h"
#include "app/results/topic_loading.h"
#include "app/shell/wrong_use.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/text/plural.h"
#include "model/data/documents/label_merge.h"
#include "model/data/head_ranges.h"
#include "model/io/cache/label_choice.h"
#include "model/io/results/matrix_file.h"
#include "model/io/texts/document_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <span>

namespace headscope
{
namespace
{

using shell::wrongUse;

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

std::vector<std::string> splitAt(const std::string& text, char separator)
{
    std::vector<std::string> found;
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        found.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return found;
}

Result<std::vector<LayerIndex>> layersFrom(const std::string& text, const CacheInfo& info)
{
    std::vector<LayerIndex> there;
    for (const VectorsInfo& each : info.embeddings)
    {
        if (there.empty() || there.back() != each.layer)
            there.push_back(each.layer);
    }
    if (text == "all")
        return there;
    std::vector<LayerIndex> chosen;
    for (const std::string& piece : splitAt(text, ','))
    {
        const auto number = wholeNumber(piece);
        if (piece != "last" && !number)
            return wrongUse("--layer", fmt::format("expected last, all or numbers from 0, found \"{}\"", text));
        chosen.push_back(number ? LayerIndex(*number) : LayerIndex(info.header.model.layers - 1));
    }
    return chosen;
}

Result<std::vector<Stage>> stagesFrom(const std::string& text)
{
    std::vector<Stage> chosen;
    for (const std::string& piece : splitAt(text, ','))
    {
        const auto stage = stageFromName(piece);
        if (!stage)
            return wrongUse(
                "--stage", fmt::format("expected 1, 2, 3, contribution or embedding (also 1,2,3), found \"{}\"", text));
        chosen.push_back(*stage);
    }
    return chosen;
}

Result<std::vector<std::int64_t>> rowsOfLabel(const std::string& text, std::size_t equals, const DocumentSet& documents)
{
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    const LabelColumn* column = documents.label(name);
    std::vector<std::string> names;
    for (const LabelColumn& each : documents.labels)
        names.push_back(each.name);
    if (column == nullptr)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected one of the label columns {}, found \"{}\"", fmt::join(names, ", "), name),
                     {},
                     "--documents"};
    const auto found = std::find(column->categories.begin(), column->categories.end(), value);
    if (found == column->categories.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected one of the values of {}, found \"{}\"", name, value),
                     {},
                     "--documents"};
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < column->codes.size(); ++i)
    {
        if (column->codes[i] == found - column->categories.begin())
            rows.push_back(static_cast<std::int64_t>(i));
    }
    return rows;
}

/// Merges labels as a file says, and tells which of its names there are none of.
/// Which name's vector stands for topics that are several merged; empty where none is.
std::string standInNotice(const LabelColumn& before, const MergedLabels& merged,
                          const std::map<std::string, std::string>& names)
{
    std::vector<std::string> said;
    for (std::size_t code = 0; code < merged.topicRows.size(); ++code)
    {
        const std::string& now = merged.column.categories[code];
        const auto members = std::ranges::count_if(before.categories, [&](const std::string& old) {
            const auto found = names.find(old);
            return (found == names.end() ? old : found->second) == now;
        });
        if (members > 1)
            said.push_back(fmt::format("\"{}\" uses \"{}\"", now,
                                       before.categories[static_cast<std::size_t>(merged.topicRows[code])]));
    }
    return said.empty() ? std::string()
                        : fmt::format("topic vectors are embedded names; a topic merged from several topics uses the "
                                      "vector of its own name if that was among them, otherwise of the first name: {}",
                                      fmt::join(said, ", "));
}

Status renameLabels(const std::string& path, LabelColumn& labels, std::vector<std::int64_t>& topicRows,
                    std::vector<std::string>& notices)
{
    HEADSCOPE_TRY(const auto names, readLabelMap(path));
    MergedLabels merged = mergeLabels(labels, names);
    if (!merged.unknown.empty())
        notices.push_back(fmt::format("{}: {}", path, merged.unknownNotice(names.size(), labels.name)));
    if (std::string standing = standInNotice(labels, merged, names); !standing.empty())
        notices.push_back(std::move(standing));
    labels = std::move(merged.column);
    topicRows = std::move(merged.topicRows);
    return {};
}

/// The rows of the matrix that readPoints left out.
std::vector<std::int64_t> leftOutRows(const HeadPoints& points)
{
    std::vector<std::int64_t> rows;
    std::int64_t next = 0;
    for (std::int64_t i = 0; i <= points.ids.count(); ++i)
    {
        const std::int64_t row = i < points.ids.count() ? points.ids.document[static_cast<std::size_t>(i)]
                                                        : points.ids.count() + points.leftOut;
        for (; next < row; ++next)
            rows.push_back(next);
        next = row + 1;
    }
    return rows;
}

} // namespace

Result<std::vector<std::int64_t>> CacheInput::headsOf(const HeadVectors& vectors, const std::string& text) const
{
    if (mask && vectors.heads() != mask->heads)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a stage of {} heads for the mask, found {}", mask->heads, vectors.heads()),
                     {},
                     "--mask"};
    if (vectors.heads() == 1)
        return allIndices(1);
    auto heads = parseHeadRanges(text, vectors.heads());
    if (!heads)
        return std::move(heads).error().atPlace("--heads");
    if (mask)
        std::erase_if(*heads, [this](std::int64_t head) {
            return !std::binary_search(mask->kept.begin(), mask->kept.end(), head);
        });
    if (heads->empty())
        return Error{ErrorCode::InvalidArgument, "the mask keeps none of these heads", {}, "--heads"};
    return heads;
}

Result<CacheInput> openCacheInput(const InputOptions& options, JobContext& job)
{
    CacheInput input;
    HEADSCOPE_TRY(input.stages, stagesFrom(options.stage));
    HEADSCOPE_TRY(input.cache, CacheReader::open(options.cache, job));
    HEADSCOPE_TRY(input.layers, layersFrom(options.layer, input.cache->info()));
    HEADSCOPE_TRY(input.documents, input.cache->documents(job));
    HEADSCOPE_TRY(input.rows, parseDocumentFilter(options.documents, *input.documents));
    if (!options.mask.empty())
    {
        HEADSCOPE_TRY(input.mask, readHeadMask(options.mask));
        if (input.mask->heads != input.model().heads)
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected a mask of {} heads as in the cache, found a mask of {} heads",
                                     input.model().heads, input.mask->heads),
                         options.mask, "heads"};
    }
    return input;
}

Result<LabelColumn> chooseLabel(const CacheInput& input, const std::string& name)
{
    HEADSCOPE_TRY(const LabelColumn* chosen,
                  chooseLabelColumn(input.cache->info(), *input.documents, name, input.cache->path().string()));
    return *chosen;
}

std::string usedLabel(const CacheInput& input, const std::string& name)
{
    const auto labels = chooseLabel(input, name);
    return labels ? labels->name : std::string();
}

Result<ChosenLabels> loadLabels(const CacheInput& input, const InputOptions& options)
{
    ChosenLabels chosen;
    HEADSCOPE_TRY(chosen.labels, chooseLabel(input, options.label));
    if (!options.labelMap.empty())
        HEADSCOPE_CHECK(renameLabels(options.labelMap, chosen.labels, chosen.topicRows, chosen.notices));
    if (static_cast<std::int64_t>(input.rows.size()) < input.documents->count())
    {
        std::vector<std::int32_t> codes(chosen.labels.codes.size(), -1);
        for (const std::int64_t row : input.rows)
            codes[static_cast<std::size_t>(row)] = chosen.labels.codes[static_cast<std::size_t>(row)];
        chosen.labels.codes = std::move(codes);
    }
    return chosen;
}

Result<TopicData> loadTopicData(const CacheInput& input, const InputOptions& options, LayerIndex layer, Stage stage,
                                JobContext& job, bool fewAreTaken, int numThreads)
{
    TopicData data;
    CacheReader& cache = *input.cache;
    HEADSCOPE_TRY(ChosenLabels chosen, loadLabels(input, options));
    data.labels = std::move(chosen.labels);
    data.notices = std::move(chosen.notices);
    HEADSCOPE_TRY(data.documents, cache.load(layer, stage, {}, job));
    const TopicVectorChoice vectors = options.topics;
    if (!fewAreTaken)
        HEADSCOPE_CHECK(expectTopics(data.labels.categories.size(), data.labels.name));
    TopicChoice choice{.column = data.labels.name, .fewAreTaken = fewAreTaken, .kind = vectors.kind};
    if (!options.labelMap.empty())
        choice.merged = MergedTopics{std::move(chosen.topicRows), data.labels.categories};
    HEADSCOPE_TRY(LoadedTopics loaded, loadTopics(cache, layer, stage, choice, job));
    if (vectors.kind == TopicVectorKind::Names)
        if (std::string fault = topicFaultNotice(*data.documents, *loaded.topics.vectors, data.labels); !fault.empty())
            data.notices.push_back(std::move(fault));
    HEADSCOPE_CHECK(prepareLoaded(loaded, data.documents, data.members, data.labels, vectors, numThreads, job));
    data.vectorsText = topicVectorsText(vectors, cache.info().header.topicTemplate);
    data.topics = std::move(loaded.topics);
    data.full = std::move(loaded.full);
    return data;
}

TopicInput TopicData::input() const
{
    TopicInput input = topicInput(*documents, *topics.vectors, full, &labels, members);
    input.topicSource = vectorsText;
    return input;
}

std::string headingOf(const HeadVectors& vectors)
{
    return fmt::format("layer {}, stage {} ({}s{}{})", vectors.layer().value(), stageName(vectors.stage()),
                       unitName(vectors.stage()), vectors.finalNorm().empty() ? "" : ", ", vectors.finalNorm());
}

Result<std::vector<std::int64_t>> parseDocumentFilter(const std::string& text, const DocumentSet& documents)
{
    if (text.empty() || text == "all")
        return allIndices(documents.count());
    if (const auto equals = text.find('='); equals != std::string::npos)
        return rowsOfLabel(text, equals, documents);
    std::vector<std::int64_t> rows;
    for (const std::string& piece : splitAt(text, ','))
    {
        const auto dash = piece.find('-');
        const auto first = wholeNumber(piece.substr(0, dash));
        const auto last = dash == std::string::npos ? first : wholeNumber(piece.substr(dash + 1));
        if (!first || !last || *first > *last)
            return wrongUse("--documents",
                            fmt::format("expected rows such as 0-99,120 or label=value, found \"{}\"", text));
        if (*last >= documents.count())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected rows from 0 to {}, found {}", documents.count() - 1, *last),
                         {},
                         "--documents"};
        for (std::int64_t row = *first; row <= *last; ++row)
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

Status oneLayerAndStage(const CacheInput& input, std::string_view verb)
{
    if (input.layers.size() != 1 || input.stages.size() != 1)
        return wrongUse(input.layers.size() != 1 ? "--layer" : "--stage",
                        fmt::format("{} accepts only one, found several", verb));
    return {};
}

Result<HeadPoints> readPoints(const std::string& source, JobContext& job)
{
    HEADSCOPE_TRY(MatrixF all, readMatrix(source, job));
    HeadPoints points;
    for (std::int64_t i = 0; i < all.rows(); ++i)
    {
        const auto row = all.row(i);
        if (!allFinite(row))
        {
            ++points.leftOut;
            continue;
        }
        const std::int64_t at = points.ids.count();
        if (at != i)
            std::copy(row.begin(), row.end(), all.row(at).begin());
        points.ids.document.push_back(static_cast<std::int32_t>(i));
    }
    points.ids.head.assign(points.ids.document.size(), 0);
    const std::int64_t cols = all.cols();
    all.values().resize(points.ids.document.size() * static_cast<std::size_t>(cols));
    points.vectors = SharedRows(std::move(all.values()), points.ids.count(), cols);
    return points;
}

std::string leftOutNotice(const HeadPoints& points, bool ofMatrix)
{
    std::string notice = points.leftOut == 1
                             ? std::string("excluded 1 vector that contains NaN or infinity")
                             : fmt::format("excluded {} vectors that contain NaN or infinity", points.leftOut);
    if (!ofMatrix)
        return notice;
    const std::vector<std::int64_t> rows = leftOutRows(points);
    std::vector<std::string> named;
    for (const std::int64_t row : std::span(rows).first(std::min(kMostNamed, rows.size())))
        named.push_back(std::to_string(row));
    return fmt::format("{}: row{} {}", notice, plural(std::ssize(rows)), firstNames(named, rows.size()));
}

} // namespace headscope
