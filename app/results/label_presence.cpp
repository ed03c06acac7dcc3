// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/label_presence.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{

std::string presentText(const LabelPresence& labels, std::span<const std::int64_t> k, std::int64_t topics)
{
    if (labels.present == 0)
        return {};
    std::string text;
    if (labels.present < topics)
    {
        text =
            fmt::format("Only {} of the {} topics {} among these documents. Guessing among these topics is correct in",
                        labels.present, topics, labels.present == 1 ? "occurs" : "occur");
        for (std::size_t each = 0; each < k.size(); ++each)
            text += fmt::format("{} {:.3f} (top {})", each == 0 ? "" : ",", labels.chance(k[each]), k[each]);
        text += ".\n";
    }
    if (labels.single > 0)
        text += fmt::format("{} of these labels {} only one document.\n", labels.single,
                            labels.single == 1 ? "has" : "have");
    return text;
}

std::string majorityText(const LabelPresence& labels)
{
    if (!labels.isUnequal())
        return {};
    return fmt::format(
        "The labels have unequal sizes. Always predicting the most common label is correct for {:.3f} of the documents "
        "(top 1). Predicting several labels at once is correct at least as often. Chance and \"Null\" do not account "
        "for this: a small p does not mean that a match exceeds the proportion of the most common label.\n",
        labels.majority());
}

LabelPresence labelPresence(const LabelColumn& labels)
{
    LabelPresence presence;
    for (const std::int64_t count : labels.counts())
    {
        presence.present += count > 0 ? 1 : 0;
        presence.single += count == 1 ? 1 : 0;
        presence.largest = std::max(presence.largest, count);
        presence.documents += count;
    }
    return presence;
}

} // namespace headscope
