// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/selection.h"

#include "model/data/maps/point_set.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace headscope
{

bool Selection::contains(DocumentIndex document) const
{
    return std::binary_search(documents.begin(), documents.end(), document.value());
}

bool Selection::operator==(const Selection& other) const
{
    return documents == other.documents && samePoints(points, other.points) && primary == other.primary &&
           primaryHead == other.primaryHead && hovered == other.hovered;
}

bool samePoints(const std::shared_ptr<const PointSet>& one, const std::shared_ptr<const PointSet>& other)
{
    if (one == nullptr || other == nullptr)
        return one == other;
    return one == other || *one == *other;
}

std::vector<std::int64_t> combineSets(const std::vector<std::int64_t>& chosen, const std::vector<std::int64_t>& picked,
                                      SetOperation operation)
{
    std::vector<std::int64_t> result;
    const auto into = std::back_inserter(result);
    switch (operation)
    {
    case SetOperation::Replace:
        return picked;
    case SetOperation::Add:
        std::ranges::set_union(chosen, picked, into);
        break;
    case SetOperation::Remove:
        std::ranges::set_difference(chosen, picked, into);
        break;
    case SetOperation::Intersect:
        std::ranges::set_intersection(chosen, picked, into);
        break;
    }
    return result;
}

std::vector<char> flagsOf(const std::vector<std::int64_t>& documents)
{
    std::vector<char> flags(documents.empty() ? 0 : static_cast<std::size_t>(documents.back()) + 1, 0);
    for (const std::int64_t document : documents)
        flags[static_cast<std::size_t>(document)] = 1;
    return flags;
}

std::vector<std::int64_t> complementOf(const std::vector<std::int64_t>& chosen, std::int64_t count)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return combineSets(all, chosen, SetOperation::Remove);
}

} // namespace headscope
