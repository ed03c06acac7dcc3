// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/anndata_maps.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/results/anndata_parts.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <variant>

namespace headscope::anndata
{
namespace
{

/// One fact of all maps, where each has it as a T.
template <class T>
std::optional<std::vector<T>> columnOf(std::span<const PlacedMap> maps, std::size_t fact)
{
    std::vector<T> values;
    for (const PlacedMap& map : maps)
        if (const T* value = std::get_if<T>(&map.facts[fact].second))
            values.push_back(*value);
        else
            return std::nullopt;
    return values;
}

Status writeFactColumn(Hdf5Writer& file, const std::string& object, std::span<const PlacedMap> maps, std::size_t fact)
{
    if (const auto wholes = columnOf<std::int64_t>(maps, fact))
        return writeColumn(file, object, NumberType::I64, *wholes);
    if (const auto reals = columnOf<double>(maps, fact))
        return writeColumn(file, object, NumberType::F64, *reals);
    std::vector<std::string> texts; // also of seeds that no signed number holds
    for (const PlacedMap& map : maps)
        texts.push_back(std::visit([](const auto& value) { return fmt::format("{}", value); }, map.facts[fact].second));
    return writeTexts(file, object, texts);
}

} // namespace

std::string mapKey(const PlacedMap& map)
{
    return "tsne_" + schema::stepFromName(map.name);
}

Status writeMaps(Hdf5Writer& file, std::span<const PlacedMap> maps)
{
    HEADSCOPE_CHECK(file.makeGroup("/obsm"));
    HEADSCOPE_CHECK(describe(file, "/obsm", "dict", "0.1.0"));
    std::vector<std::string> names;
    for (const PlacedMap& map : maps)
    {
        names.push_back(map.name);
        const std::array shape = {map.xy.rows(), map.xy.cols()};
        HEADSCOPE_CHECK(writeArray(file, "/obsm/X_" + mapKey(map), shape, NumberType::F32, std::span(map.xy.values())));
    }
    const std::string table = "/uns/maps";
    HEADSCOPE_CHECK(file.makeGroup(table));
    HEADSCOPE_CHECK(writeTexts(file, table + "/_index", names));
    std::vector<std::string> columns;
    for (std::size_t fact = 0; fact < maps.front().facts.size(); ++fact)
    {
        columns.push_back(maps.front().facts[fact].first);
        HEADSCOPE_CHECK(writeFactColumn(file, table + "/" + columns.back(), maps, fact));
    }
    return writeTable(file, table, columns);
}

Status writeFacts(Hdf5Writer& file, const std::vector<std::pair<std::string, std::string>>& facts)
{
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [name, value] : facts)
    {
        names.push_back(name);
        values.push_back(value);
    }
    const std::string table = "/uns/headscope";
    HEADSCOPE_CHECK(file.makeGroup(table));
    HEADSCOPE_CHECK(writeTexts(file, table + "/_index", names));
    HEADSCOPE_CHECK(writeTexts(file, table + "/value", values));
    return writeTable(file, table, {"value"});
}

} // namespace headscope::anndata
