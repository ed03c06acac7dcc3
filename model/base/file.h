// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headscope
{

/// An Error from the operating system's errno: FileNotFound, Resource (no space, no permission,
/// read error), with the system's own words.
[[nodiscard]] Error systemError(int number, const std::filesystem::path& path, std::string_view doing);

/// A file opened for reading at any place. Moves, does not copy.
/// @threads readAt from any number of threads at once
class File
{
public:
    /// @errors FileNotFound, Resource, BadFormat (a folder)
    [[nodiscard]] static Result<File> openForReading(const std::filesystem::path& path);

    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Size in bytes when the file was opened.
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// Fills `into` from `offset`.
    /// @errors BadFormat (the file ends before: it shrank since it was opened), Resource
    [[nodiscard]] Status readAt(std::uint64_t offset, std::span<std::byte> into) const;
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    File(std::filesystem::path path, int descriptor, std::uint64_t size);

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0;
};

/// A read-only memory map of a whole file (empty files map to an empty span).
///
/// A page that is gone because the file shrank reads as zeros (vanished_pages.h), so check unchanged() before using
/// what was read.
class MappedFile
{
public:
    [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    /// Whether size and modification time are still those of the opening.
    [[nodiscard]] bool unchanged() const;

private:
    MappedFile() = default;

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    std::int64_t m_modifiedNs = 0;
};

/// The whole text of a small file.
/// @errors FileNotFound, Resource, BadFormat (larger than maxBytes)
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path,
                                               std::uint64_t maxBytes = std::uint64_t{1} << 30);

/// A name beside `target` under which a file is written before it is published.
[[nodiscard]] std::filesystem::path partPath(const std::filesystem::path& target);

/// Makes a finished part file visible: syncs it, renames it over `target`, syncs the folder.
/// On failure the part file is removed and target is as before.
/// @errors Resource
[[nodiscard]] Status publishFile(const std::filesystem::path& part, const std::filesystem::path& target);

/// Refuses a target whose folder does not exist, and names the folder.
/// @errors Resource
[[nodiscard]] Status checkFolderOf(const std::filesystem::path& target);

/// Writes a small file whole or not at all, by partPath and publishFile.
/// @errors Resource
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& target, std::string_view contents);

/// Refuses a target that is one of the inputs, also by another name (a link): it would be replaced by
/// its own result.
/// @errors WrongUse
[[nodiscard]] Status checkIsNoInput(const std::filesystem::path& target, std::span<const std::filesystem::path> inputs);

/// Refuses a target that exists (unless overwrite), is a folder, is one of the inputs (also with
/// overwrite, also by another name), or lies in a folder that cannot be written, before any work is
/// done for it.
/// @errors WrongUse (exists, is an input), Resource
[[nodiscard]] Status checkOutputPath(const std::filesystem::path& target, bool overwrite,
                                     std::span<const std::filesystem::path> inputs = {});

} // namespace headscope
