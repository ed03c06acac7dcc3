// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/copied_command.h"

#include "app/desktop/shell/study.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>

namespace headscope::desktop
{

std::string documentRows(const std::vector<std::int64_t>& documents)
{
    std::string rows;
    for (std::size_t first = 0; first < documents.size();)
    {
        std::size_t end = first + 1;
        while (end < documents.size() && documents[end] == documents[end - 1] + 1)
            ++end;
        rows += fmt::format("{}{}", rows.empty() ? "" : ",", documents[first]);
        if (end - first > 1)
            rows += fmt::format("-{}", documents[end - 1]);
        first = end;
    }
    return rows;
}

std::string chosenHeads(const Study& study)
{
    return study.allHeads() || study.heads().empty() ? std::string() : formatHeadRanges(study.heads());
}

} // namespace headscope::desktop
