// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{

/// The paper of a figure that becomes a panel of another one.
struct PanelPaper
{
    double widthInches = 3; ///< with the margins that a figure of its own would have
    double scale = 1;       ///< of what is measured in points
    bool outlines = false;  ///< letters are shapes

    friend bool operator==(const PanelPaper&, const PanelPaper&) = default;
};

/// Options that mean the same for every verb (app/INTERFACE.md, section 1).
struct CommonOptions
{
    int threads = 0; ///< 0: the physical cores
    std::uint64_t seed = 1;
    bool json = false;
    std::string progress = "auto"; ///< auto: a line of the terminal if stderr is one; json: JSON lines; off
    bool overwrite = false;

    /// Nobody types these: `figure` has verbs draw again.
    std::optional<PanelPaper> panel{}; ///< the figure is handed over in the answer in place of being written
    std::string recipe{};              ///< goes into the figure as it is: what is made again unchanged is equal

    /// Declares --threads, --seed, --json, --progress and --overwrite.
    void declare(Fields& table);
    /// Threads to use, at least 1.
    [[nodiscard]] int numThreads() const;

    friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

} // namespace headscope::shell
