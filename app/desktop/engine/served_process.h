// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::desktop
{

/// A child process that is talked to by lines: its standard input and output are ours, its standard error is kept for
/// its last words. Nothing of it is passed on to other children. Moves, does not copy.
/// @threads readLine() from one, all others from any
class ServedProcess
{
public:
    /// @errors Resource (it could not be started)
    [[nodiscard]] static Result<ServedProcess> start(const std::filesystem::path& program,
                                                     const std::vector<std::string>& arguments);
    ServedProcess(ServedProcess&& other) noexcept;
    ServedProcess& operator=(ServedProcess&&) = delete;
    ~ServedProcess();

    /// The next line it writes, without its end; waits for it. Nothing: it writes no more.
    [[nodiscard]] std::optional<std::string> readLine();
    /// Writes to its standard input; nothing happens where it does not read any more.
    void write(std::string_view bytes);
    /// Waits until it has ended.
    /// @return  as waitpid tells
    int wait();
    void kill();
    /// Asks it to end, and kills it where it has not ended by itself. For who does not read any more, also while
    /// another thread waits in readLine().
    void end(std::chrono::milliseconds patience);
    [[nodiscard]] pid_t id() const;
    /// The last line that it wrote to standard error, without the program's name.
    [[nodiscard]] std::string lastWords() const;

private:
    struct State;
    explicit ServedProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headscope::desktop
