// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/records/record_hdf5.h"

#include "model/data/application_name.h"
#include "model/io/hdf5/field_attributes.h"
#include "model/io/hdf5/file_seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace headscope
{
namespace
{

template <class T>
inline constexpr NumberType kStoredAs = NumberType::F64;
template <>
inline constexpr NumberType kStoredAs<float> = NumberType::F32;
template <>
inline constexpr NumberType kStoredAs<std::int64_t> = NumberType::I64;
template <>
inline constexpr NumberType kStoredAs<std::uint64_t> = NumberType::I64;
template <>
inline constexpr NumberType kStoredAs<std::int32_t> = NumberType::I32;

constexpr double kMaxWhole = 1e15; ///< doubles hold these exactly

Error bad(const Hdf5Reader& file, std::string place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), file.path().string(), std::move(place)};
}

/// The name of a part below its group: "/probes/000".
std::string below(const std::string& group, std::string_view name)
{
    return group == "/" ? fmt::format("/{}", name) : fmt::format("{}/{}", group, name);
}

std::string itemName(std::int64_t item)
{
    return fmt::format("{:03}", item);
}

/// What a column takes: "a number from 0 to 1".
std::string expectedOf(const Field& field)
{
    const auto* choice = std::get_if<FieldChoice>(&field.target);
    const NumberRange range = choice != nullptr ? NumberRange{0, static_cast<double>(choice->words.size()) - 1}
                              : field.isFlag()  ? NumberRange{0, 1}
                                                : field.limits.value_or(NumberRange{-kMaxWhole, kMaxWhole});
    return fmt::format("{} {}", field.isCounted() || field.isFlag() || choice != nullptr ? "an integer" : "a number",
                       range.text());
}

/// The numbers of a row of a table, and what each of them is read into.
std::vector<std::reference_wrapper<const Field>> columnsOf(const RecordFields& record)
{
    return record.attributes().used(kRecordUse);
}

class RecordWriter
{
public:
    RecordWriter(Hdf5Writer& file, std::string group) : m_file(file), m_group(std::move(group)) {}

    Status write(const RecordPart& part)
    {
        m_name = part.name;
        return std::visit(*this, part.target);
    }

    Status operator()(const RecordNumbers& numbers) const
    {
        return std::visit([this](const auto* values) { return writeNumbers(*values); }, numbers);
    }
    Status operator()(const RecordTexts& texts) const
    {
        return texts.target->empty() && !texts.isEmptyStored
                   ? Status()
                   : m_file.writeStrings(below(m_group, m_name), *texts.target);
    }
    Status operator()(const NamedTexts& names) const
    {
        std::map<std::string, std::string> sorted;
        std::visit([&sorted](const auto* pairs) { sorted.insert(pairs->begin(), pairs->end()); }, names);
        HEADSCOPE_CHECK(m_file.makeGroup(below(m_group, m_name)));
        for (const auto& [name, text] : sorted)
            HEADSCOPE_CHECK(m_file.setAttribute(below(m_group, m_name), name, text));
        return {};
    }
    Status operator()(const RecordText& text) const
    {
        const std::string written = text.write(text.target);
        return written.empty() ? Status() : m_file.setAttribute(m_group, m_name, written);
    }
    Status operator()(const RecordItems& items) const
    {
        const std::int64_t count = items.count(items.target);
        if (items.kind == RecordItems::Kind::Table || items.kind == RecordItems::Kind::Row)
            return count == 0 ? Status() : writeTable(items, count);
        for (std::int64_t item = 0; item < count; ++item)
        {
            RecordFields record;
            items.describe(record, items.target, item);
            std::string group = items.kind == RecordItems::Kind::Here ? m_group : below(m_group, m_name);
            if (items.kind == RecordItems::Kind::List)
                group = below(group, itemName(item));
            HEADSCOPE_CHECK(writeRecord(m_file, group, record));
        }
        return {};
    }

private:
    template <class T>
    Status writeNumbers(const std::vector<T>& values) const
    {
        const std::array shape = {std::ssize(values)};
        return values.empty()
                   ? Status()
                   : m_file.write(below(m_group, m_name), shape, kStoredAs<T>, std::as_bytes(std::span(values)));
    }
    template <class T>
    Status writeNumbers(const Matrix<T>& values) const
    {
        const std::array shape = {values.rows(), values.cols()};
        return values.empty() ? Status()
                              : m_file.write(below(m_group, m_name), shape, kStoredAs<T>,
                                             std::as_bytes(std::span(values.values())));
    }
    Status writeTable(const RecordItems& items, std::int64_t count) const
    {
        std::vector<double> numbers;
        for (std::int64_t item = 0; item < count; ++item)
        {
            RecordFields record;
            items.describe(record, items.target, item);
            for (const Field& column : columnsOf(record))
                numbers.push_back(column.number());
        }
        if (items.kind == RecordItems::Kind::Row)
            return writeNumbers(numbers);
        const std::int64_t columns = std::ssize(numbers) / count;
        return writeNumbers(MatrixD(count, columns, std::move(numbers)));
    }

