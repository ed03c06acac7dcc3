// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/vector_export.h"

#include "model/base/output/output_file.h"
#include "model/base/text/csv_text.h"
#include "model/formats/json_text.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/anndata_maps.h"
#include "model/io/results/anndata_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace headscope
{
namespace
{

template <class T>
std::string_view charsOf(std::span<const T> values)
{
    const auto bytes = std::as_bytes(values);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; // NOLINT: bytes are written as they lie
}

const std::string& idOf(const VectorExport& from, std::size_t at)
{
    return from.documents->ids[static_cast<std::size_t>(from.rows[at])];
}

std::string labelOf(const VectorExport& from, const LabelColumn& label, std::size_t at)
{
    return std::string(label.category(static_cast<std::size_t>(from.rows[at])));
}

std::int64_t groupOf(const VectorExport& from, std::int64_t head)
{
    return from.model.groupOf(HeadIndex(head)).value();
}

/// Calls `write` for every document and head, documents outer.
template <class Write>
void forEachVector(const VectorExport& from, const Write& write)
{
    const HeadVectors& vectors = *from.vectors.front();
    for (std::size_t at = 0; at < from.rows.size(); ++at)
        for (std::size_t h = 0; h < from.heads.size(); ++h)
            write(
                at, from.heads[h],
                vectors.vector(DocumentIndex(static_cast<std::int64_t>(at)), HeadIndex(static_cast<std::int64_t>(h))));
}

/// x and y of a map in one row, and what the noise twins keep where that is known.
std::vector<float> numbersOf(const PlacedMap& map, std::size_t line)
{
    const auto place = map.xy.row(static_cast<std::int64_t>(line));
    std::vector<float> numbers(place.begin(), place.end());
    if (!map.kept.empty())
        numbers.push_back(map.kept[line]);
    return numbers;
}

/// ",tsne_NAME_x,tsne_NAME_y" and, of a map that knows it, ",tsne_NAME_kept".
CsvText mapTitles(const PlacedMap& map)
{
    CsvText titles;
    for (const char* part : {"x", "y", "kept"})
        if (!map.kept.empty() || part != std::string_view("kept"))
            titles += "," + csvField(fmt::format("tsne_{}_{}", map.name, part), CsvTexts::Plain);
    return titles;
}

CsvText csvNumber(float value)
{
    return std::isfinite(value) ? CsvText::format(",{}", value) : CsvText(",");
}

std::string jsonNumber(float value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
}

/// `,"maps":{"NAME":[x,y]}`, a third number where it is known what the noise twins keep; empty without maps.
std::string mapsMember(const VectorExport& from, std::size_t line)
{
    if (from.maps.empty())
        return {};
    std::vector<std::string> members;
    for (const PlacedMap& map : from.maps)
    {
        std::vector<std::string> numbers;
        for (const float value : numbersOf(map, line))
            numbers.push_back(jsonNumber(value));
        members.push_back(fmt::format("{}:[{}]", jsonQuoted(map.name), fmt::join(numbers, ",")));
    }
    return fmt::format(",\"maps\":{{{}}}", fmt::join(members, ","));
}

/// Tensors of a safetensors file, one after another.
class Tensors
{
public:
    template <class T>
    void add(const std::string& name, std::string_view type, std::span<const std::int64_t> shape,
             std::span<const T> values)
    {
        const std::size_t begin = m_data.size();
        m_data += charsOf(values);
        m_entries.push_back(fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                                        jsonQuoted(name), type, fmt::join(shape, ","), begin, m_data.size()));
    }
    void addMetadata(const std::vector<std::pair<std::string, std::string>>& facts)
    {
        std::vector<std::string> members;
        for (const auto& [name, value] : facts)
            members.push_back(jsonQuoted(name) + ':' + jsonQuoted(value));
        m_entries.push_back(fmt::format("\"__metadata__\":{{{}}}", fmt::join(members, ",")));
    }
    [[nodiscard]] std::string file() const
    {
        std::string header = fmt::format("{{{}}}", fmt::join(m_entries, ","));
        constexpr std::size_t kAlignment = 8;
        header.append((kAlignment - header.size() % kAlignment) % kAlignment, ' ');
        std::string file;
        for (std::size_t byte = 0; byte < sizeof(std::uint64_t); ++byte)
            file += static_cast<char>((header.size() >> (8 * byte)) & 0xff);
        return file + header + m_data;
    }

private:
    std::vector<std::string> m_entries;
    std::string m_data;
};

using anndata::describe;
using anndata::writeColumn;
using anndata::writeTable;
using anndata::writeTexts;

/// What the noise twins keep of each point, a column a map that knows it.
Status writeKept(Hdf5Writer& file, const VectorExport& from, std::vector<std::string>& columns)
{
    for (const PlacedMap& map : from.maps)
    {
        const std::string column = anndata::mapKey(map) + "_kept";
        if (map.kept.empty() || std::find(columns.begin(), columns.end(), column) != columns.end())
            continue;
        HEADSCOPE_CHECK(writeColumn(file, "/obs/" + column, NumberType::F32, map.kept));
        columns.push_back(column);
    }
    return {};
}

Status writeObservations(Hdf5Writer& file, const VectorExport& from)
{
    std::vector<std::string> names;
    std::vector<std::string> ids;
    std::vector<std::int64_t> documents;
    std::vector<std::int64_t> heads;
    std::vector<std::int64_t> groups;
    std::vector<std::size_t> places;
    forEachVector(from, [&](std::size_t at, std::int64_t head, std::span<const float>) {
        names.push_back(fmt::format("{}-{}", from.rows[at], head));
        ids.push_back(idOf(from, at));
        documents.push_back(from.rows[at]);
        heads.push_back(head);
        groups.push_back(groupOf(from, head));
        places.push_back(at);
    });
    HEADSCOPE_CHECK(file.makeGroup("/obs"));
    HEADSCOPE_CHECK(writeTexts(file, "/obs/_index", names));
    HEADSCOPE_CHECK(writeTexts(file, "/obs/id", ids));
    HEADSCOPE_CHECK(writeColumn(file, "/obs/document", NumberType::I64, documents));
    HEADSCOPE_CHECK(writeColumn(file, "/obs/head", NumberType::I64, heads));
    HEADSCOPE_CHECK(writeColumn(file, "/obs/group", NumberType::I64, groups));
    std::vector<std::string> columns = {"id", "document", "head", "group"};
    for (const LabelColumn& label : from.documents->labels)
    {
        const std::string group = "/obs/" + schema::stepFromName(label.name);
        if (std::find(columns.begin(), columns.end(), label.name) != columns.end() || label.name == "_index")
            continue;
        std::vector<std::int32_t> codes;
        for (const std::size_t at : places)
            codes.push_back(label.codes[static_cast<std::size_t>(from.rows[at])]);
        HEADSCOPE_CHECK(file.makeGroup(group));
        HEADSCOPE_CHECK(writeTexts(file, group + "/categories", label.categories));
        HEADSCOPE_CHECK(writeColumn(file, group + "/codes", NumberType::I32, codes));
        HEADSCOPE_CHECK(describe(file, group, "categorical", "0.2.0"));
        HEADSCOPE_CHECK(file.setAttribute(group, "ordered", std::int64_t{0}));
        columns.push_back(schema::stepFromName(label.name));
    }
    HEADSCOPE_CHECK(writeKept(file, from, columns));
    return writeTable(file, "/obs", columns);
}

} // namespace

