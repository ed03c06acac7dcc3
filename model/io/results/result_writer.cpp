// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/result_writer.h"

#include "model/data/maps/point_range.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope
{
namespace
{

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}

Status writeProbeGroup(Hdf5Writer& file, const std::string& group, const ProbeResult& result)
{
    const std::array weights = {result.weights.rows(), result.weights.cols()};
    const std::array classes = {static_cast<std::int64_t>(result.intercepts.size())};
    const std::array rows = {static_cast<std::int64_t>(result.predictions.size())};
    HEADSCOPE_CHECK(file.write(group + "/weights", weights, NumberType::F64, bytesOf(result.weights.values())));
    HEADSCOPE_CHECK(file.write(group + "/intercepts", classes, NumberType::F64, bytesOf(result.intercepts)));
    HEADSCOPE_CHECK(file.write(group + "/predictions", rows, NumberType::I32, bytesOf(result.predictions)));
    if (!result.testIndices.empty())
    {
        const std::array tests = {static_cast<std::int64_t>(result.testIndices.size())};
        HEADSCOPE_CHECK(file.write(group + "/test_rows", tests, NumberType::I64, bytesOf(result.testIndices)));
    }
    const std::array confusion = {result.confusion.rows(), result.confusion.cols()};
    if (!result.confusion.empty())
        HEADSCOPE_CHECK(
            file.write(group + "/confusion", confusion, NumberType::I64, bytesOf(result.confusion.values())));
    Members facts = {{"accuracy", result.accuracy},   {"ci95_low", result.ci95Low}, {"ci95_high", result.ci95High},
                     {"converged", result.converged}, {"c", result.options.c},      {"seed", result.options.seed},
                     {"input_hash", result.inputHash}};
    if (result.layer)
        facts.emplace_back("layer", *result.layer);
    if (result.stage)
        facts.emplace_back("stage", std::string(stageName(*result.stage)));
    return writeFacts(file, group, facts);
}

/// The accuracy of several probes as columns, [results] each.
Status writeSweep(Hdf5Writer& file, const std::vector<ProbeResult>& results)
{
    HEADSCOPE_CHECK(file.makeGroup("/probe/sweep"));
    std::vector<std::int64_t> layers;
    std::vector<std::string> stages;
    std::vector<double> accuracies;
    std::vector<double> lows;
    std::vector<double> highs;
    for (const ProbeResult& result : results)
    {
        layers.push_back(result.layer.value_or(-1));
        stages.emplace_back(result.stage ? stageName(*result.stage) : "");
        accuracies.push_back(result.accuracy);
        lows.push_back(result.ci95Low);
        highs.push_back(result.ci95High);
    }
    const std::array shape = {static_cast<std::int64_t>(results.size())};
    HEADSCOPE_CHECK(file.write("/probe/sweep/layer", shape, NumberType::I64, bytesOf(layers)));
    HEADSCOPE_CHECK(file.writeStrings("/probe/sweep/stage", stages));
    HEADSCOPE_CHECK(file.write("/probe/sweep/accuracy", shape, NumberType::F64, bytesOf(accuracies)));
    HEADSCOPE_CHECK(file.write("/probe/sweep/ci95_low", shape, NumberType::F64, bytesOf(lows)));
    return file.write("/probe/sweep/ci95_high", shape, NumberType::F64, bytesOf(highs));
}

/// A number as short as it reads back the same; nothing for what is not finite.
CsvText csvNumber(float value)
{
    return std::isfinite(value) ? CsvText::format("{}", value) : CsvText();
}

CsvText idOf(const DocumentSet& documents, std::int32_t document, CsvTexts texts)
{
    return csvField(documents.ids[static_cast<std::size_t>(document)], texts);
}

} // namespace

Status writeNeighbors(const std::filesystem::path& target, const Matrix<std::int32_t>& index, const MatrixF& distance,
                      std::string_view metric)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    const std::array shape = {index.rows(), index.cols()};
    HEADSCOPE_CHECK(file.write("/neighbors/index", shape, NumberType::I32, bytesOf(index.values())));
    HEADSCOPE_CHECK(file.write("/neighbors/distance", shape, NumberType::F32, bytesOf(distance.values())));
    HEADSCOPE_CHECK(writeFacts(file, "/neighbors", {{"metric", std::string(metric)}}));
    return file.publish();
}

