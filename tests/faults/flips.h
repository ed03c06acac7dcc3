// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::faults
{

/// One flipped bit of a sealed file.
struct Flip
{
    std::string region; ///< "numbers from byte 2048", "the rest", "the seal"
    std::size_t at = 0;
};

/// A flip in every region of numbers that the seal leaves out, some in the rest, and some in the seal itself. None in
/// the seal's first word: without it the file is one that another program changed.
/// @throws std::runtime_error: the file has no seal
[[nodiscard]] std::vector<Flip> flipsOf(const std::string& bytes);

[[nodiscard]] std::string flipped(std::string bytes, const Flip& flip);

} // namespace headscope::faults