    Hdf5Writer& m_file;
    std::string m_group;
    std::string m_name;
};

Status readParts(const Hdf5Reader& file, const std::string& group, const RecordFields& record);

class RecordReader
{
public:
    RecordReader(const Hdf5Reader& file, std::string group) : m_file(file), m_group(std::move(group)) {}

    Status read(const RecordPart& part)
    {
        m_name = part.name;
        return std::visit(*this, part.target);
    }

    Status operator()(const RecordNumbers& numbers) const
    {
        if (!m_file.has(below(m_group, m_name)))
            return {};
        return std::visit([this](auto* values) { return readInto(*values); }, numbers);
    }
    Status operator()(const RecordTexts& texts) const
    {
        const std::string dataset = below(m_group, m_name);
        if (!m_file.has(dataset) && !texts.isEmptyStored)
            return {};
        HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(dataset));
        if (!info.text || info.shape.size() != 1)
            return bad(m_file, dataset, "expected a list of texts, found " + info.describe());
        const std::uint64_t most = texts.mostBytes > 0 ? texts.mostBytes : std::numeric_limits<std::uint64_t>::max();
        HEADSCOPE_TRY(*texts.target, m_file.readStrings(dataset, 0, info.rows(), most));
        return {};
    }
    Status operator()(const NamedTexts& names) const
    {
        const std::string group = below(m_group, m_name);
        if (!m_file.has(group))
            return {};
        std::visit(
            [&](auto* pairs) {
                for (const std::string& name : m_file.attributeNames(group))
                    pairs->insert(pairs->end(), {name, m_file.textAttribute(group, name).value_or("")});
            },
            names);
        return {};
    }
    Status operator()(const RecordText& text) const
    {
        const auto stored = m_file.textAttribute(m_group, m_name);
        if (!stored || stored->empty())
            return {};
        const std::string expected = text.read(text.target, *stored);
        if (!expected.empty())
            return bad(m_file, fmt::format("{}@{}", m_group, m_name),
                       fmt::format("expected {}, found \"{}\"", expected, *stored));
        return {};
    }
    Status operator()(const RecordItems& items) const
    {
        switch (items.kind)
        {
        case RecordItems::Kind::Here:
            return readHere(items);
        case RecordItems::Kind::Group:
            return readGroup(items);
        case RecordItems::Kind::List:
            return readList(items);
        case RecordItems::Kind::Row:
            return readRow(items);
        case RecordItems::Kind::Table:
            break;
        }
        return readTable(items);
    }

