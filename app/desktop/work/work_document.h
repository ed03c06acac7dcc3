// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace headscope::desktop
{

/// The content of a work file, X.headscope (model/io/FORMAT.md, section 9): which cache was open, and how the window
/// looked at it. A plain value.
struct WorkDocument
{
    QString cachePath;     ///< absolute, as it was when the work was saved
    QString cacheRelative; ///< from the folder of the work file; "" where there is no such path
    QString identity;      ///< of the cache (CacheInfo::identity)
    QString origin;        ///< of the cache (CacheReader::origin)
    std::int64_t savedMs = 0;
    QJsonObject state;  ///< parts by name: "choice", "selection", "views", ...
    QJsonObject others; ///< keys of the file that this version does not know, written again as they are

    bool operator==(const WorkDocument&) const = default;
};

/// Largest work file that is read, and the deepest nesting.
inline constexpr std::uint64_t kMaxWorkBytes = std::uint64_t{1} << 24;
inline constexpr std::size_t kMaxWorkDepth = 24;

/// The text of a work file: JSON, UTF-8.
[[nodiscard]] QByteArray textOfWork(const WorkDocument& document);

/// Reads the text of a work file. Whatever it holds, nothing but an error comes of it.
/// @param fileName  for errors
/// @errors BadFormat (no JSON, nested too deeply, a key twice, no work file, a field of another kind), Unsupported
///         (of a newer version)
[[nodiscard]] Result<WorkDocument> parseWork(std::string_view text, std::string_view fileName);

/// @errors those of parseWork; FileNotFound, Resource, BadFormat (larger than kMaxWorkBytes)
[[nodiscard]] Result<WorkDocument> readWork(const std::filesystem::path& file);

/// Writes a work file, whole or not at all; the one that was there stays as "FILE~". cacheRelative is made from
/// cachePath.
/// @errors those of writeFileAtomically; InvalidArgument: the file there is work kept next to a cache (HDF5)
/// @cost syncs the disk: to be called on a worker, but where the program ends
[[nodiscard]] Status writeWork(const std::filesystem::path& file, WorkDocument document);

/// Where the cache of a work file is now: next to it as it was, else where it was; "" where neither is there.
[[nodiscard]] QString findCacheOf(const WorkDocument& document, const std::filesystem::path& file);

/// Whether a file is work kept next to a cache: HDF5, whatever its name says.
[[nodiscard]] bool isKeptWork(const std::filesystem::path& file);

} // namespace headscope::desktop
