// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_folder.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/base/output/process_tag.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr std::string_view kManifestBeginning = "{\"format\": \"headscope-shards\"";
constexpr std::string_view kFolderEnding = ".shards";

/// "shard_000012.h5", or a part file of it, of the manifest or of the cache.
bool isShardName(std::string_view name)
{
    if (name.starts_with(std::string(kShardManifest) + ".part-") || name.starts_with(kPartBeginning))
        return true;
    constexpr std::string_view kBeginning = "shard_";
    constexpr std::string_view kEnding = ".h5";
    constexpr std::size_t kDigits = 6;
    if (!name.starts_with(kBeginning))
        return false;
    name.remove_prefix(kBeginning.size());
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    name.remove_prefix(digits);
    return digits >= kDigits && (name == kEnding || name.starts_with(std::string(kEnding) + ".part-"));
}

/// Whether a name is this beginning and the tag of a process that has ended.
bool isLeft(std::string_view name, std::string_view beginning)
{
    if (!name.starts_with(beginning))
        return false;
    name.remove_prefix(beginning.size());
    return ownerOf(name.substr(0, name.find('.'))) == TagOwner::Gone;
}

bool isLeftCache(const fs::path& path)
{
    return isLeft(path.filename().string(), kPartBeginning);
}

bool isHdf5(const fs::path& path)
{
    constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
    std::array<char, kSignature.size()> begin{};
    std::ifstream(path, std::ios::binary).read(begin.data(), std::ssize(begin));
    return std::string_view(begin.data(), begin.size()) == kSignature;
}

/// Whether a file is of a run that has ended, though no manifest says so: a part file of the manifest is all that a
/// run killed at its first write leaves. Where somebody has deleted the manifest, the part file of the cache says
/// whose the shards beside it are.
bool isLeftWithoutManifest(const fs::path& path, bool hasLeftCache)
{
    const std::string name = path.filename().string();
    if (name.starts_with(kPartBeginning))
        return isLeftCache(path);
    const bool isShard = name.find(".h5.part-") != std::string::npos || isHdf5(path);
    return isLeft(name, std::string(kShardManifest) + ".part-") || (hasLeftCache && isShard);
}

/// What lies in a folder of shards.
struct FolderContents
{
    std::vector<fs::path> shards; ///< and part files of them
    std::vector<fs::path> others;
    bool hasManifest = false; ///< one that a ShardWriter began
};

Result<FolderContents> contentsOf(const fs::path& folder)
{
    FolderContents contents;
    std::error_code failed;
    for (const auto& entry : entriesOf(folder, FolderDepth::Folder, failed))
    {
        const std::string name = entry.path().filename().string();
        std::error_code ignored;
        const bool plain = fs::is_regular_file(entry.symlink_status(ignored));
        if (plain && name == kShardManifest)
        {
            const auto text = readTextFile(entry.path());
            contents.hasManifest = text && (text->empty() || text->starts_with(kManifestBeginning));
            if (!contents.hasManifest)
                contents.others.push_back(entry.path());
            continue;
        }
        (plain && isShardName(name) ? contents.shards : contents.others).push_back(entry.path());
    }
    if (failed)
        return systemError(failed.value(), folder, "reading the folder");
    // Without its manifest a shard is no shard: it is the first thing a writer makes.
    if (!contents.hasManifest)
    {
        const bool hasLeftCache = std::any_of(contents.shards.begin(), contents.shards.end(), isLeftCache);
        const auto kept =
            std::stable_partition(contents.shards.begin(), contents.shards.end(), [hasLeftCache](const fs::path& path) {
                return isLeftWithoutManifest(path, hasLeftCache);
            });
        contents.others.insert(contents.others.end(), kept, contents.shards.end());
        contents.shards.erase(kept, contents.shards.end());
    }
    std::sort(contents.others.begin(), contents.others.end());
    return contents;
}

} // namespace

fs::path shardFolder(const fs::path& output)
{
    fs::path folder = output;
    folder += kFolderEnding;
    return folder;
}

fs::path outputOfShards(const fs::path& folder)
{
    fs::path output = folder;
    return folder.extension() == kFolderEnding ? output.replace_extension() : output;
}

Status checkShardFolder(const fs::path& folder)
{
    const auto refuse = [&folder](std::string_view found) -> Status {
        return Error{
            ErrorCode::Resource,
            fmt::format("parts cannot be written into the folder {}, because {}: move it away, or choose another name",
                        folder.filename().string(), found),
            outputOfShards(folder).string(),
            {}};
    };
    std::error_code failed;
    const auto status = fs::symlink_status(folder, failed);
    if (failed && failed != std::errc::no_such_file_or_directory) // also a name that is too long with its ending
        return refuse(fmt::format("it cannot be used ({})", failed.message()));
    if (!fs::exists(status))
        return {};
    if (!fs::is_directory(status))
        return refuse("a file has this name");
    const auto contents = contentsOf(folder);
    if (!contents)
        return refuse(fmt::format("it cannot be read ({})", contents.error().message));
    if (contents->others.empty())
        return {};
    return refuse(
        fmt::format("it contains {}, which is not a part of a cache", contents->others.front().filename().string()));
}

bool hasLostManifest(const fs::path& folder)
{
    const auto contents = contentsOf(folder);
    return contents && !contents->hasManifest &&
           std::any_of(contents->shards.begin(), contents->shards.end(), isLeftCache);
}

namespace
{

void removeOnce(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(fs::symlink_status(folder, ignored)))
        return;
    const auto contents = contentsOf(folder);
    if (!contents)
        return;
    for (const auto& file : contents->shards)
        fs::remove(file, ignored);
    if (contents->hasManifest) // last: without it a shard is not known as one
        fs::remove(folder / kShardManifest, ignored);
    fs::remove(folder, ignored); // where it is empty
}

} // namespace

void removeUnusedParts(const fs::path& folder, const std::set<std::string>& used)
{
    std::error_code ignored;
    for (const auto& entry : entriesOf(folder, FolderDepth::Folder, ignored))
    {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(kPartBeginning) || used.contains(name))
            continue;
        const std::string_view tag = std::string_view(name).substr(std::string_view(kPartBeginning).size());
        if (ownerOf(tag.substr(0, tag.find('.'))) == TagOwner::Gone &&
            fs::is_regular_file(entry.symlink_status(ignored)))
            fs::remove(entry.path(), ignored);
    }
}

void removeShards(const fs::path& folder)
{
    // Again where memory was short: what made the run fail may have been just that.
    for (int attempt = 0; attempt < 2; ++attempt)
    {
        try
        {
            removeOnce(folder);
        }
        catch (const std::bad_alloc&)
        {
            continue;
        }
        catch (const std::exception&) // nothing more can be done here
        {
            return;
        }
    }
}

} // namespace headscope
