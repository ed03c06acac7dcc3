// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/anndata_maps.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/results/anndata_parts.h"

#include <array>
#include <variant>

namespace headscope::anndata
{
namespace
{

/// One fact of all maps, as a list of the type that the first has.
template <class T>
std::vector<T> columnOf(std::span<const PlacedMap> maps, std::size_t fact)
{
    std::vector<T> values;
    for (const PlacedMap& map : maps)
        values.push_back(std::get<T>(map.facts[fact].second));
    return values;
}

Status writeFactColumn(Hdf5Writer& file, const std::string& object, std::span<const PlacedMap> maps, std::size_t fact)
{
    const FieldRecord& first = maps.front().facts[fact].second;
    if (std::holds_alternative<std::string>(first))
        return writeTexts(file, object, columnOf<std::string>(maps, fact));
    if (std::holds_alternative<std::int64_t>(first))
        return writeColumn(file, object, NumberType::I64, columnOf<std::int64_t>(maps, fact));
    return writeColumn(file, object, NumberType::F64, columnOf<double>(maps, fact));
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
