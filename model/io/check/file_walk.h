// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope::check
{

/// What is wrong with a file.
struct Finding
{
    enum class Kind
    {
        None,
        Damaged,
        System, ///< the disk or the machine failed, not the file
        Memory,
    };
    Kind kind = Kind::None;
    int systemNumber = 0; ///< errno, of System
    std::string place;    ///< path of the object, "" for the file as a whole
    std::string reason;
};

/// Opens a file and does all that Hdf5Reader can do with it later: follows every path link by link, opens
/// every group and dataset, reads every single value among the attributes, every string and every chunk, and the
/// first and last row of numbers that lie in one piece, in each number type that is asked for.
///
/// May crash, never end, or take any amount of memory: it is run where that does no harm.
/// @param fileBytes  size of the file, which bounds what can be in it
/// @cost  the reading of what is not plain numbers in one piece
[[nodiscard]] Finding walkFile(const char* path, std::uint64_t fileBytes);

} // namespace headscope::check
