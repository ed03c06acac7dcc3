// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/checksums.h"

#include "model/base/hash.h"
#include "model/io/cache/cache_schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

constexpr std::int64_t kPieceBytes = std::int64_t{8} << 20;
constexpr std::int64_t kStringsAtOnce = 16'384;

void addString(Xxh3& hash, const std::string& value)
{
    hash.update(std::as_bytes(std::span(value.c_str(), value.size() + 1)));
}

void collect(const Hdf5Reader& file, const std::string& group, std::vector<std::string>& names)
{
    for (const std::string& step : file.names(group))
    {
        const std::string path = group + "/" + step;
        if (path == "/checksums")
            continue;
        if (file.isDataset(path))
            names.push_back(path);
        else
            collect(file, path, names);
    }
}

} // namespace

Result<ChecksumTable> readChecksums(const Hdf5Reader& file)
{
    ChecksumTable table;
    if (!file.has("/checksums"))
        return table;
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(schema::kChecksumNames));
    HEADSCOPE_TRY(const auto names, file.readStrings(schema::kChecksumNames, 0, info.rows()));
    HEADSCOPE_TRY(const DatasetInfo other, file.describe(schema::kChecksumValues));
    if (other.rows() != info.rows())
        return Error{ErrorCode::BadFormat, fmt::format("expected {} checksums, found {}", info.rows(), other.rows()),
                     file.path().string(), schema::kChecksumValues};
    HEADSCOPE_TRY(const auto values, file.readStrings(schema::kChecksumValues, 0, other.rows()));
    for (std::size_t i = 0; i < names.size(); ++i)
        table[names[i]] = values[i];
    return table;
}

Result<std::string> digestOfNumbers(const Hdf5Reader& file, const std::string& dataset, const RowVisitor& visit,
                                    JobContext& job)
{
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (!info.number)
        return Error{ErrorCode::Unsupported, "expected numbers or text, found " + info.describe(), file.path().string(),
                     dataset};
    const auto rowBytes = info.rowSize() * static_cast<std::int64_t>(numberBytes(*info.number));
    const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / std::max<std::int64_t>(1, rowBytes));
    Xxh3 hash;
    std::vector<std::byte> piece;
    const std::int64_t rows = rowBytes == 0 ? 0 : info.rows(); // rows without numbers, however many, hold nothing
    for (std::int64_t begin = 0; begin < rows; begin += step)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const std::int64_t count = std::min(step, rows - begin);
        piece.resize(static_cast<std::size_t>(count * rowBytes));
        HEADSCOPE_CHECK(file.readRows(dataset, begin, count, *info.number, piece));
        hash.update(piece);
        if (visit)
            HEADSCOPE_CHECK(visit(begin, count, piece));
    }
    return hash.hex();
}

std::string digestOfStrings(std::span<const std::string> values)
{
    Xxh3 hash;
    for (const std::string& value : values)
        addString(hash, value);
    return hash.hex();
}

std::string digestOfAttributes(const Hdf5Reader& file, const std::string& object)
{
    std::vector<std::string> names;
    if (object == schema::kModelSha256)
        names = file.attributeNames(object);
    for (const char* name : schema::attributesOf(object))
        names.emplace_back(name);
    Xxh3 hash;
    const auto add = [&hash](const std::string& line) { hash.update(std::as_bytes(std::span(line))); };
    for (const std::string& name : names)
    {
        if (const auto text = file.textAttribute(object, name))
            add(fmt::format("{}={}\n", name, *text));
        else if (const auto integer = file.integerAttribute(object, name))
            add(fmt::format("{}={}\n", name, *integer));
        else if (const auto number = file.numberAttribute(object, name))
            add(fmt::format("{}={:.17g}\n", name, *number));
    }
    return hash.hex();
}

Result<std::string> digestOf(const Hdf5Reader& file, const std::string& name, JobContext& job)
{
    if (name.ends_with('@'))
        return digestOfAttributes(file, name.substr(0, name.size() - 1));
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(name));
    if (!info.text)
        return digestOfNumbers(file, name, {}, job);
    Xxh3 hash;
    for (std::int64_t begin = 0; begin < info.rows(); begin += kStringsAtOnce)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const auto values, file.readStrings(name, begin, std::min(kStringsAtOnce, info.rows() - begin)));
        for (const std::string& value : values)
            addString(hash, value);
    }
    return hash.hex();
}

Error checksumMismatch(const Hdf5Reader& file, const std::string& name)
{
    return {ErrorCode::BadFormat,
            "expected the data its checksum was taken from, found other data: the file is damaged",
            file.path().string(), name};
}

Status verifyChecksum(const Hdf5Reader& file, const std::string& name, JobContext& job)
{
    HEADSCOPE_TRY(const ChecksumTable table, readChecksums(file));
    const auto expected = table.find(name);
    if (expected == table.end())
        return {};
    HEADSCOPE_TRY(const std::string digest, digestOf(file, name, job));
    if (digest != expected->second)
        return checksumMismatch(file, name);
    return {};
}

Status sealAroundNumbers(const std::filesystem::path& part, JobContext& job)
{
    std::vector<FileRegion> regions;
    {
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::openOwn(part));
        for (const std::string& name : checkedNames(file))
        {
            if (const auto region = name.ends_with('@') ? std::nullopt : file.region(name))
                regions.push_back(*region);
        }
    }
    std::sort(regions.begin(), regions.end(),
              [](const FileRegion& a, const FileRegion& b) { return a.offset < b.offset; });
    return sealFile(part, regions, job);
}

std::vector<std::string> checkedNames(const Hdf5Reader& file)
{
    std::vector<std::string> names;
    collect(file, {}, names);
    names.emplace_back("/@");
    for (const char* object : {schema::kModel, schema::kModelSha256})
    {
        if (file.has(object))
            names.push_back(std::string(object) + "@");
    }
    for (const std::string& map : file.names(schema::kMaps))
    {
        const std::string group = std::string(schema::kMaps) + "/" + map;
        names.push_back(group + "@");
        for (const std::string& step : file.names(group)) // the maps of an aligned set
        {
            if (!file.isDataset(group + "/" + step))
                names.push_back(group + "/" + step + "@");
        }
    }
    return names;
}

} // namespace headscope
