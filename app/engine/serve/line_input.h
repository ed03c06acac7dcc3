// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <deque>
#include <string>

namespace headscope::engine
{

/// Lines from a descriptor, of bounded length: of a longer one nothing is kept but that it was there.
/// @threads one
class LineInput
{
public:
    struct Line
    {
        std::string text; ///< without its end; empty where it was too long
        bool isTooLong = false;
    };

    /// @param descriptor  read from, not closed
    /// @param mostBytes   of a line without its end
    LineInput(int descriptor, std::size_t mostBytes) : m_descriptor(descriptor), m_mostBytes(mostBytes) {}

    /// Reads what is there, and waits only where nothing is. A last line without an end is one, too.
    /// @return  false: the input has ended
    /// @errors Resource
    [[nodiscard]] Result<bool> read();
    /// The lines that were completed since the last call.
    [[nodiscard]] std::deque<Line> takeLines();

private:
    void endLine();

    int m_descriptor;
    std::size_t m_mostBytes;
    Line m_line; ///< that is being read
    std::deque<Line> m_lines;
};

} // namespace headscope::engine