Status writeQuality(const std::filesystem::path& target, const std::vector<double>& divergence,
                    const std::vector<double>& kept, const std::vector<double>& perplexities)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    const std::array points = {std::ssize(divergence)};
    HEADSCOPE_CHECK(file.write("/quality/kl_per_point", points, NumberType::F64, bytesOf(divergence)));
    HEADSCOPE_CHECK(file.write("/quality/knn10", points, NumberType::F64, bytesOf(kept)));
    HEADSCOPE_CHECK(
        writeFacts(file, "/quality",
                   {{"perplexity", perplexities.size() == 1 ? Node(perplexities.front())
                                                            : Node(fmt::format("{}", fmt::join(perplexities, ",")))}}));
    return file.publish();
}

Status writeProbe(const std::filesystem::path& target, const std::vector<ProbeResult>& results)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(file.makeGroup("/probe"));
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        if (i == 0)
            HEADSCOPE_CHECK(writeProbeGroup(file, "/probe", results[i]));
        if (results.size() > 1 && results[i].stage && results[i].layer)
        {
            const auto group = fmt::format("/probe/{}_{}", schema::layerGroup(LayerIndex(*results[i].layer)),
                                           stageDataset(*results[i].stage));
            HEADSCOPE_CHECK(writeProbeGroup(file, group, results[i]));
        }
    }
    if (results.size() > 1)
        HEADSCOPE_CHECK(writeSweep(file, results));
    return file.publish();
}

Status writeHeatmap(const std::filesystem::path& target, const Heatmap& heatmap)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    const std::array shape = {heatmap.values.rows(), heatmap.values.cols()};
    const std::array columns = {static_cast<std::int64_t>(heatmap.document.size())};
    const std::array topics = {static_cast<std::int64_t>(heatmap.topicOrder.size())};
    HEADSCOPE_CHECK(file.write("/heatmap/values", shape, NumberType::F32, bytesOf(heatmap.values.values())));
    HEADSCOPE_CHECK(file.write("/heatmap/document", columns, NumberType::I32, bytesOf(heatmap.document)));
    HEADSCOPE_CHECK(file.write("/heatmap/topic", columns, NumberType::I32, bytesOf(heatmap.topic)));
    HEADSCOPE_CHECK(file.write("/heatmap/topic_order", topics, NumberType::I32, bytesOf(heatmap.topicOrder)));
    HEADSCOPE_CHECK(file.writeStrings("/heatmap/topic_names", heatmap.topicNames));
    const HeatmapOptions& options = heatmap.options;
    HEADSCOPE_CHECK(
        writeFacts(file, "/heatmap",
                   {{"stage", std::string(stageName(heatmap.stage))},
                    {"layer", heatmap.layer.value()},
                    {"full", heatmap.fullSource},
                    {"per_topic", options.perTopic},
                    {"choose", std::string(choiceName(options.choice))},
                    {"sort", (options.order.by == ColumnOrder::By::Head ? "head " : "") + options.order.name()},
                    {"seed", options.seed},
                    {"input_hash", heatmap.inputHash}}));
    return file.publish();
}

namespace
{

/// "document,id,topic" of a column.
CsvText columnText(const Heatmap& heatmap, const DocumentSet& documents, std::size_t column, CsvTexts texts)
{
    const auto name = std::find(heatmap.topicOrder.begin(), heatmap.topicOrder.end(), heatmap.topic[column]);
    return CsvText::format(
        "{},{},{}", heatmap.document[column], idOf(documents, heatmap.document[column], texts),
        name == heatmap.topicOrder.end()
            ? CsvText::format("{}", heatmap.topic[column])
            : csvField(heatmap.topicNames[static_cast<std::size_t>(name - heatmap.topicOrder.begin())], texts));
}

} // namespace

Status writeHeatmapCsv(const std::filesystem::path& target, const Heatmap& heatmap, const DocumentSet& documents,
                       CsvTexts texts)
{
    CsvText csv("document,id,topic,full");
    for (std::int64_t head = 0; head + 1 < heatmap.values.rows(); ++head)
        csv.append(",{} {}", csvField(unitName(heatmap.stage), CsvTexts::Plain), shownNumber(HeadIndex(head)));
    csv += "\n";
    for (std::size_t c = 0; c < heatmap.document.size(); ++c)
    {
        csv += columnText(heatmap, documents, c, texts);
        for (std::int64_t row = 0; row < heatmap.values.rows(); ++row)
            csv += "," + csvNumber(heatmap.values(row, static_cast<std::int64_t>(c)));
        csv += "\n";
    }
    return writeCsvFile(target, csv);
}

