// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/console.h"

#include "model/base/escape_controls.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <ostream>
#include <string>
#include <system_error>

namespace headscope::shell
{
namespace
{

/// A sentence in one line; only a list in it ("\n  1. ...") keeps its lines, so that no name can pretend to be another
/// sentence.
std::string oneOrListed(const std::string& sentence)
{
    constexpr std::string_view kIndent = "  ";
    std::string text;
    for (std::size_t at = 0; at < sentence.size(); ++at)
    {
        if (sentence[at] == '\n' && sentence.compare(at + 1, kIndent.size(), kIndent) != 0)
            text += "\\n";
        else
            text += sentence[at];
    }
    return text;
}

} // namespace

Console::Console(std::ostream& out, std::ostream& err) : m_out(out), m_err(err) {}

void Console::write(std::string_view text)
{
    errno = 0;
    m_out << text;
    if (!m_out && m_failure == 0)
        m_failure = errno != 0 ? errno : EIO;
}

void Console::print(std::string_view text)
{
    write(escapeControls(text));
}

void Console::printJson(std::string_view object)
{
    write(visibleJson(object));
    write("\n");
    flush();
}

void Console::say(std::string_view sentence)
{
    m_err << fmt::format("headscope: {}\n", oneOrListed(escapeControls(sentence))) << std::flush;
}

void Console::flush()
{
    errno = 0;
    m_out.flush();
    if (!m_out && m_failure == 0)
        m_failure = errno != 0 ? errno : EIO;
}

bool Console::delivered()
{
    flush();
    return m_failure == 0;
}

int Console::exitCode(int code)
{
    if (delivered())
        return code;
    if (m_failure != EPIPE)
        say(fmt::format("standard output: writing failed: {}", std::system_category().message(m_failure)));
    return code == 0 ? headscope::exitCode(ErrorCode::Resource) : code;
}

} // namespace headscope::shell