Status writeVectorsNpy(const std::filesystem::path& target, const VectorExport& from)
{
    const HeadVectors& vectors = *from.vectors.front();
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}), }}",
                                     vectors.documents(), vectors.heads(), vectors.dims());
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kBefore = 10; // magic, version, length
    header.append(kAlignment - (kBefore + header.size() + 1) % kAlignment, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    return writeFileAtomically(target, file + header + std::string(charsOf(vectors.values())));
}

Status writeVectorsCsv(const std::filesystem::path& target, const VectorExport& from)
{
    CsvText csv("document,id");
    for (const LabelColumn& label : from.documents->labels)
        csv += "," + csvField(label.name, CsvTexts::Plain);
    csv += ",head,group";
    for (std::int64_t d = 0; d < from.vectors.front()->dims(); ++d)
        csv.append(",v{}", d);
    for (const PlacedMap& map : from.maps)
        csv += mapTitles(map);
    csv += "\n";
    std::size_t line = 0;
    forEachVector(from, [&](std::size_t at, std::int64_t head, std::span<const float> vector) {
        csv.append("{},{}", from.rows[at], csvField(idOf(from, at), CsvTexts::Plain));
        for (const LabelColumn& label : from.documents->labels)
            csv += "," + csvField(labelOf(from, label, at), CsvTexts::Plain);
        csv.append(",{},{}", head + 1, groupOf(from, head) + 1);
        for (const float value : vector)
            csv += csvNumber(value);
        for (const PlacedMap& map : from.maps)
            for (const float value : numbersOf(map, line))
                csv += csvNumber(value);
        csv += "\n";
        ++line;
    });
    return writeCsvFile(target, csv);
}

