// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/output_path.h"

#include "model/base/file.h"
#include "model/base/file_kind.h"
#include "model/base/output/folder_of.h"

#include <fmt/format.h>

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kLongestSuffix = 64; ///< of nameBeside: a part name's, with room

std::size_t longestName(const fs::path& folder)
{
    const long most = ::pathconf(folder.c_str(), _PC_NAME_MAX);
    return most > 0 ? static_cast<std::size_t>(most) : std::size_t{NAME_MAX};
}

/// The header of a safetensors file as text; empty where the file is not laid out like one.
std::string safetensorsHeader(const File& file)
{
    constexpr std::uint64_t kMaxHeader = std::uint64_t{16} << 20;
    std::array<std::byte, sizeof(std::uint64_t)> length{};
    if (file.size() <= length.size() || !file.readAt(0, length))
        return {};
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < length.size(); ++i)
        bytes |= std::to_integer<std::uint64_t>(length[i]) << (8 * i);
    if (bytes < 2 || bytes > kMaxHeader || bytes > file.size() - length.size())
        return {};
    std::string header(static_cast<std::size_t>(bytes), '\0');
    if (!file.readAt(length.size(), std::as_writable_bytes(std::span(header))) || !header.starts_with('{') ||
        header.find("\"data_offsets\"") == std::string::npos)
        return {};
    return header;
}

/// What kind of weights a file holds, for people; empty where it holds none. Our own exports are none.
std::string_view weightsIn(const fs::path& path)
{
    const auto file = File::openForReading(path);
    std::array<char, 4> magic{};
    if (!file || file->size() < magic.size() || !file->readAt(0, std::as_writable_bytes(std::span(magic))))
        return {};
    const std::string_view begins(magic.data(), magic.size());
    const std::string ending = path.extension().string();
    if (begins == "GGUF")
        return "a GGUF model";
    const bool named = ending == ".pt" || ending == ".pth" || ending == ".bin" || ending == ".ckpt";
    if (named && (begins == "PK\x03\x04" || begins.starts_with("\x80\x02")))
        return "weights of PyTorch";
    const std::string header = safetensorsHeader(*file);
    const bool ours = header.find("\"documents\":{\"dtype\":\"I64\"") != std::string::npos &&
                      header.find("\"heads\":{\"dtype\":\"I64\"") != std::string::npos;
    return header.empty() || ours ? std::string_view() : "safetensors weights of a model";
}

/// Names of what the process has open: nothing can be put in their place.
bool isStream(std::string_view name)
{
    constexpr std::array<std::string_view, 4> kStreams = {"-", "/dev/stdin", "/dev/stdout", "/dev/stderr"};
    return std::find(kStreams.begin(), kStreams.end(), name) != kStreams.end() || name.starts_with("/dev/fd/") ||
           name.starts_with("/proc/self/fd/");
}

/// What is there and what it may be replaced for.
Status checkReplaceable(const fs::path& target, const fs::path& place, bool overwrite)
{
    struct stat info = {};
    if (::stat(place.c_str(), &info) != 0)
        return {};
    HEADSCOPE_CHECK(checkRegular(info.st_mode, target));
    if (!overwrite)
        return Error{ErrorCode::WrongUse, "exists already; --overwrite replaces it", target.string(), {}};
    if (const std::string_view weights = weightsIn(place); !weights.empty())
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected a file that may be replaced, found {}: choose another name", weights),
                     target.string(),
                     {}};
    struct stat folder = {};
    const bool keeps = ::stat(folderOf(place).c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 &&
                       ::geteuid() != 0 && info.st_uid != ::geteuid() && folder.st_uid != ::geteuid();
    if (keeps) // as in /tmp: the rename at the end would be refused
        return Error{
            ErrorCode::Resource,
            "this is another user's file, and only its owner may replace it in this folder: choose another name",
            target.string(),
            {}};
    return {};
}

} // namespace

Status checkFolderOf(const fs::path& target)
{
    std::error_code ignored;
    if (const auto folder = folderOf(target); !fs::is_directory(folder, ignored))
        return Error{ErrorCode::Resource, "there is no such folder to write into", folder.string(), {}};
    return {};
}

Status checkRegular(mode_t mode, const fs::path& target)
{
    if (S_ISREG(mode))
        return {};
    if (S_ISDIR(mode))
        return Error{ErrorCode::Resource, "expected a file name to write to, found a folder", target.string(), {}};
    return Error{
        ErrorCode::WrongUse,
        fmt::format("expected the name of a file, found {}: an output is written to a temporary file and then renamed",
                    fileKindName(mode)),
        target.string(),
        {}};
}

Status checkIsNoInput(const fs::path& target, std::span<const fs::path> inputs)
{
    std::error_code ignored;
    for (const fs::path& input : inputs)
        if (fs::equivalent(target, input, ignored))
            return Error{ErrorCode::WrongUse,
                         "the output would replace one of the inputs: choose another name",
                         target.string(),
                         {}};
    return {};
}

bool sameFile(const fs::path& a, const fs::path& b)
{
    if (a.empty() || b.empty())
        return false;
    std::error_code ignored;
    if (fs::equivalent(a, b, ignored))
        return true;
    const fs::path one = fs::weakly_canonical(a, ignored);
    return !one.empty() && one == fs::weakly_canonical(b, ignored);
}

Result<fs::path> placeBehindLinks(const fs::path& target)
{
    constexpr int kMaxLinks = 40; // as the system counts them
    fs::path place = target;
    std::error_code failed;
    for (int links = 0; fs::is_symlink(fs::symlink_status(place, failed)); ++links)
    {
        const fs::path next = fs::read_symlink(place, failed);
        if (failed)
            return systemError(failed.value(), target, "following the link");
        if (links == kMaxLinks)
            return Error{ErrorCode::Resource,
                         "expected a file or a link to a file, found links that form a loop",
                         target.string(),
                         {}};
        place = next.is_absolute() ? next : place.parent_path() / next;
    }
    return place;
}

Status checkOutputPath(const fs::path& target, bool overwrite, std::span<const fs::path> inputs)
{
    HEADSCOPE_CHECK(checkIsNoInput(target, inputs));
    if (isStream(target.native()))
        return checkRegular(S_IFCHR, target); // also where standard output goes into a file
    struct stat info = {};
    if (::stat(target.c_str(), &info) == 0)
        HEADSCOPE_CHECK(checkRegular(info.st_mode, target)); // also behind links of the system, /dev/stdout
    HEADSCOPE_TRY(const fs::path place, placeBehindLinks(target));
    HEADSCOPE_CHECK(checkReplaceable(target, place, overwrite));
    HEADSCOPE_CHECK(checkFolderOf(place));
    const fs::path folder = folderOf(place);
    if (const std::size_t most = longestName(folder), found = place.filename().native().size(); found > most)
        return Error{ErrorCode::Resource,
                     fmt::format("expected a name of at most {} bytes, found {}", most, found),
                     target.string(),
                     {}};
    if (place.filename().empty())
        return Error{ErrorCode::Resource, "expected a file name to write to, found a folder", target.string(), {}};
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return systemError(errno, folder, "writing into this folder");
    return {};
}

fs::path nameBeside(const fs::path& place, std::string_view before, std::string_view behind)
{
    const fs::path folder = folderOf(place);
    std::string name = place.filename().string();
    const std::size_t most = longestName(folder) - before.size() - std::max(behind.size(), kLongestSuffix);
    if (name.size() > most)
    {
        std::size_t end = most;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) // never inside a UTF-8 character
            --end;
        name.resize(end);
    }
    return folder / fmt::format("{}{}{}", before, name, behind);
}

} // namespace headscope