Status writeHeatmapsCsv(const std::filesystem::path& target,
                        const std::vector<std::shared_ptr<const Heatmap>>& heatmaps,
                        const std::vector<std::int64_t>& heads, const DocumentSet& documents, CsvTexts texts)
{
    CsvText csv("layer,stage,document,id,topic,full");
    for (const std::int64_t head : heads)
        csv.append(",{}", shownNumber(HeadIndex(head)));
    csv += "\n";
    for (const auto& heatmap : heatmaps)
        if (firstOutside(heatmap->document, documents.count()))
            return Error{
                ErrorCode::ShapeMismatch,
                fmt::format("expected columns of {} documents, found columns of another length", documents.count()),
                target.string(),
                {}};
    for (const auto& heatmap : heatmaps)
        for (std::size_t c = 0; c < heatmap->document.size(); ++c)
        {
            const auto column = static_cast<std::int64_t>(c);
            csv.append("{},{},{},{}", heatmap->layer.value(), csvField(stageName(heatmap->stage), CsvTexts::Plain),
                       columnText(*heatmap, documents, c, texts), csvNumber(heatmap->values(0, column)));
            for (const std::int64_t head : heads)
                csv += "," +
                       (head + 1 < heatmap->values.rows() ? csvNumber(heatmap->values(head + 1, column)) : CsvText());
            csv += "\n";
        }
    return writeCsvFile(target, csv);
}

Status writeMapCsv(const std::filesystem::path& target, const HeadMap& map, const DocumentSet* documents,
                   CsvTexts texts)
{
    const bool points = map.points != nullptr && map.points->count() == map.xy.rows();
    if (points && documents != nullptr)
        HEADSCOPE_CHECK(expectPointsOf(*map.points, documents->count(), std::nullopt, map.name));
    CsvText csv = points ? CsvText::format("document,id,{},x,y\n", csvField(unitName(map.stage), CsvTexts::Plain))
                         : CsvText("row,x,y\n");
    for (std::int64_t i = 0; i < map.xy.rows(); ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        if (points)
            csv.append("{},{},{}", map.points->document[at],
                       documents != nullptr ? idOf(*documents, map.points->document[at], texts) : CsvText(),
                       shownNumber(HeadIndex(map.points->head[at])));
        else
            csv.append("{}", i);
        csv.append(",{},{}\n", csvNumber(map.xy(i, 0)), csvNumber(map.xy(i, 1)));
    }
    return writeCsvFile(target, csv);
}

Status writeMapSetCsv(const std::filesystem::path& target, const HeadMapSet& set, const DocumentSet* documents,
                      CsvTexts texts)
{
    CsvText csv("map,document,id,stage,layer,head,x,y\n");
    for (const MapOfSet& each : set.maps)
    {
        const HeadMap& map = each.map;
        if (documents != nullptr)
            HEADSCOPE_CHECK(expectPointsOf(*map.points, documents->count(), std::nullopt, map.name));
        const bool full = map.points->head.empty() || map.name == "full" || map.name.ends_with("/full");
        const CsvText name = csvField(map.name.substr(map.name.rfind('/') + 1), texts);
        for (std::int64_t i = 0; i < map.xy.rows(); ++i)
        {
            const auto at = static_cast<std::size_t>(i);
            const std::int32_t document = map.points->document[at];
            csv.append("{},{},{},{},{},{},{},{}\n", name, document,
                       documents != nullptr ? idOf(*documents, document, texts) : CsvText(),
                       csvField(stageName(map.stage), CsvTexts::Plain), map.layer.value(),
                       full ? CsvText() : CsvText::format("{}", shownNumber(HeadIndex(map.points->head[at]))),
                       csvNumber(map.xy(i, 0)), csvNumber(map.xy(i, 1)));
        }
    }
    return writeCsvFile(target, csv);
}

Status writeMapPairCsv(const std::filesystem::path& target, const MapPair& pair, const DocumentSet* documents,
                       CsvTexts texts)
{
    if (documents != nullptr)
        HEADSCOPE_CHECK(expectPointsOf(*pair.points, documents->count(), std::nullopt, pair.a->name));
    CsvText csv("document,id,head_a,head_b,x_a,y_a,x_b,y_b,changed\n");
    for (std::int64_t i = 0; i < pair.xyA.rows(); ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        const std::int32_t document = pair.points->document[at];
        csv.append("{},{},{},{},{},{},{},{},{}\n", document,
                   documents != nullptr ? idOf(*documents, document, texts) : CsvText(),
                   shownNumber(HeadIndex(pair.points->head[at])), shownNumber(HeadIndex(pair.headInB[at])),
                   csvNumber(pair.xyA(i, 0)), csvNumber(pair.xyA(i, 1)), csvNumber(pair.xyB(i, 0)),
                   csvNumber(pair.xyB(i, 1)), csvNumber(pair.difference.changed[at]));
    }
    return writeCsvFile(target, csv);
}

} // namespace headscope
