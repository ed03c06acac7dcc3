// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/file_seal.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/output_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
namespace
{

constexpr std::string_view kMagic = "HSSEAL1 ";
constexpr std::size_t kFooterBytes = 64;
constexpr std::size_t kDigestDigits = 32;
constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;

struct Seal
{
    std::uint64_t size = 0; ///< of the file without the seal
    std::vector<FileRegion> uncovered;
    std::string digest;
};

Error damaged(const std::filesystem::path& path, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), {}};
}

std::string digestOfText(std::string_view text)
{
    return xxh3Hex(std::as_bytes(std::span(text)));
}

/// Digest of [0, size) without the regions.
Result<std::string> digestAround(const File& file, std::uint64_t size, const std::vector<FileRegion>& uncovered,
                                 JobContext& job)
{
    constexpr std::uint64_t kPiece = std::uint64_t{4} << 20;
    Xxh3 hash;
    std::vector<std::byte> buffer;
    const auto add = [&](std::uint64_t begin, std::uint64_t end) -> Status {
        while (begin < end)
        {
            HEADSCOPE_CHECK(job.checkStop());
            buffer.resize(static_cast<std::size_t>(std::min(kPiece, end - begin)));
            HEADSCOPE_CHECK(file.readAt(begin, buffer));
            hash.update(buffer);
            begin += buffer.size();
        }
        return {};
    };
    std::uint64_t at = 0;
    for (const FileRegion& region : uncovered)
    {
        HEADSCOPE_CHECK(add(at, region.offset));
        at = region.offset + region.size;
    }
    HEADSCOPE_CHECK(add(at, size));
    return hash.hex();
}

/// The number after `key` in a body, leaving the rest behind it.
std::optional<std::uint64_t> numberAt(std::string_view& text, std::string_view key)
{
    if (!text.starts_with(key))
        return std::nullopt;
    text.remove_prefix(key.size());
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{})
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<Seal> parseBody(std::string_view body)
{
    Seal seal;
    const auto size = numberAt(body, "size=");
    if (!size)
        return std::nullopt;
    seal.size = *size;
    std::string_view key = " regions=";
    std::uint64_t last = 0;
    while (body.starts_with(key) && !body.starts_with(" regions= "))
    {
        const auto offset = numberAt(body, key);
        const auto length = offset ? numberAt(body, "+") : std::nullopt;
        if (!length || *offset < last || *length > seal.size || *offset > seal.size - *length)
            return std::nullopt;
        seal.uncovered.push_back({*offset, *length});
        last = *offset + *length;
        key = ",";
    }
    const auto at = body.find(" digest=");
    if (at == std::string_view::npos)
        return std::nullopt;
    seal.digest = body.substr(at + 8, kDigestDigits);
    return seal;
}

/// The last bytes of a sealed file: where its body is and what it must hash to.
std::string footerOf(std::string_view body)
{
    const std::string words = fmt::format("{}{:08} {}", kMagic, body.size(), digestOfText(body));
    return fmt::format("{:<{}}\n", words, kFooterBytes - 1);
}

/// The seal at the end of a file; nothing where there is none.
Result<std::optional<Seal>> readSeal(const File& file)
{
    std::string footer(kFooterBytes, '\0');
    if (file.size() < kFooterBytes)
        return std::optional<Seal>();
    HEADSCOPE_CHECK(file.readAt(file.size() - kFooterBytes, std::as_writable_bytes(std::span(footer))));
    std::string_view rest = footer;
    if (!footer.starts_with(kMagic))
        return std::optional<Seal>();
    const auto length = numberAt(rest, kMagic);
    if (!length || *length > kMaxBodyBytes || *length > file.size() - kFooterBytes || rest.size() < kDigestDigits + 1)
        return damaged(file.path(), "the seal of this cache is not valid: the file is damaged");
    std::string body(static_cast<std::size_t>(*length), '\0');
    HEADSCOPE_CHECK(file.readAt(file.size() - kFooterBytes - *length, std::as_writable_bytes(std::span(body))));
    auto seal = parseBody(body);
    if (footer != footerOf(body) || !seal || seal->size != file.size() - kFooterBytes - *length)
        return damaged(file.path(), "the seal of this cache is not valid: the file is damaged");
    return seal;
}

} // namespace

Status sealFile(const std::filesystem::path& path, const std::vector<FileRegion>& uncovered, JobContext& job)
{
    std::string trailer;
    {
        HEADSCOPE_TRY(const File file, File::openForReading(path));
        HEADSCOPE_TRY(const std::string digest, digestAround(file, file.size(), uncovered, job));
        std::string regions;
        for (const FileRegion& region : uncovered)
            regions += fmt::format("{}{}+{}", regions.empty() ? "" : ",", region.offset, region.size);
        const std::string body = fmt::format("size={} regions={} digest={}\n", file.size(), regions, digest);
        trailer = body + footerOf(body);
    }
    return appendToFile(path, trailer, "writing the seal");
}

Result<CheckedSeal> checkSeal(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    HEADSCOPE_TRY(std::optional<Seal> seal, readSeal(file));
    if (!seal)
        return CheckedSeal{};
    HEADSCOPE_TRY(const std::string digest, digestAround(file, seal->size, seal->uncovered, job));
    if (digest != seal->digest)
        return damaged(path, "the bytes of the file do not match its seal: the file is damaged");
    return CheckedSeal{SealState::Good, std::move(seal->uncovered)};
}

Result<std::uint64_t> sizeWithoutSeal(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    HEADSCOPE_TRY(const std::optional<Seal> seal, readSeal(file));
    return seal ? seal->size : file.size();
}

} // namespace headscope
