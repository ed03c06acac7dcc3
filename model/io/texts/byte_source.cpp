// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/byte_source.h"

#include "model/base/file.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

class FileSource : public ByteSource
{
public:
    explicit FileSource(File file) : m_file(std::move(file)) {}

    Result<std::size_t> read(std::span<std::byte> into) override
    {
        const std::uint64_t left = m_file.size() - m_offset;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, into.size()));
        HEADSCOPE_CHECK(m_file.readAt(m_offset, into.first(count)));
        m_offset += count;
        return count;
    }
    [[nodiscard]] std::string name() const { return m_file.path().string(); }

private:
    File m_file;
    std::uint64_t m_offset = 0;
};

/// What both ways of unpacking share: a buffer of packed bytes.
class PackedSource : public ByteSource
{
protected:
    explicit PackedSource(FileSource file) : m_file(std::move(file)), m_packed(kBufferBytes) {}

    /// Reads the next packed bytes when all were used; false at the end of the file.
    [[nodiscard]] Result<bool> more()
    {
        if (m_used < m_filled)
            return true;
        HEADSCOPE_TRY(m_filled, m_file.read(m_packed));
        m_used = 0;
        return m_filled > 0;
    }
    [[nodiscard]] Error damaged(std::string_view what) const
    {
        return {ErrorCode::BadFormat, std::string(what), m_file.name(), {}};
    }

    FileSource m_file;
    std::vector<std::byte> m_packed;
    std::size_t m_used = 0;
    std::size_t m_filled = 0;
};

class GzipSource : public PackedSource
{
public:
    explicit GzipSource(FileSource file) : PackedSource(std::move(file))
    {
        constexpr int kGzipWindow = 15 + 16; // the largest window; gzip's own header
        m_ready = inflateInit2(&m_stream, kGzipWindow) == Z_OK;
    }
    ~GzipSource() override { inflateEnd(&m_stream); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    Result<std::size_t> read(std::span<std::byte> into) override
    {
        if (!m_ready)
            return Error{
                ErrorCode::OutOfMemory, "decompressing needs more memory than is available", m_file.name(), {}};
        m_stream.next_out = reinterpret_cast<Bytef*>(into.data());
        m_stream.avail_out = static_cast<uInt>(into.size());
        while (m_stream.avail_out == into.size() && !into.empty())
        {
            HEADSCOPE_TRY(const bool left, more());
            if (!left)
            {
                if (m_inMember)
                    return damaged("expected more compressed data, found the end of the file: it is truncated");
                return std::size_t{0};
            }
            m_stream.next_in = reinterpret_cast<Bytef*>(m_packed.data() + m_used);
            m_stream.avail_in = static_cast<uInt>(m_filled - m_used);
            m_inMember = true;
            const int rc = inflate(&m_stream, Z_NO_FLUSH);
            m_used = m_filled - m_stream.avail_in;
            if (rc == Z_STREAM_END) // perhaps another member follows
            {
                m_inMember = false;
                inflateReset(&m_stream);
            }
            else if (rc != Z_OK && rc != Z_BUF_ERROR)
                return damaged(fmt::format("expected gzip data, found {}",
                                           m_stream.msg != nullptr ? m_stream.msg : "something else"));
        }
        return into.size() - m_stream.avail_out;
    }

private:
    z_stream m_stream = {};
    bool m_ready = false;
    bool m_inMember = false;
};

class ZstdSource : public PackedSource
{
public:
    explicit ZstdSource(FileSource file) : PackedSource(std::move(file)) {}

    Result<std::size_t> read(std::span<std::byte> into) override
    {
        ZSTD_outBuffer out = {into.data(), into.size(), 0};
        while (out.pos == 0 && !into.empty())
        {
            HEADSCOPE_TRY(const bool left, more());
            // What is buffered inside may still come out when the file has ended.
            ZSTD_inBuffer in = {m_packed.data(), left ? m_filled : 0, left ? m_used : 0};
            if (!left && m_expected == 0)
                return std::size_t{0};
            const std::size_t rc = ZSTD_decompressStream(m_stream.get(), &out, &in);
            if (ZSTD_isError(rc) != 0)
                return damaged(fmt::format("expected zstd data, found: {}", ZSTD_getErrorName(rc)));
            if (left)
                m_used = in.pos;
            m_expected = rc;
            if (!left && out.pos == 0)
                return damaged("expected more compressed data, found the end of the file: it is truncated");
        }
        return out.pos;
    }

private:
    struct Freer
    {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Freer> m_stream{ZSTD_createDStream()};
    std::size_t m_expected = 0; ///< 0 where a frame ended
};

} // namespace

Result<std::unique_ptr<ByteSource>> openByteSource(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(File file, File::openForReading(path));
    FileSource plain(std::move(file));
    if (path.extension() == ".gz")
        return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(plain)));
    if (path.extension() == ".zst")
        return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(plain)));
    return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(std::move(plain)));
}

ByteReader::ByteReader(std::unique_ptr<ByteSource> source, std::string name)
    : m_source(std::move(source)), m_name(std::move(name))
{}

void ByteReader::fail(Error error)
{
    m_status = std::move(error).inFile(m_name);
    m_ended = true;
    m_buffer.clear();
    m_at = 0;
}

bool ByteReader::fill()
{
    if (m_at < m_buffer.size())
        return true;
    if (m_ended)
        return false;
    m_buffer.resize(kBufferBytes);
    m_at = 0;
    auto count = m_source->read(std::as_writable_bytes(std::span(m_buffer)));
    if (!count)
    {
        fail(std::move(count).error());
        return false;
    }
    m_buffer.resize(*count);
    m_ended = *count == 0;
    if (!m_started)
    {
        m_started = true;
        if (m_buffer.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
        else if (m_buffer.starts_with("\xFF\xFE") || m_buffer.starts_with("\xFE\xFF"))
        {
            fail({ErrorCode::BadFormat, "expected text in UTF-8, found UTF-16", {}, {}});
            return false;
        }
        return fill();
    }
    return !m_ended;
}

int ByteReader::peek()
{
    return fill() ? static_cast<unsigned char>(m_buffer[m_at]) : -1;
}

int ByteReader::get()
{
    if (!fill())
        return -1;
    const char c = m_buffer[m_at++];
    m_line += c == '\n' ? 1 : 0;
    return static_cast<unsigned char>(c);
}

bool ByteReader::line(std::string& into)
{
    into.clear();
    bool any = false;
    while (fill())
    {
        any = true;
        const std::size_t end = m_buffer.find('\n', m_at);
        const std::size_t count = (end == std::string::npos ? m_buffer.size() : end) - m_at;
        into.append(m_buffer, m_at, count);
        m_at += count;
        if (into.size() > kMaxRecordBytes)
        {
            fail({ErrorCode::BadFormat,
                  "expected lines of at most 64 MiB, found a longer one",
                  {},
                  fmt::format("line {}", m_line)});
            return false;
        }
        if (end != std::string::npos)
        {
            ++m_at;
            ++m_line;
            break;
        }
    }
    if (into.ends_with('\r'))
        into.pop_back();
    return any && m_status.has_value();
}

void ByteReader::rest(std::string& into)
{
    into.clear();
    while (fill() && into.size() <= kMaxRecordBytes)
    {
        into.append(m_buffer, m_at);
        m_at = m_buffer.size();
    }
    if (into.size() > kMaxRecordBytes)
        fail({ErrorCode::BadFormat, "expected a text of at most 64 MiB, found a longer one", {}, {}});
}

Status ByteReader::status() const
{
    return m_status;
}

} // namespace headscope
