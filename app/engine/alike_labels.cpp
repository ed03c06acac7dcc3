// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/alike_labels.h"

#include "model/tokenize/unicode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

namespace headscope::engine
{
namespace
{

/// What people see of a label: its compatible form, each run of blanks as one, none at the ends.
std::string seenAs(const std::string& label)
{
    const std::string form = tokenize::normalized(label, tokenize::NormalForm::Nfkc); // makes all blanks spaces
    std::string seen;
    for (const char c : form)
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            seen += c;
        else if (!seen.empty() && seen.back() != ' ')
            seen += ' ';
    if (seen.ends_with(' '))
        seen.pop_back();
    return seen;
}

} // namespace

std::string alikeLabels(const LabelColumn& column)
{
    constexpr std::size_t kShown = 3;
    std::map<std::string, std::vector<std::string>> bySight;
    for (const std::string& label : column.categories)
        bySight[seenAs(label)].push_back(label);
    std::size_t groups = 0;
    std::vector<std::string> shown;
    for (const auto& [seen, labels] : bySight)
    {
        if (labels.size() < 2)
            continue;
        ++groups;
        if (shown.size() < kShown)
            shown.push_back(fmt::format("{} times \"{}\"", labels.size(), seen));
    }
    if (groups == 0)
        return {};
    return fmt::format("labels of \"{}\" differ by blanks or Unicode normalisation alone ({}{}) and stay apart; "
                       "--label-map merges them",
                       column.name, fmt::join(shown, ", "), groups > kShown ? ", ..." : "");
}

} // namespace headscope::engine
