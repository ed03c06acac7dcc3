// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

/// The places of a split file: "model-00002-of-00003.gguf" without the numbers.
struct SplitName
{
    std::string prefix;
    std::int64_t part = 0; ///< from 1
    std::int64_t count = 0;

    [[nodiscard]] std::string name(std::int64_t number) const
    {
        return fmt::format("{}-{:05}-of-{:05}.gguf", prefix, number, count);
    }
};

std::optional<SplitName> splitName(const std::string& fileName)
{
    constexpr std::string_view kPattern = "-00000-of-00000.gguf";
    if (fileName.size() <= kPattern.size())
        return std::nullopt;
    const auto tail = std::string_view(fileName).substr(fileName.size() - kPattern.size());
    SplitName name;
    name.prefix = fileName.substr(0, fileName.size() - kPattern.size());
    for (std::size_t i = 0; i < kPattern.size(); ++i)
    {
        if (kPattern[i] != '0')
        {
            if (tail[i] != kPattern[i])
                return std::nullopt;
            continue;
        }
        if (tail[i] < '0' || tail[i] > '9')
            return std::nullopt;
        auto& value = i < 6 ? name.part : name.count;
        value = value * 10 + (tail[i] - '0');
    }
    return name;
}

Result<GgufFile> openPart(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const auto file, File::openForReading(path));
    return parseGguf(FileSource(file), path);
}

/// The value of a split key, or nothing with the problem noted.
std::optional<std::int64_t> splitValue(const GgufFile& file, std::string_view key, std::vector<Error>& problems)
{
    auto value = file.metadata.integer(key);
    if (!value)
    {
        problems.push_back(std::move(value).error().inFile(file.tensors.files.front().path.string()));
        return std::nullopt;
    }
    return *value;
}

/// Adds the tensors of one part to the whole.
void addPart(GgufFile& whole, GgufFile&& part)
{
    const auto index = static_cast<std::int32_t>(whole.tensors.files.size());
    whole.tensors.files.push_back(std::move(part.tensors.files.front()));
    for (auto& tensor : part.tensors.tensors)
    {
        tensor.file = index;
        whole.tensors.tensors.push_back(std::move(tensor));
    }
}

void checkWhole(GgufFile& whole, std::vector<Error>& problems)
{
    auto& tensors = whole.tensors.tensors;
    std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < tensors.size(); ++i)
        if (tensors[i].name == tensors[i - 1].name)
            problems.push_back({ErrorCode::BadFormat,
                                fmt::format("expected this tensor in only one part, found it also in {}",
                                            whole.tensors.fileName(tensors[i - 1])),
                                whole.tensors.files[static_cast<std::size_t>(tensors[i].file)].path.string(),
                                printableName(tensors[i].name)});
    const auto declared = splitValue(whole, "split.tensors.count", problems);
    if (declared && *declared != static_cast<std::int64_t>(tensors.size()))
        problems.push_back({ErrorCode::BadFormat,
                            fmt::format("expected {} tensors in all parts, found {}", *declared, tensors.size()),
                            whole.tensors.files.front().path.string(), "split.tensors.count"});
}

/// Opens part `number` and checks that it says so itself.
std::optional<GgufFile> openNumbered(const std::filesystem::path& path, std::int64_t number, std::int64_t count,
                                     std::vector<Error>& problems)
{
    auto part = openPart(path);
    if (!part)
    {
        problems.push_back(std::move(part).error());
        return std::nullopt;
    }
    const auto ownNumber = splitValue(*part, "split.no", problems);
    const auto ownCount = splitValue(*part, "split.count", problems);
    if (ownNumber != number - 1 || ownCount != count)
        problems.push_back({ErrorCode::BadFormat,
                            fmt::format("expected part {} of {}, found part {} of {}", number, count,
                                        ownNumber.value_or(-1) + 1, ownCount.value_or(0)),
                            path.string(), "split.no"});
    return std::move(*part);
}

} // namespace

GgufFile openGguf(const std::filesystem::path& path, std::vector<Error>& problems)
{
    auto first = openPart(path);
    if (!first)
    {
        problems.push_back(std::move(first).error());
        return {};
    }
    const auto count = splitValue(*first, "split.count", problems).value_or(1);
    if (count <= 1)
        return std::move(*first);
    const auto name = splitName(path.filename().string());
    if (!name || name->count != count)
    {
        problems.push_back(
            {ErrorCode::BadFormat,
             fmt::format("expected a name that ends in -00001-of-{:05}.gguf, because the model is split into "
                         "{} parts, found {}",
                         count, count, path.filename().string()),
             path.string(), "split.count"});
        return {};
    }
    GgufFile whole;
    constexpr std::size_t kMaxProblems = 100; // more than anyone reads
    for (std::int64_t number = 1; number <= count && problems.size() < kMaxProblems; ++number)
    {
        auto part = openNumbered(path.parent_path() / name->name(number), number, count, problems);
        if (!part)
            continue;
        if (whole.tensors.files.empty())
        {
            whole.version = part->version;
            whole.alignment = part->alignment;
            whole.metadata = std::move(part->metadata);
        }
        addPart(whole, std::move(*part));
    }
    if (problems.empty())
        checkWhole(whole, problems);
    return whole;
}

Result<GgufFile> openGguf(const std::filesystem::path& path)
{
    std::vector<Error> problems;
    auto file = openGguf(path, problems);
    if (!problems.empty())
        return combinedError(problems, path.string());
    return file;
}

} // namespace headscope