Status writeVectorsJsonl(const std::filesystem::path& target, const VectorExport& from)
{
    std::string lines;
    std::size_t line = 0;
    forEachVector(from, [&](std::size_t at, std::int64_t head, std::span<const float> vector) {
        std::vector<std::string> labels;
        for (const LabelColumn& label : from.documents->labels)
            labels.push_back(jsonQuoted(label.name) + ":" + jsonQuoted(labelOf(from, label, at)));
        std::vector<std::string> numbers;
        for (const float value : vector)
            numbers.push_back(jsonNumber(value));
        lines +=
            fmt::format("{{\"document\":{},\"id\":{},\"labels\":{{{}}},\"head\":{},\"group\":{},\"vector\":[{}]{}}}\n",
                        from.rows[at], jsonQuoted(idOf(from, at)), fmt::join(labels, ","), head + 1,
                        groupOf(from, head) + 1, fmt::join(numbers, ","), mapsMember(from, line));
        ++line;
    });
    return writeFileAtomically(target, lines);
}

Status writeVectorsSafetensors(const std::filesystem::path& target, const VectorExport& from)
{
    Tensors tensors;
    auto facts = from.facts;
    for (const LabelColumn& label : from.documents->labels)
    {
        std::vector<std::string> categories;
        std::transform(label.categories.begin(), label.categories.end(), std::back_inserter(categories), jsonQuoted);
        facts.emplace_back("categories/" + label.name, fmt::format("[{}]", fmt::join(categories, ",")));
    }
    for (const PlacedMap& map : from.maps)
        facts.emplace_back("maps/" + map.name, factsJson(map));
    tensors.addMetadata(facts);
    for (const auto& vectors : from.vectors)
    {
        const std::array shape = {vectors->documents(), vectors->heads(), vectors->dims()};
        tensors.add(fmt::format("{}/{}", schema::layerGroup(vectors->layer()), stageDataset(vectors->stage())), "F32",
                    shape, vectors->values());
    }
    const std::array documents = {static_cast<std::int64_t>(from.rows.size())};
    const std::array heads = {static_cast<std::int64_t>(from.heads.size())};
    tensors.add("documents", "I64", documents, std::span<const std::int64_t>(from.rows));
    tensors.add("heads", "I64", heads, std::span<const std::int64_t>(from.heads));
    for (const LabelColumn& label : from.documents->labels)
    {
        std::vector<std::int32_t> codes;
        for (const std::int64_t row : from.rows)
            codes.push_back(label.codes[static_cast<std::size_t>(row)]);
        tensors.add("labels/" + label.name, "I32", documents, std::span<const std::int32_t>(codes));
    }
    for (const PlacedMap& map : from.maps)
    {
        const std::array places = {documents.front(), heads.front(), std::int64_t{2}};
        tensors.add("maps/" + map.name, "F32", places, std::span<const float>(map.xy.values()));
        if (!map.kept.empty())
            tensors.add("kept/" + map.name, "F32", std::span(places).first(2), std::span<const float>(map.kept));
    }
    return writeFileAtomically(target, tensors.file());
}

Status writeVectorsAnnData(const std::filesystem::path& target, const VectorExport& from)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    const HeadVectors& vectors = *from.vectors.front();
    HEADSCOPE_CHECK(describe(file, "/", "anndata", "0.1.0"));
    const std::array shape = {vectors.documents() * vectors.heads(), vectors.dims()};
    HEADSCOPE_CHECK(file.write("/X", shape, NumberType::F32, std::as_bytes(vectors.values())));
    HEADSCOPE_CHECK(describe(file, "/X", "array", "0.2.0"));
    HEADSCOPE_CHECK(writeObservations(file, from));
    std::vector<std::string> names;
    for (std::int64_t d = 0; d < vectors.dims(); ++d)
        names.push_back(fmt::format("v{}", d));
    HEADSCOPE_CHECK(file.makeGroup("/var"));
    HEADSCOPE_CHECK(writeTexts(file, "/var/_index", names));
    HEADSCOPE_CHECK(writeTable(file, "/var", {}));
    HEADSCOPE_CHECK(file.makeGroup("/uns"));
    HEADSCOPE_CHECK(describe(file, "/uns", "dict", "0.1.0"));
    for (const auto& [name, value] : from.facts)
        HEADSCOPE_CHECK(file.setAttribute("/uns", name, value));
    auto facts = from.facts; // which no reader of AnnData hands over as attributes
    facts.emplace_back("heads and groups count from", "0");
    HEADSCOPE_CHECK(anndata::writeFacts(file, facts));
    if (!from.maps.empty())
        HEADSCOPE_CHECK(anndata::writeMaps(file, from.maps));
    return file.publish();
}

} // namespace headscope
