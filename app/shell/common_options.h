// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{

/// Options that mean the same for every verb (app/INTERFACE.md, section 1).
struct CommonOptions
{
    int threads = 0; ///< 0: the physical cores
    std::uint64_t seed = 1;
    bool json = false;
    std::string progress = "auto"; ///< auto: a line of the terminal if stderr is one; json: JSON lines; off
    bool overwrite = false;

    /// Declares --threads, --seed, --json, --progress and --overwrite.
    void declare(Fields& table);
    /// Threads to use, at least 1.
    [[nodiscard]] int numThreads() const;

    friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

} // namespace headscope::shell
