// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/checksums.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

void collect(const Hdf5Objects& file, const std::string& group, std::vector<std::string>& names)
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

void StringsDigest::add(std::span<const std::string> values)
{
    for (const std::string& value : values)
        m_hash.update(std::as_bytes(std::span(value.c_str(), value.size() + 1)));
}

std::string digestOfStrings(std::span<const std::string> values)
{
    StringsDigest hash;
    hash.add(values);
    return hash.hex();
}

std::string digestOfAttributes(const Hdf5Objects& file, const std::string& object)
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

Error checksumMismatch(const Hdf5Objects& file, const std::string& name)
{
    return {ErrorCode::BadFormat, "the data does not match its checksum: the file is damaged", file.path().string(),
            name};
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

std::vector<std::string> checkedNames(const Hdf5Objects& file)
{
    std::vector<std::string> names;
    collect(file, {}, names);
    names.emplace_back("/@");
    for (const char* object : {schema::kModel, schema::kModelSha256, schema::kFinal})
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
