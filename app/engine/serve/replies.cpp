// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/replies.h"

#include "app/shell/console.h"
#include "app/shell/progress_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <fstream>
#include <utility>

namespace headscope::engine
{
namespace
{

using Json = nlohmann::ordered_json;

std::string textOf(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string noticesField(const std::vector<std::string>& notices)
{
    return notices.empty() ? std::string() : fmt::format(",\"notices\":{}", textOf(Json(notices)));
}

} // namespace

std::uint64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    std::uint64_t resident = 0;
    if (!(file >> pages >> resident))
        return 0;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Replies::Replies(shell::Console& console, std::function<std::uint64_t()> weightBytes)
    : m_console(console), m_weightBytes(std::move(weightBytes))
{}

void Replies::write(const std::string& line)
{
    const std::lock_guard lock(m_mutex);
    m_console.printJson(line);
    m_open = m_console.isOpen();
}

std::string Replies::memory() const
{
    return fmt::format("\"memory\":{{\"resident\":{},\"weights\":{}}}", residentBytes(), m_weightBytes());
}

void Replies::hello(std::string_view version)
{
    write(fmt::format("{{\"protocol\":{},\"version\":{}}}", kProtocolVersion, textOf(Json(version))));
}

void Replies::result(std::string_view id, std::string_view result, const std::vector<std::string>& notices)
{
    write(fmt::format("{{\"id\":{},\"result\":{}{},{}}}", id, result, noticesField(notices), memory()));
}

void Replies::error(std::string_view id, const Error& error, const std::vector<std::string>& notices)
{
    const Json object = {
        {"code", errorCodeName(error.code)}, {"message", error.message}, {"file", error.file}, {"place", error.place}};
    write(fmt::format("{{\"id\":{},\"error\":{}{},{}}}", id, textOf(object), noticesField(notices), memory()));
}

void Replies::progress(std::string_view id, const Progress& progress)
{
    write(fmt::format("{{\"id\":{},\"progress\":{}}}", id, shell::progressJson(progress)));
}

void Replies::notice(std::string_view id, std::string_view sentence)
{
    write(fmt::format("{{\"id\":{},\"notice\":{}}}", id, textOf(Json(sentence))));
}

void Replies::event(std::string_view name)
{
    write(fmt::format("{{\"event\":{},{}}}", textOf(Json(name)), memory()));
}

} // namespace headscope::engine
