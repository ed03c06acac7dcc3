// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/map_library.h"

#include "model/base/assert.h"
#include "ui/state/origin_guard.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// The same map under another name.
std::shared_ptr<const HeadMap> named(const std::shared_ptr<const HeadMap>& map, const QString& name)
{
    std::string text = toStdString(name);
    if (map->name == text)
        return map;
    auto copy = std::make_shared<HeadMap>(*map);
    copy->name = std::move(text);
    return copy;
}

} // namespace

MapLibrary::MapLibrary(QObject* parent) : QObject(parent) {}

std::vector<std::shared_ptr<const HeadMap>> MapLibrary::maps() const
{
    std::vector<std::shared_ptr<const HeadMap>> all;
    all.reserve(m_entries.size());
    for (const KeptMap& kept : m_entries)
        all.push_back(kept.map);
    return all;
}

const KeptMap* MapLibrary::find(std::uint64_t id) const
{
    const auto at = std::ranges::find(m_entries, id, &KeptMap::id);
    return at == m_entries.end() ? nullptr : &*at;
}

const KeptMap* MapLibrary::find(const HeadMap* map) const
{
    const auto at = std::ranges::find_if(m_entries, [map](const KeptMap& kept) { return kept.map.get() == map; });
    return at == m_entries.end() ? nullptr : &*at;
}

KeptMap* MapLibrary::entry(std::uint64_t id)
{
    const auto at = std::ranges::find(m_entries, id, &KeptMap::id);
    return at == m_entries.end() ? nullptr : &*at;
}

QString MapLibrary::freeName(const QString& wanted, std::uint64_t except) const
{
    QString base = wanted.simplified().replace(u'/', u'-');
    if (base.isEmpty())
        base = tr("map");
    const auto taken = [this, except](const QString& name) {
        return std::ranges::any_of(
            m_entries, [&](const KeptMap& kept) { return kept.id != except && toQString(kept.map->name) == name; });
    };
    QString name = base;
    for (int number = 2; taken(name); ++number)
        name = base % u' ' % QString::number(number);
    return name;
}

std::uint64_t MapLibrary::add(std::shared_ptr<const HeadMap> map, bool stored)
{
    HEADSCOPE_ASSERT(map != nullptr);
    if (!OriginGuard::instance().admits(*map))
        return 0;
    const std::uint64_t id = ++m_lastId;
    // A stored map is called what the cache calls it; it came first, so nothing has its name.
    if (!stored)
        map = named(map, freeName(toQString(map->name)));
    m_entries.push_back({id, std::move(map), {}, stored, false});
    Q_EMIT added(id);
    return id;
}

void MapLibrary::replace(std::uint64_t id, std::shared_ptr<const HeadMap> map)
{
    HEADSCOPE_ASSERT(map != nullptr);
    KeptMap* kept = entry(id);
    if (kept == nullptr || kept->map == map || !OriginGuard::instance().admits(*map))
        return;
    map = named(map, toQString(kept->map->name));
    const bool moved = kept->map->hash.empty() || kept->map->hash != map->hash;
    kept->map = std::move(map);
    if (moved)
    {
        kept->thumbnail = {};
        kept->stored = false;
    }
    Q_EMIT changed(id);
}

void MapLibrary::rename(std::uint64_t id, const QString& name)
{
    KeptMap* kept = entry(id);
    if (kept == nullptr || name.simplified().isEmpty())
        return;
    auto map = named(kept->map, freeName(name, id));
    if (map == kept->map)
        return;
    kept->map = std::move(map);
    kept->stored = false; // under another name than this
    Q_EMIT changed(id);
}

void MapLibrary::setStored(std::uint64_t id, bool stored)
{
    KeptMap* kept = entry(id);
    if (kept == nullptr || std::exchange(kept->stored, stored) == stored)
        return;
    Q_EMIT changed(id);
}

void MapLibrary::setMeasuring(std::uint64_t id, bool measuring)
{
    KeptMap* kept = entry(id);
    if (kept == nullptr || std::exchange(kept->measuring, measuring) == measuring)
        return;
    Q_EMIT changed(id);
}

void MapLibrary::setThumbnail(std::uint64_t id, const QImage& thumbnail)
{
    KeptMap* kept = entry(id);
    if (kept == nullptr)
        return;
    kept->thumbnail = thumbnail;
    Q_EMIT changed(id);
}

void MapLibrary::remove(std::uint64_t id)
{
    if (std::erase_if(m_entries, [id](const KeptMap& kept) { return kept.id == id; }) > 0)
        Q_EMIT removed(id);
}

void MapLibrary::clear()
{
    while (!m_entries.empty())
        remove(m_entries.back().id);
}

} // namespace headscope::ui
