// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/seekable_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace headscope
{

Status SpanSource::readAt(std::uint64_t offset, std::span<std::byte> into) const
{
    if (offset > m_bytes.size() || into.size() > m_bytes.size() - offset)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} bytes at byte {}, found {} bytes in the whole file", into.size(), offset,
                                 m_bytes.size()),
                     {},
                     {}};
    if (!into.empty())
        std::memcpy(into.data(), m_bytes.data() + offset, into.size());
    return {};
}

Status FileSource::readAt(std::uint64_t offset, std::span<std::byte> into) const
{
    return m_file.readAt(offset, into);
}

SourceReader::SourceReader(const SeekableSource& source) : m_source(source), m_size(source.size()) {}

Status SourceReader::read(std::span<std::byte> into)
{
    constexpr std::uint64_t kWindow = 1U << 16;
    if (into.size() > remaining())
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} more bytes at byte {}, found {} before the end of the file", into.size(),
                                 m_position, remaining()),
                     {},
                     {}};
    while (!into.empty())
    {
        const auto windowEnd = m_windowStart + m_window.size();
        if (m_position < m_windowStart || m_position >= windowEnd)
        {
            if (into.size() >= kWindow) // no need to copy twice
            {
                HEADSCOPE_CHECK(m_source.readAt(m_position, into));
                m_position += into.size();
                return {};
            }
            m_window.resize(static_cast<std::size_t>(std::min(kWindow, remaining())));
            m_windowStart = m_position;
            HEADSCOPE_CHECK(m_source.readAt(m_position, m_window));
        }
        const auto skip = static_cast<std::size_t>(m_position - m_windowStart);
        const auto count = std::min(into.size(), m_window.size() - skip);
        std::memcpy(into.data(), m_window.data() + skip, count);
        m_position += count;
        into = into.subspan(count);
    }
    return {};
}

} // namespace headscope
