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
    /// Never waits: a pipe, a socket, a device is refused before it is opened.
    /// @errors FileNotFound, Resource, BadFormat (no regular file)
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

} // namespace headscope
