// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_file.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/frames/frame_file.h"
#include "model/io/records/record_hdf5.h"
#include "model/io/results/work_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace headscope
{
namespace
{

constexpr FileFormat kFormat = {"headscope-work", 1, "the autosaved analyses of a cache"};
constexpr const char* kFigures = "/figures";
constexpr const char* kEnding = ".headscope";

Error badWork(const std::filesystem::path& path, std::string_view place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), std::string(place)};
}

/// Whether these are rows of so many.
bool within(const std::vector<std::int64_t>& rows, std::int64_t count)
{
    return std::all_of(rows.begin(), rows.end(), [count](std::int64_t row) { return row >= 0 && row < count; });
}

std::string grouped(const char* kind, std::size_t number)
{
    return fmt::format("/{}/{:03}", kind, number);
}

std::string gridName(std::size_t number)
{
    return fmt::format("grid/{:03}", number); // no map is called so: names hold no slash
}

std::string gridGroup(std::size_t number)
{
    return fmt::format("{}/{}", schema::kMaps, schema::stepFromName(gridName(number)));
}

std::string colorText(const std::uint32_t& color)
{
    return fmt::format("#{:06x}", color & 0xFFFFFFU);
}

std::string takeColor(std::uint32_t& color, const std::string& text)
{
    constexpr int kHexadecimal = 16;
    std::from_chars(text.data() + 1, text.data() + text.size(), color, kHexadecimal);
    return {};
}

/// The names of maps, in the order of the list.
RecordFields orderRecord(std::vector<std::string>& order)
{
    RecordFields record;
    record.texts("map_order", order);
    return record;
}

/// What a grid has beside its maps.
struct StoredGrid
{
    std::string key;
    std::string name;
};

void fields(RecordFields& record, StoredGrid& grid)
{
    record("key", grid.key);
    record("name", grid.name);
}

/// The list of figures, as it is stored.
struct StoredFigures
{
    std::vector<std::string> files;
    std::vector<std::string> recipes;
};

void fields(RecordFields& record, StoredFigures& figures)
{
    record.texts("file", figures.files);
    record.texts("recipe", figures.recipes);
}

Status checkSet(const KeptSet& set, const CacheInfo& cache)
{
    if (!set.name.empty() && set.ids.size() == set.documents.size() && within(set.documents, cache.documents))
        return {};
    return Error{ErrorCode::BadFormat, "expected a named set of documents of this cache, found something else", {}, {}};
}

/// A map whose points are all there in the cache.
Status checkMap(const Hdf5Reader& file, const HeadMap& map, const CacheInfo& cache)
{
    const auto heads = static_cast<std::int32_t>(cache.header.model.heads);
    const auto inCache = [&](const PointIds& points) {
        return points.count() == map.xy.rows() &&
               std::all_of(points.document.begin(), points.document.end(),
                           [&](std::int32_t each) { return each >= 0 && each < cache.documents; }) &&
               std::all_of(points.head.begin(), points.head.end(),
                           [&](std::int32_t each) { return each >= 0 && each < heads; });
    };
    if (map.points != nullptr && inCache(*map.points))
        return {};
    return badWork(file.path(), "map " + map.name, "expected points of this cache, found other points");
}

Status writeMaps(Hdf5Writer& file, const ResultStore& work)
{
    std::vector<std::string> order;
    for (const auto& map : work.maps)
    {
        order.push_back(map->name);
        HEADSCOPE_CHECK(writeMapGroup(file, *map));
    }
    HEADSCOPE_CHECK(writeRecord(file, "/", orderRecord(order)));
    HEADSCOPE_CHECK(writeFacts(file, "/", {{"grids", work.grids.size()}}));
    for (std::size_t i = 0; i < work.grids.size(); ++i)
    {
        HeadMapSet set = *work.grids[i].set;
        set.name = gridName(i);
        HEADSCOPE_CHECK(writeMapSetGroup(file, set));
        HEADSCOPE_CHECK(
            writeRecord(file, gridGroup(i), recordOf(StoredGrid{work.grids[i].key, work.grids[i].set->name})));
    }
    return {};
}

Status readMaps(const Hdf5Reader& file, const CacheInfo& cache, const Origin& origin, ResultStore& work)
{
    std::vector<std::string> order;
    HEADSCOPE_CHECK(readRecord(file, "/", orderRecord(order)));
    for (const std::string& name : order)
    {
        HEADSCOPE_TRY(HeadMap map, readMapGroup(file, name));
        HEADSCOPE_CHECK(checkMap(file, map, cache));
        map.origin = origin;
        work.maps.push_back(std::make_shared<const HeadMap>(std::move(map)));
    }
    const std::int64_t grids = file.integerAttribute("/", "grids").value_or(0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max<std::int64_t>(0, grids)); ++i)
    {
        HEADSCOPE_TRY(HeadMapSet set, readMapSetGroup(file, gridName(i)));
        StoredGrid grid;
        HEADSCOPE_CHECK(readRecord(file, gridGroup(i), recordOf(grid)));
        set.name = grid.name;
        set.origin = origin;
        for (MapOfSet& each : set.maps)
        {
            HEADSCOPE_CHECK(checkMap(file, each.map, cache));
            each.map.origin = origin;
            each.map.name.erase(0, each.map.name.rfind('/') + 1); // "grid/000/s1_h00"
        }
        work.grids.push_back({grid.key, std::make_shared<const HeadMapSet>(std::move(set))});
    }
    return {};
}

