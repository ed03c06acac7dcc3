// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/range_group.h"

#include "model/formats/json.h"
#include "model/formats/json_text.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/frames/frame_file.h"

#include <fmt/format.h>

#include <string>

namespace headscope
{
namespace
{

Error badRange(const Hdf5Reader& file, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), file.path().string(), schema::kRange};
}

/// {"--eos": "config", ...}
std::string settingsText(const CacheRange& range)
{
    std::string text;
    for (const auto& [name, value] : range.settings)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", jsonQuoted(name), jsonQuoted(value));
    return "{" + text + "}";
}

/// ["topic", "language"]
std::string columnsText(const CacheRange& range)
{
    std::string text;
    for (const std::string& name : range.labelColumns)
        text += (text.empty() ? "" : ", ") + jsonQuoted(name);
    return "[" + text + "]";
}

Status readTexts(const Hdf5Reader& file, CacheRange& range)
{
    JsonParser parser;
    const std::string settings = file.textAttribute(schema::kRange, "settings").value_or("{}");
    const auto object = parser.parseLine(settings);
    if (!object || !object->isObject())
        return badRange(file, "expected the settings of the run as a JSON object, found something else");
    for (const auto& [name, value] : object->members())
    {
        if (!value.isString())
            return badRange(file, "expected texts as the settings of the run, found something else");
        range.settings[std::string(name)] = *value.asString();
    }
    const std::string columns = file.textAttribute(schema::kRange, "label_columns").value_or("[]");
    const auto array = parser.parseLine(columns);
    if (!array || !array->isArray())
        return badRange(file, "expected the label columns as a JSON array, found something else");
    for (const JsonView each : array->elements())
    {
        if (!each.isString())
            return badRange(file, "expected the names of the label columns, found something else");
        range.labelColumns.emplace_back(*each.asString());
    }
    return {};
}

} // namespace

Status writeRangeGroup(Hdf5Writer& file, const CacheRange& range)
{
    HEADSCOPE_CHECK(file.makeGroup(schema::kRange));
    return writeFacts(file, schema::kRange,
                      {{"begin", range.begin},
                       {"end", range.end},
                       {"documents", range.documents},
                       {"inputs", range.inputs},
                       {"settings", settingsText(range)},
                       {"label_columns", columnsText(range)}});
}

Result<std::optional<CacheRange>> readRangeGroup(const Hdf5Reader& file, std::int64_t documents)
{
    if (!file.has(schema::kRange))
        return std::optional<CacheRange>();
    CacheRange range;
    const auto integer = [&](const char* name) { return file.integerAttribute(schema::kRange, name).value_or(-1); };
    range.begin = integer("begin");
    range.end = integer("end");
    range.documents = integer("documents");
    range.inputs = file.textAttribute(schema::kRange, "inputs").value_or("");
    if (range.begin < 0 || range.end <= range.begin || range.end > range.documents ||
        range.end - range.begin != documents)
        return badRange(file, fmt::format("expected a range of {} documents, found {}:{} of {}", documents, range.begin,
                                          range.end, range.documents));
    HEADSCOPE_CHECK(readTexts(file, range));
    return std::optional(std::move(range));
}

} // namespace headscope
