// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace headscope
{

/// Bytes that come one after another: of a file, or unpacked while they are read.
class ByteSource
{
public:
    virtual ~ByteSource() = default;
    /// Fills `into` from its start.
    /// @return  bytes given, 0 at the end
    /// @errors  Resource (read error), BadFormat (a compressed stream that is damaged or ends early)
    [[nodiscard]] virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
};

/// The bytes of a file; those ending in .gz and .zst are unpacked (several members one after another too).
/// @errors FileNotFound, Resource, BadFormat (a folder)
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openByteSource(const std::filesystem::path& path);

/// The most bytes of one record: a line of JSONL or of a .txt, an element of a JSON array, a row of CSV, a text file.
/// A packed file of a few MB can unpack to a thousand times as much; the longest documents known (whole code bases in
/// one text) take a few MB.
constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

/// Reads bytes with a look at the next one, and counts lines. A byte-order mark of UTF-8 at the
/// start is skipped.
class ByteReader
{
public:
    /// @param name  of the file, for errors
    ByteReader(std::unique_ptr<ByteSource> source, std::string name);

    /// The next byte as 0..255, or -1 at the end or after an error.
    [[nodiscard]] int peek();
    int get();
    /// Bytes up to the next '\n', which is taken but not added, nor a '\r' before it.
    /// @return  whether there was anything, be it an empty line
    [[nodiscard]] bool line(std::string& into);
    /// Everything that is left.
    void rest(std::string& into);

    /// Line of the byte that get() gives next, from 1.
    [[nodiscard]] std::int64_t lineNumber() const { return m_line; }
    /// Counts a line whose end is not '\n'.
    void countLine() { ++m_line; }
    /// The failure that ended the bytes, if there was one; asked after every end.
    /// @errors those of the source; BadFormat (UTF-16, a line or rest of more than kMaxRecordBytes)
    [[nodiscard]] Status status() const;
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    [[nodiscard]] bool fill();
    void fail(Error error);

    std::unique_ptr<ByteSource> m_source;
    std::string m_name;
    std::string m_buffer;
    std::size_t m_at = 0;
    std::int64_t m_line = 1;
    bool m_started = false;
    bool m_ended = false;
    Status m_status;
};

} // namespace headscope
