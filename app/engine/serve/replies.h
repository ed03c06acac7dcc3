// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{
class Console;
}

namespace headscope::engine
{

inline constexpr int kProtocolVersion = 1;

/// Bytes of this process that lie in memory now; 0 where the system does not tell.
[[nodiscard]] std::uint64_t residentBytes();

/// What `serve` writes: one JSON object a line.
/// @threads any
class Replies
{
public:
    /// @param weightBytes  of the weights that are loaded, for the memory that every reply carries; from any thread
    Replies(shell::Console& console, std::function<std::uint64_t()> weightBytes);

    /// {"protocol", "version"}: the first line.
    void hello(std::string_view version);
    /// {"id", "result", "memory"}.
    /// @param id, result  JSON
    void result(std::string_view id, std::string_view result, const std::vector<std::string>& notices = {});
    /// {"id", "error", "memory"}.
    void error(std::string_view id, const Error& error, const std::vector<std::string>& notices = {});
    /// {"id", "progress"}.
    void progress(std::string_view id, const Progress& progress);
    /// {"id", "notice"}.
    void notice(std::string_view id, std::string_view sentence);
    /// {"event", "memory"}.
    void event(std::string_view name);
    /// Whether the reader takes them.
    [[nodiscard]] bool isOpen() const { return m_open; }

private:
    void write(const std::string& line);
    [[nodiscard]] std::string memory() const;

    shell::Console& m_console;
    std::function<std::uint64_t()> m_weightBytes;
    std::mutex m_mutex;
    std::atomic<bool> m_open = true;
};

} // namespace headscope::engine
