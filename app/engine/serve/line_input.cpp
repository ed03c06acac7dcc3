// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/line_input.h"

#include "model/base/file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace headscope::engine
{

void LineInput::endLine()
{
    m_lines.push_back(std::exchange(m_line, {}));
}

Result<bool> LineInput::read()
{
    std::array<char, std::size_t{64} << 10> bytes{};
    ssize_t count = 0;
    do
        count = ::read(m_descriptor, bytes.data(), bytes.size());
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return systemError(errno, "standard input", "reading");
    if (count == 0)
    {
        if (!m_line.text.empty() || m_line.isTooLong)
            endLine();
        return false;
    }
    std::string_view rest(bytes.data(), static_cast<std::size_t>(count));
    while (!rest.empty())
    {
        const auto end = rest.find('\n');
        const std::string_view piece = rest.substr(0, end);
        if (m_line.isTooLong || m_line.text.size() + piece.size() > m_mostBytes)
            m_line = {{}, true};
        else
            m_line.text += piece;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (end != std::string_view::npos)
            endLine();
    }
    return true;
}

std::deque<LineInput::Line> LineInput::takeLines()
{
    return std::exchange(m_lines, {});
}

} // namespace headscope::engine
