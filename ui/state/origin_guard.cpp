// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/origin_guard.h"

#include "model/base/log.h"
#include "model/data/maps/point_range.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{

OriginGuard& OriginGuard::instance()
{
    static OriginGuard border;
    return border;
}

void OriginGuard::open(Origin origin, std::int64_t documents, std::int64_t heads)
{
    m_origin = std::move(origin);
    m_documents = documents;
    m_heads = heads;
    m_known.reset();
}

bool OriginGuard::refuse(std::string_view why)
{
    ++m_refused;
    logWarning("{}", why);
    return false;
}

bool OriginGuard::admits(const Origin& of, std::string_view what)
{
    return of == m_origin || refuse(fmt::format("{} is not shown: it belongs to another cache", what));
}

bool OriginGuard::holds(const std::shared_ptr<const PointIds>& points, std::string_view map)
{
    if (m_documents == kAny)
        return true;
    if (points == nullptr)
        return refuse(fmt::format("map {} is not shown: it does not record which document each point belongs to", map));
    if (m_known.lock() == points)
        return true;
    if (const Status checked = expectPointsOf(*points, m_documents, m_heads, map); !checked)
        return refuse(checked.error().sentence());
    m_known = points;
    return true;
}

bool OriginGuard::admits(const HeadMap& map)
{
    return admits(map.origin, "a map") && holds(map.points, map.name);
}

bool OriginGuard::admits(const HeadMapSet& set)
{
    return admits(set.origin, "a set of maps") &&
           std::ranges::all_of(set.maps, [this](const MapOfSet& each) { return admits(each.map); });
}

bool OriginGuard::admits(const MapPair& pair)
{
    return admits(*pair.a) && admits(*pair.b) && holds(pair.points, pair.a->name);
}

} // namespace headscope::ui