private:
    template <class T>
    Status readInto(std::vector<T>& values) const
    {
        if constexpr (std::is_same_v<T, std::uint64_t>)
        {
            HEADSCOPE_TRY(const auto numbers, readNumbers<std::int64_t>(m_file, below(m_group, m_name)));
            values.assign(numbers.begin(), numbers.end());
        }
        else
        {
            HEADSCOPE_TRY(values, readNumbers<T>(m_file, below(m_group, m_name)));
        }
        return {};
    }
    template <class T>
    Status readInto(Matrix<T>& values) const
    {
        const std::string dataset = below(m_group, m_name);
        HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(dataset));
        if (info.shape.size() != 2)
            return bad(m_file, dataset, "expected a table, found " + info.describe());
        HEADSCOPE_TRY(auto numbers, readNumbers<T>(m_file, dataset));
        values = Matrix<T>(info.shape[0], info.shape[1], std::move(numbers));
        return {};
    }
    Status readItem(const RecordItems& items, std::int64_t item, const std::string& group) const
    {
        RecordFields record;
        items.describe(record, items.target, item);
        return readRecord(m_file, group, record);
    }
    /// Without an attribute that it needs it is not there; a larger part of it that is damaged is damage.
    Status readHere(const RecordItems& items) const
    {
        items.resize(items.target, 1);
        RecordFields record;
        items.describe(record, items.target, 0);
        if (readNeededFields(m_file, m_group, record.attributes()))
            return readParts(m_file, m_group, record);
        items.resize(items.target, 0);
        return {};
    }
    Status readGroup(const RecordItems& items) const
    {
        const std::string group = below(m_group, m_name);
        if (!m_file.has(group))
            return items.isNeeded ? Status(bad(m_file, group, "this group is missing")) : Status();
        items.resize(items.target, 1);
        return readItem(items, 0, group);
    }
    Status readList(const RecordItems& items) const
    {
        const std::string group = below(m_group, m_name);
        const auto steps = m_file.has(group) ? m_file.names(group) : std::vector<std::string>();
        items.resize(items.target, std::ssize(steps));
        for (std::int64_t item = 0; item < std::ssize(steps); ++item)
            HEADSCOPE_CHECK(readItem(items, item, below(group, steps[static_cast<std::size_t>(item)])));
        return {};
    }
    Status readRow(const RecordItems& items) const
    {
        std::vector<double> numbers;
        HEADSCOPE_CHECK(readInto(numbers));
        RecordFields record;
        items.describe(record, items.target, 0);
        return takeRow(columnsOf(record), numbers);
    }
    Status readTable(const RecordItems& items) const
    {
        MatrixD numbers;
        if (m_file.has(below(m_group, m_name)))
            HEADSCOPE_CHECK(readInto(numbers));
        items.resize(items.target, numbers.rows());
        for (std::int64_t row = 0; row < numbers.rows(); ++row)
        {
            RecordFields record;
            items.describe(record, items.target, row);
            HEADSCOPE_CHECK(takeRow(columnsOf(record), numbers.row(row)));
        }
        return {};
    }
    Status takeRow(const std::vector<std::reference_wrapper<const Field>>& columns, std::span<const double> row) const
    {
        const auto needed = std::ranges::count_if(columns, [](const Field& each) { return each.isRequired; });
        const std::string dataset = below(m_group, m_name);
        if (std::ssize(row) > std::ssize(columns) || std::ssize(row) < needed)
            return bad(m_file, dataset, fmt::format("expected {} columns, found {}", columns.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            if (const Field& field = columns[i]; !field.setNumber(row[i]))
                return bad(m_file, dataset,
                           fmt::format("expected {} under {}, found {}", expectedOf(field), field.key, row[i]));
        return {};
    }

    const Hdf5Reader& m_file;
    std::string m_group;
    std::string m_name;
};

Status readParts(const Hdf5Reader& file, const std::string& group, const RecordFields& record)
{
    RecordReader reader(file, group);
    for (const RecordPart& part : record.parts())
        HEADSCOPE_CHECK(reader.read(part));
    return {};
}

} // namespace

Status writeRecord(Hdf5Writer& file, const std::string& group, const RecordFields& record, unsigned who)
{
    if (group != "/")
        HEADSCOPE_CHECK(file.makeGroup(group));
    HEADSCOPE_CHECK(writeFields(file, group, record.attributes(), who));
    RecordWriter writer(file, group);
    for (const RecordPart& part : record.parts())
        HEADSCOPE_CHECK(writer.write(part));
    return {};
}

Status readRecord(const Hdf5Reader& file, const std::string& group, const RecordFields& record, unsigned who)
{
    HEADSCOPE_CHECK(readNeededFields(file, group, record.attributes(), who));
    return readParts(file, group, record);
}

Status writeFormat(Hdf5Writer& file, const FileFormat& format)
{
    HEADSCOPE_CHECK(file.setAttribute("/", "format", std::string(format.name)));
    HEADSCOPE_CHECK(file.setAttribute("/", "version", format.version));
    return file.setAttribute("/", "application", std::string("Headscope " HEADSCOPE_VERSION));
}

Status checkFormat(const Hdf5Reader& file, const FileFormat& format)
{
    const std::string found = file.textAttribute("/", "format").value_or("");
    if (found != format.name)
        return bad(file, {},
                   fmt::format("expected {} ({}), found {}", format.contents, format.name,
                               found.empty() ? "a file of another kind" : found));
    const std::int64_t version = file.integerAttribute("/", "version").value_or(0);
    if (version > format.version)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected version {} or older, found {}: a newer Headscope wrote it", format.version, version),
            file.path().string(),
            {}};
    if (file.seal() != SealState::Good)
        return bad(file, {}, "the seal is missing: the file was changed or truncated");
    return {};
}

Status publishSealed(Hdf5Writer& file)
{
    JobContext job;
    return file.publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); });
}

} // namespace headscope
