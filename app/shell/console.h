// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <iosfwd>
#include <string_view>

namespace headscope::shell
{

/// The door through which both programs speak: nothing else writes to standard output and standard error, but for
/// ProgressLine and the log. Text for people goes through escapeControls, since names, labels and paths in it are not
/// ours; JSON through visibleJson. A write that fails is kept until delivered() tells it.
/// @threads one
class Console
{
public:
    /// @param out  standard output, what was asked for; must outlive this
    /// @param err  standard error: sentences; must outlive this
    Console(std::ostream& out, std::ostream& err);

    /// Text for people, with its line ends.
    void print(std::string_view text);
    /// One JSON object; its line end is added.
    void printJson(std::string_view object);
    /// "headscope: SENTENCE" on standard error; a list in it has lines of its own, which begin with two blanks.
    void say(std::string_view sentence);
    /// Whether nothing has failed so far.
    [[nodiscard]] bool isOpen() const { return m_failure == 0; }
    /// Hands everything on.
    /// @return  whether standard output took all of it
    [[nodiscard]] bool delivered();
    /// The exit code of a command that ends with `code`, after all was handed on: that of Resource where standard
    /// output did not take what a command that went well had to say. Why, is said, unless its reader went away (a
    /// pipe into `head`).
    [[nodiscard]] int exitCode(int code);

private:
    void write(std::string_view text);
    void flush();

    std::ostream& m_out;
    std::ostream& m_err;
    int m_failure = 0; ///< errno of the first write that failed
};

} // namespace headscope::shell
