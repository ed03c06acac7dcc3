// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/file.h"
#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// Where a parser takes its bytes from: a file, or memory in tests and fuzzers.
class SeekableSource
{
public:
    SeekableSource() = default;
    SeekableSource(const SeekableSource&) = delete;
    SeekableSource& operator=(const SeekableSource&) = delete;
    virtual ~SeekableSource() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Fills `into` from `offset`; the caller asks only for bytes below size().
    /// @errors BadFormat (the source ended before), Resource
    [[nodiscard]] virtual Status readAt(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

/// Bytes in memory, which outlive the source.
class SpanSource : public SeekableSource
{
public:
    explicit SpanSource(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] Status readAt(std::uint64_t offset, std::span<std::byte> into) const override;

private:
    std::span<const std::byte> m_bytes;
};

/// An open file, which outlives the source.
class FileSource : public SeekableSource
{
public:
    explicit FileSource(const File& file) : m_file(file) {}
    [[nodiscard]] std::uint64_t size() const override { return m_file.size(); }
    [[nodiscard]] Status readAt(std::uint64_t offset, std::span<std::byte> into) const override;

private:
    const File& m_file;
};

/// Reads a source from front to back through a small window, little-endian.
/// @threads one at a time
class SourceReader
{
public:
    explicit SourceReader(const SeekableSource& source);

    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t remaining() const { return m_size - m_position; }

    /// The next bytes.
    /// @errors BadFormat (fewer remain: "expected N bytes at byte P, found M"), those of the source
    [[nodiscard]] Status read(std::span<std::byte> into);

    template <class T>
    [[nodiscard]] Result<T> number()
    {
        T value{};
        HEADSCOPE_CHECK(read(std::as_writable_bytes(std::span(&value, 1))));
        return value;
    }

private:
    const SeekableSource& m_source;
    std::uint64_t m_size = 0;
    std::uint64_t m_position = 0;
    std::uint64_t m_windowStart = 0;
    std::vector<std::byte> m_window;
};

} // namespace headscope
