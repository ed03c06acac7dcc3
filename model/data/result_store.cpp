// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/result_store.h"

#include "model/base/fields/fields.h"
#include "model/base/hash.h"

#include <span>
#include <type_traits>
#include <utility>

namespace headscope
{
namespace
{

/// A digest over texts and numbers.
class Digest
{
public:
    Digest& text(const std::string& value)
    {
        number(value.size());
        m_hash.update(std::as_bytes(std::span(value)));
        return *this;
    }
    template <class T>
    requires std::is_arithmetic_v<T> Digest& number(T value)
    {
        m_hash.update(std::as_bytes(std::span(&value, 1)));
        return *this;
    }
    template <class T>
    Digest& numbers(const std::vector<T>& values)
    {
        number(values.size());
        m_hash.update(std::as_bytes(std::span(values)));
        return *this;
    }
    [[nodiscard]] std::string hex() const { return m_hash.hex(); }

private:
    Xxh3 m_hash;
};

void addMap(Digest& digest, const HeadMap& map)
{
    digest.number(map.layer.value()).number(static_cast<int>(map.stage)).number(map.iteration);
    digest.numbers(map.xy.values()).number(map.trust.has_value()).number(map.turns.size());
    if (map.points != nullptr)
        digest.numbers(map.points->document).numbers(map.points->head);
}

void addProbe(Digest& digest, const ProbeResult* probe)
{
    digest.number(probe != nullptr);
    if (probe != nullptr)
        digest.number(probe->accuracy)
            .number(probe->objective)
            .number(probe->trainRows)
            .numbers(probe->intercepts)
            .numbers(probe->predictions)
            .number(probe->baselines.has_value())
            .number(probe->baselines ? probe->baselines->seconds : 0.0);
}

/// What tells a probe from the others that are shown beside it, and from those of other options.
std::string probeKey(const KeptProbe& probe)
{
    const ProbeResult& result = *probe.result;
    ProbeOptions options = result.options;
    Fields rows;
    fields(rows, options);
    Digest table;
    table.numbers(probe.heads).numbers(probe.documents);
    for (const Field& row : rows.used(kIdentityUse))
        table.text(row.valueText());
    return table.hex() + "/" + std::to_string(result.layer.value_or(-1)) + "/" +
           std::to_string(result.stage ? static_cast<int>(*result.stage) : -1);
}

std::string keyOf(const KeptSet& set)
{
    return "set/" + set.name;
}
std::string keyOf(const std::shared_ptr<const HeadMap>& map)
{
    return "map/" + map->name;
}
std::string keyOf(const KeptGrid& grid)
{
    return "grid/" + grid.key;
}
std::string keyOf(const KeptProbe& probe)
{
    return "probe/" + probeKey(probe);
}
std::string keyOf(const KeptFigure& figure)
{
    return "figure/" + figure.file;
}

std::string digestOf(const KeptSet& set)
{
    Digest digest;
    digest.number(set.color).number(set.onMap).numbers(set.documents);
    for (const std::string& id : set.ids)
        digest.text(id);
    return digest.hex();
}
std::string digestOf(const std::shared_ptr<const HeadMap>& map)
{
    Digest digest;
    addMap(digest, *map);
    return digest.hex();
}
std::string digestOf(const KeptGrid& grid)
{
    Digest digest;
    for (const MapOfSet& each : grid.set->maps)
        addMap(digest.text(each.map.name), each.map);
    return digest.hex();
}
std::string digestOf(const KeptProbe& probe)
{
    Digest digest;
    addProbe(digest, probe.result.get());
    addProbe(digest, probe.control.get());
    return digest.hex();
}
std::string digestOf(const KeptFigure& figure)
{
    Digest digest;
    digest.text(figure.recipe);
    return digest.hex();
}

void rename(KeptSet& set, const std::string& suffix)
{
    set.name += suffix;
}
void rename(std::shared_ptr<const HeadMap>& map, const std::string& suffix)
{
    auto copy = std::make_shared<HeadMap>(*map);
    copy->name += suffix;
    map = std::move(copy);
}

template <class T>
void addDigests(const std::vector<T>& parts, WorkDigests& digests)
{
    for (const T& part : parts)
        digests[keyOf(part)] = digestOf(part);
}

/// Takes into `ours` what of `theirs` is news.
template <class T>
void takeNews(std::vector<T>& ours, const WorkDigests& known, const std::vector<T>& theirs)
{
    WorkDigests own;
    addDigests(ours, own);
    const auto same = [](const WorkDigests& in, const std::string& key, const std::string& digest) {
        const auto found = in.find(key);
        return found != in.end() && found->second == digest;
    };
    for (const T& part : theirs)
    {
        const std::string key = keyOf(part);
        const std::string digest = digestOf(part);
        if (same(known, key, digest) || same(own, key, digest))
            continue; // as we left it, or as we have it: ours says what becomes of it
        const auto mine = own.find(key);
        if (mine == own.end())
        {
            ours.push_back(part);
            own[key] = digest;
        }
        else if (same(known, key, mine->second)) // they changed it, we did not
        {
            for (T& each : ours)
                if (keyOf(each) == key)
                    each = part;
            mine->second = digest;
        }
        else if constexpr (requires(T & both) { rename(both, std::string()); })
        {
            T both = part;
            for (int number = 2; own.contains(keyOf(both)); ++number)
            {
                both = part;
                rename(both, " (" + std::to_string(number) + ")");
                if (same(own, keyOf(both), digest))
                    break; // kept before
            }
            if (!own.contains(keyOf(both)))
            {
                own[keyOf(both)] = digest;
                ours.push_back(std::move(both));
            }
        }
    }
}

} // namespace

WorkDigests digestsOf(const ResultStore& work)
{
    WorkDigests digests;
    addDigests(work.sets, digests);
    addDigests(work.maps, digests);
    addDigests(work.grids, digests);
    addDigests(work.probes, digests);
    addDigests(work.figures, digests);
    return digests;
}

ResultStore mergedWork(ResultStore ours, const WorkDigests& known, const ResultStore& theirs)
{
    takeNews(ours.sets, known, theirs.sets);
    takeNews(ours.maps, known, theirs.maps);
    takeNews(ours.grids, known, theirs.grids);
    takeNews(ours.probes, known, theirs.probes);
    takeNews(ours.figures, known, theirs.figures);
    return ours;
}

} // namespace headscope
