// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_lines.h"

#include "model/base/random.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>

namespace headscope::ui
{

std::vector<std::int64_t> sampleOfPoints(std::int64_t points)
{
    std::vector<std::int64_t> sample = permutation(points, CounterRandom(1));
    sample.resize(static_cast<std::size_t>(std::min(points, kSampleLines)));
    return sample;
}

CompareLinePoints linePoints(const MapPair& pair, const CompareChoice& choice, const PointSet* byPoint)
{
    const auto shown = [&choice](DocumentIndex document) {
        return choice.shownOnly.empty() ||
               std::binary_search(choice.shownOnly.begin(), choice.shownOnly.end(), document.value());
    };
    CompareLinePoints lines;
    std::int64_t chosen = 0;
    if (choice.lines != CompareLines::None)
        for (std::size_t i = 0; i < pair.points->document.size(); ++i)
        {
            const DocumentIndex document = pair.points->documentOf(i);
            if (!shown(document))
                continue; // a line would lead from nowhere to nowhere
            if (document == choice.primary || document == choice.hovered)
                lines.strong.push_back(static_cast<std::int64_t>(i));
            else if (std::binary_search(choice.chosen.begin(), choice.chosen.end(), document.value()) &&
                     (byPoint == nullptr || byPoint->contains(document, pair.points->headOf(i))) &&
                     chosen++ < kMaxChosenLines)
                lines.pale.push_back(static_cast<std::int64_t>(i));
        }
    if (choice.lines == CompareLines::Sample && choice.chosen.empty())
    {
        for (const std::int64_t point : choice.sample)
            if (shown(pair.points->documentOf(point)))
                lines.pale.push_back(point);
        if (std::ssize(choice.sample) < pair.xyA.rows())
            lines.badge =
                tr("lines for %1 of %2 points").arg(countText(std::ssize(lines.pale)), countText(pair.xyA.rows()));
    }
    else if (chosen > kMaxChosenLines)
        lines.badge = tr("lines for %1 of %2 selected points").arg(countText(kMaxChosenLines), countText(chosen));
    return lines;
}

} // namespace headscope::ui
