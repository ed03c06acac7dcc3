// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/closest_word.h"

#include "app/shell/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope::shell
{
namespace
{

/// The distance of Damerau and Levenshtein in which no letter is changed twice.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::exchange(last, std::move(row));
    }
    return last.back();
}

} // namespace

std::string_view closestWord(std::string_view typed, std::span<const std::string_view> known)
{
    constexpr std::size_t kLetters = 3; // for each letter that may differ
    std::size_t least = typed.size() / kLetters + 1;
    std::string_view closest;
    for (const std::string_view word : known)
    {
        const std::size_t distance = editDistance(typed, word);
        if (distance >= least)
            continue;
        least = distance;
        closest = word;
    }
    return closest;
}

std::string didYouMean(std::string_view typed, std::span<const std::string_view> known)
{
    const std::string_view word = closestWord(typed, known);
    return word.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", word);
}

std::string didYouMeanVerb(std::string_view typed)
{
    std::vector<std::string_view> names;
    for (const VerbName& verb : allVerbs())
        names.push_back(verb.name);
    return didYouMean(typed, names);
}

} // namespace headscope::shell