/// The documents and heads that a probe looked at.
RecordFields chosenRecord(KeptProbe& probe)
{
    RecordFields record;
    record.numbers("heads", probe.heads);
    record.numbers("documents", probe.documents);
    return record;
}

Status writeProbe(Hdf5Writer& file, const std::string& group, KeptProbe probe)
{
    HEADSCOPE_CHECK(writeRecord(file, group, chosenRecord(probe)));
    HEADSCOPE_CHECK(writeProbeGroup(file, group + "/result", *probe.result));
    return probe.control == nullptr ? Status() : writeProbeGroup(file, group + "/control", *probe.control);
}

Result<KeptProbe> readProbe(const Hdf5Reader& file, const std::string& group, const CacheInfo& cache,
                            const Origin& origin)
{
    KeptProbe probe;
    HEADSCOPE_CHECK(readRecord(file, group, chosenRecord(probe)));
    HEADSCOPE_TRY(ProbeResult result, readProbeGroup(file, group + "/result"));
    const auto& documents = result.testDocuments;
    if (!within(probe.heads, cache.header.model.heads) || !within(probe.documents, cache.documents) ||
        !within({documents.begin(), documents.end()}, cache.documents))
        return badWork(file.path(), group, "expected a probe of this cache, found a probe of another cache");
    result.origin = origin;
    probe.result = std::make_shared<const ProbeResult>(std::move(result));
    if (file.has(group + "/control"))
    {
        HEADSCOPE_TRY(ProbeResult control, readProbeGroup(file, group + "/control"));
        control.origin = origin;
        probe.control = std::make_shared<const ProbeResult>(std::move(control));
    }
    return probe;
}

StoredFigures storedFigures(const std::vector<KeptFigure>& figures)
{
    StoredFigures stored;
    for (const KeptFigure& figure : figures)
    {
        stored.files.push_back(figure.file);
        stored.recipes.push_back(figure.recipe);
    }
    return stored;
}

Result<std::vector<KeptFigure>> readFigures(const Hdf5Reader& file)
{
    StoredFigures stored;
    HEADSCOPE_CHECK(readRecord(file, kFigures, recordOf(stored)));
    if (stored.files.size() != stored.recipes.size())
        return badWork(file.path(), kFigures,
                       fmt::format("expected a recipe for each of {} files, found {}", stored.files.size(),
                                   stored.recipes.size()));
    std::vector<KeptFigure> figures;
    for (std::size_t i = 0; i < stored.files.size(); ++i)
        figures.push_back({std::move(stored.files[i]), std::move(stored.recipes[i])});
    return figures;
}

} // namespace

void fields(RecordFields& record, KeptSet& set)
{
    record("name", set.name);
    record.text<&colorText, &takeColor>("color", set.color);
    record("on_map", set.onMap);
    record.numbers("documents", set.documents);
    record.texts("id", set.ids);
}

void fields(RecordFields& record, WorkFile& work)
{
    record("identity", work.identity);
    record("cache", work.cache);
    record("saved", work.savedMs);
    record.list("sets", work.work.sets);
}

std::filesystem::path workPathBeside(const std::filesystem::path& cache)
{
    std::filesystem::path path = cache;
    path += kEnding;
    return path;
}

Status writeWorkFile(const std::filesystem::path& target, const WorkFile& work)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeFormat(file, kFormat));
    HEADSCOPE_CHECK(writeRecord(file, "/", recordOf(work)));
    HEADSCOPE_CHECK(writeMaps(file, work.work));
    for (std::size_t i = 0; i < work.work.probes.size(); ++i)
        HEADSCOPE_CHECK(writeProbe(file, grouped("probes", i), work.work.probes[i]));
    if (!work.work.figures.empty())
        HEADSCOPE_CHECK(writeRecord(file, kFigures, recordOf(storedFigures(work.work.figures))));
    return publishSealed(file);
}

Result<WorkFile> readWorkFile(const std::filesystem::path& path, const CacheInfo& cache, const Origin& origin)
{
    JobContext job;
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkFormat(file, kFormat));
    WorkFile work;
    HEADSCOPE_CHECK(readRecord(file, "/", recordOf(work)));
    if (work.identity != cache.identity)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected autosaved analyses of this cache, found analyses of another cache ({})", work.cache),
            path.string(),
            {}};
    for (std::size_t i = 0; i < work.work.sets.size(); ++i)
        if (auto checked = checkSet(work.work.sets[i], cache); !checked)
            return std::move(checked).error().inFile(path.string()).atPlace(grouped("sets", i));
    HEADSCOPE_CHECK(readMaps(file, cache, origin, work.work));
    for (const std::string& step : file.names("/probes"))
    {
        HEADSCOPE_TRY(KeptProbe probe, readProbe(file, "/probes/" + step, cache, origin));
        work.work.probes.push_back(std::move(probe));
    }
    HEADSCOPE_TRY(work.work.figures, readFigures(file));
    return work;
}

} // namespace headscope
