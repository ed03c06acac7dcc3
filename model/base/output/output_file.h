// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/output/output_path.h"
#include "model/base/output/temporary_path.h"
#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace headscope
{

class File;

/// The one way a file comes into being: it is written under a part name beside its place and put there whole,
/// or nothing changes.
///
/// - A link is followed: what it leads to is replaced or made, the link stays.
/// - Only a regular file is replaced, never one that holds the weights of a model; its permissions are kept.
/// - The part file goes with this object, and when the process is ended by a signal; those of processes that
///   were killed are removed by the next who writes the same file.
/// - File and folder are on the disk before publish() returns.
///
/// Moves, does not copy.
/// @threads one at a time
class OutputFile
{
public:
    /// Makes an empty part file.
    /// @errors those of checkOutputPath with `overwrite`
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& target);
    /// Makes an empty part file at a place of its own on the same file system. It stays unless it is published: what
    /// was written is of worth alone.
    /// @param part  a new name
    /// @errors those of checkOutputPath with `overwrite`; Resource
    [[nodiscard]] static Result<OutputFile> createAt(const std::filesystem::path& target,
                                                     const std::filesystem::path& part);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    /// Removes the part file unless it was published, or made by createAt.
    ~OutputFile();

    /// The file as it was named.
    [[nodiscard]] const std::filesystem::path& target() const { return m_target; }
    /// Where it is written until then; a library may open it by this name.
    [[nodiscard]] const std::filesystem::path& part() const { return m_partPath; }
    /// Adds bytes at the end of the part file.
    /// @errors Resource (a full disk: with what is needed and what is free)
    [[nodiscard]] Status write(std::string_view bytes);
    /// Adds the first `bytes` bytes of a file.
    /// @errors Resource, BadFormat (it is shorter)
    [[nodiscard]] Status writeCopyOf(const File& source, std::uint64_t bytes);
    /// Writes bytes at a place of the part file, which grows as far as is needed.
    /// @errors as write()
    [[nodiscard]] Status writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Waits until the disk has what was written.
    /// @errors Resource
    [[nodiscard]] Status sync();
    /// Puts the part file into its place. Where that fails it is removed, or stays (createAt).
    /// @errors Resource
    [[nodiscard]] Status publish();
    /// Lets the part file go now: it is removed, or stays (createAt).
    void discard();

private:
    OutputFile(std::filesystem::path target, std::filesystem::path place, std::filesystem::path part, int descriptor);
    [[nodiscard]] Status putInPlace();

    std::filesystem::path m_target;
    std::filesystem::path m_place; ///< behind links
    std::filesystem::path m_partPath;
    TemporaryPath m_part; ///< the same, where it goes with this object
    int m_descriptor = -1;
};

/// Writes a file whole or not at all.
/// @errors those of OutputFile
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& target, std::string_view contents);

/// Adds bytes at the end of a file of our own that only grows (it is made where it is missing), in one piece, and
/// waits until the disk has them.
/// @param doing  for the error: "adding a line"
/// @errors Resource
[[nodiscard]] Status appendToFile(const std::filesystem::path& path, std::string_view bytes, std::string_view doing);

} // namespace headscope
