// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/lessons/regroup_file.h"

#include "model/base/file.h"
#include "model/formats/json.h"
#include "model/formats/json_text.h"
#include "model/io/lessons/lesson_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

using lesson_json::Place;

constexpr std::string_view kFormat = "headscope-lesson-numbers";
constexpr std::int64_t kVersion = 1;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 18;
constexpr std::size_t kMaxRows = 64;
constexpr std::size_t kMaxText = 1'000;
constexpr double kMostCount = 1e7;

std::string numberText(double value)
{
    return std::isfinite(value) ? fmt::format("{:.4f}", value) : "null";
}

std::string intervalText(const Interval& interval)
{
    return std::isfinite(interval.low) ? fmt::format("[{}, {}]", numberText(interval.low), numberText(interval.high))
                                       : "null";
}

Result<std::int64_t> countIn(const JsonView& object, std::string_view key, const Place& place, double least)
{
    const auto value = object.find(key);
    if (!value)
        return place.at(key).error("this number is missing");
    HEADSCOPE_TRY(const double number, lesson_json::number(*value, place.at(key), least, kMostCount));
    return static_cast<std::int64_t>(number);
}

/// A share, NaN where it is null.
Result<double> shareIn(const JsonView& object, std::string_view key, const Place& place)
{
    const auto value = object.find(key);
    if (!value)
        return place.at(key).error("this value is missing (a number or null)");
    if (value->isNull())
        return std::numeric_limits<double>::quiet_NaN();
    return lesson_json::number(*value, place.at(key), -1, 1);
}

Result<Interval> intervalIn(const JsonView& object, std::string_view key, const Place& place)
{
    const auto value = object.find(key);
    if (value && value->isNull())
        return Interval{};
    if (!value || !value->isArray() || value->size() != 2)
        return place.at(key).error("expected null or two numbers");
    std::array<double, 2> ends{};
    std::size_t end = 0;
    for (const JsonView each : value->elements())
    {
        HEADSCOPE_TRY(ends[end], lesson_json::number(each, place.at(key).at(end), -1, 1));
        ++end;
    }
    return Interval{ends[0], ends[1]};
}

Status takeModel(const JsonView& root, const Place& top, ModelInfo& model)
{
    const auto object = root.find("model");
    const Place place = top.at("model");
    if (!object)
        return place.error("this object is missing");
    HEADSCOPE_CHECK(
        lesson_json::checkKeys(*object, place, {"name", "family", "layers", "heads", "kv_heads", "head_dim"}));
    HEADSCOPE_TRY(model.name, lesson_json::textIn(*object, "name", place, kMaxText));
    HEADSCOPE_TRY(model.family, lesson_json::textIn(*object, "family", place, kMaxText));
    for (const auto& [key, into] : {std::pair<std::string_view, std::int64_t*>{"layers", &model.layers},
                                    {"heads", &model.heads},
                                    {"kv_heads", &model.kvHeads},
                                    {"head_dim", &model.headDim}})
    {
        HEADSCOPE_TRY(*into, countIn(*object, key, place, 1));
    }
    if (model.heads % model.kvHeads != 0)
        return place.at("kv_heads").error("expected a divisor of the number of heads");
    return {};
}

Result<RegroupRow> rowOf(const JsonView& value, const Place& place, const ModelInfo& model)
{
    RegroupRow row;
    HEADSCOPE_CHECK(
        lesson_json::checkKeys(value, place, {"kv_heads", "cosine", "cosine_ci95", "kept", "kept_ci95", "attention"}));
    HEADSCOPE_TRY(row.kvHeads, countIn(value, "kv_heads", place, 1));
    if (model.kvHeads % row.kvHeads != 0)
        return place.at("kv_heads").error("expected a divisor of the model's number of KV heads");
    HEADSCOPE_TRY(row.cosine, shareIn(value, "cosine", place));
    HEADSCOPE_TRY(row.cosineCi95, intervalIn(value, "cosine_ci95", place));
    HEADSCOPE_TRY(row.kept, shareIn(value, "kept", place));
    HEADSCOPE_TRY(row.keptCi95, intervalIn(value, "kept_ci95", place));
    HEADSCOPE_TRY(row.attention, shareIn(value, "attention", place));
    return row;
}

} // namespace

std::string regroupText(const RegroupResult& result)
{
    const ModelInfo& model = result.model;
    std::string text = fmt::format(
        "{{\n    \"format\": {},\n    \"version\": {},\n    \"model\": {{\"name\": {}, \"family\": {}, \"layers\": {}, "
        "\"heads\": {}, \"kv_heads\": {}, \"head_dim\": {}}},\n    \"texts\": {},\n    \"documents\": {},\n    "
        "\"of_documents\": {},\n    \"neighbors\": {},\n    \"sentence\": {},\n    \"rows\": [",
        jsonQuoted(kFormat), kVersion, jsonQuoted(model.name), jsonQuoted(model.family), model.layers, model.heads,
        model.kvHeads, model.headDim, jsonQuoted(result.texts), result.documents, result.ofDocuments, result.neighbors,
        jsonQuoted(result.sentence));
    for (std::size_t i = 0; i < result.rows.size(); ++i)
    {
        const RegroupRow& row = result.rows[i];
        text += fmt::format("{}\n        {{\"kv_heads\": {}, \"cosine\": {}, \"cosine_ci95\": {}, \"kept\": {}, "
                            "\"kept_ci95\": {}, \"attention\": {}}}",
                            i > 0 ? "," : "", row.kvHeads, numberText(row.cosine), intervalText(row.cosineCi95),
                            numberText(row.kept), intervalText(row.keptCi95), numberText(row.attention));
    }
    return text + "\n    ]\n}\n";
}

Result<RegroupResult> parseRegroup(std::string_view text, std::string_view fileName)
{
    JsonOptions options;
    options.maxDepth = 6;
    options.rejectDuplicateKeys = true;
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parse(text, fileName, options));
    const JsonView root = document.root();
    const Place top(fileName);
    HEADSCOPE_CHECK(lesson_json::checkKind(root, top, kFormat, kVersion, "file of numbers for lessons"));
    HEADSCOPE_CHECK(lesson_json::checkKeys(
        root, top,
        {"format", "version", "model", "texts", "documents", "of_documents", "neighbors", "sentence", "rows"}));
    RegroupResult result;
    result.stored = true;
    HEADSCOPE_CHECK(takeModel(root, top, result.model));
    HEADSCOPE_TRY(result.texts, lesson_json::textIn(root, "texts", top, kMaxText));
    HEADSCOPE_TRY(result.documents, countIn(root, "documents", top, 2));
    HEADSCOPE_TRY(result.ofDocuments, countIn(root, "of_documents", top, 2));
    HEADSCOPE_TRY(result.neighbors, countIn(root, "neighbors", top, 1));
    HEADSCOPE_TRY(result.sentence, lesson_json::textIn(root, "sentence", top, kMaxText));
    const auto rows = root.find("rows");
    if (!rows || !rows->isArray() || rows->size() < 1 || rows->size() > kMaxRows)
        return top.at("rows").error(fmt::format("expected a list of 1 to {} rows", kMaxRows));
    for (const JsonView each : rows->elements())
    {
        HEADSCOPE_TRY(RegroupRow row, rowOf(each, top.at("rows").at(result.rows.size()), result.model));
        result.rows.push_back(row);
    }
    return result;
}

Result<RegroupResult> readRegroup(const std::filesystem::path& file)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(file, kMaxBytes));
    return parseRegroup(text, file.string());
}

} // namespace headscope
