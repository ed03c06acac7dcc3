// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/vector_export.h"

#include "model/base/output/output_file.h"
#include "model/formats/json_text.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/csv_text.h"

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

/// A column of /obs as AnnData wants it.
Status describe(Hdf5Writer& file, const std::string& object, const char* type, const char* version)
{
    HEADSCOPE_CHECK(file.setAttribute(object, "encoding-type", std::string(type)));
    return file.setAttribute(object, "encoding-version", std::string(version));
}

Status writeTexts(Hdf5Writer& file, const std::string& object, const std::vector<std::string>& values)
{
    HEADSCOPE_CHECK(file.writeStrings(object, values));
    return describe(file, object, "string-array", "0.2.0");
}

template <class T>
Status writeColumn(Hdf5Writer& file, const std::string& object, NumberType type, const std::vector<T>& values)
{
    const std::array shape = {static_cast<std::int64_t>(values.size())};
    HEADSCOPE_CHECK(file.write(object, shape, type, std::as_bytes(std::span(values))));
    return describe(file, object, "array", "0.2.0");
}

Status writeTable(Hdf5Writer& file, const std::string& group, const std::vector<std::string>& columns)
{
    HEADSCOPE_CHECK(describe(file, group, "dataframe", "0.2.0"));
    HEADSCOPE_CHECK(file.setAttribute(group, "_index", std::string("_index")));
    return file.setListAttribute(group, "column-order", columns);
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
    std::string csv = "document,id";
    for (const LabelColumn& label : from.documents->labels)
        csv += ',' + csvField(label.name, CsvTexts::Plain);
    csv += ",head,group";
    for (std::int64_t d = 0; d < from.vectors.front()->dims(); ++d)
        csv += fmt::format(",v{}", d);
    csv += '\n';
    forEachVector(from, [&](std::size_t at, std::int64_t head, std::span<const float> vector) {
        csv += fmt::format("{},{}", from.rows[at], csvField(idOf(from, at), CsvTexts::Plain));
        for (const LabelColumn& label : from.documents->labels)
            csv += ',' + csvField(labelOf(from, label, at), CsvTexts::Plain);
        csv += fmt::format(",{},{}", head + 1, groupOf(from, head) + 1);
        for (const float value : vector)
            csv += std::isfinite(value) ? fmt::format(",{}", value) : std::string(",");
        csv += '\n';
    });
    return writeFileAtomically(target, csv);
}

Status writeVectorsJsonl(const std::filesystem::path& target, const VectorExport& from)
{
    std::string lines;
    forEachVector(from, [&](std::size_t at, std::int64_t head, std::span<const float> vector) {
        std::vector<std::string> labels;
        for (const LabelColumn& label : from.documents->labels)
            labels.push_back(jsonQuoted(label.name) + ":" + jsonQuoted(labelOf(from, label, at)));
        std::vector<std::string> numbers;
        for (const float value : vector)
            numbers.push_back(std::isfinite(value) ? fmt::format("{}", value) : std::string("null"));
        lines +=
            fmt::format("{{\"document\":{},\"id\":{},\"labels\":{{{}}},\"head\":{},\"group\":{},\"vector\":[{}]}}\n",
                        from.rows[at], jsonQuoted(idOf(from, at)), fmt::join(labels, ","), head + 1,
                        groupOf(from, head) + 1, fmt::join(numbers, ","));
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
    return file.publish();
}

} // namespace headscope
