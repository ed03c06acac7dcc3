// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_file.h"

#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"
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

constexpr const char* kFormat = "headscope-work";
constexpr std::int64_t kVersion = 1;
constexpr const char* kMapOrder = "/map_order";
constexpr const char* kEnding = ".headscope";

Error badWork(const std::filesystem::path& path, std::string_view place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), std::string(place)};
}

Status writeIndices(Hdf5Writer& file, const std::string& dataset, const std::vector<std::int64_t>& values)
{
    if (values.empty())
        return {};
    const std::array shape = {static_cast<std::int64_t>(values.size())};
    return file.write(dataset, shape, NumberType::I64, std::as_bytes(std::span(values)));
}

Result<std::vector<std::int64_t>> readIndices(const Hdf5Reader& file, const std::string& dataset)
{
    if (!file.has(dataset))
        return std::vector<std::int64_t>();
    return readNumbers<std::int64_t>(file, dataset);
}

Result<std::vector<std::string>> readTexts(const Hdf5Reader& file, const std::string& dataset)
{
    if (!file.has(dataset))
        return std::vector<std::string>();
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    return file.readStrings(dataset, 0, info.rows());
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

Status writeSet(Hdf5Writer& file, const std::string& group, const KeptSet& set)
{
    HEADSCOPE_CHECK(file.makeGroup(group));
    HEADSCOPE_CHECK(file.setAttribute(group, "name", set.name));
    HEADSCOPE_CHECK(file.setAttribute(group, "color", fmt::format("#{:06x}", set.color & 0xFFFFFFU)));
    HEADSCOPE_CHECK(file.setAttribute(group, "on_map", std::int64_t{set.onMap ? 1 : 0}));
    HEADSCOPE_CHECK(writeIndices(file, group + "/documents", set.documents));
    return set.ids.empty() ? Status() : file.writeStrings(group + "/id", set.ids);
}

Result<KeptSet> readSet(const Hdf5Reader& file, const std::string& group, const CacheInfo& cache)
{
    KeptSet set;
    set.name = file.textAttribute(group, "name").value_or("");
    const std::string color = file.textAttribute(group, "color").value_or("");
    constexpr int kHexadecimal = 16;
    if (color.size() > 1)
        std::from_chars(color.data() + 1, color.data() + color.size(), set.color, kHexadecimal);
    set.onMap = file.integerAttribute(group, "on_map").value_or(0) == 1;
    HEADSCOPE_TRY(set.documents, readIndices(file, group + "/documents"));
    HEADSCOPE_TRY(set.ids, readTexts(file, group + "/id"));
    if (set.name.empty() || set.ids.size() != set.documents.size() || !within(set.documents, cache.documents))
        return badWork(file.path(), group, "expected a named set of documents of this cache, found something else");
    return set;
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
    return badWork(file.path(), "map " + map.name, "expected points of this cache, found others");
}

Status writeMaps(Hdf5Writer& file, const ResultStore& work)
{
    std::vector<std::string> order;
    for (const auto& map : work.maps)
    {
        order.push_back(map->name);
        HEADSCOPE_CHECK(writeMapGroup(file, *map));
    }
    if (!order.empty())
        HEADSCOPE_CHECK(file.writeStrings(kMapOrder, order));
    HEADSCOPE_CHECK(file.setAttribute("/", "grids", static_cast<std::int64_t>(work.grids.size())));
    for (std::size_t i = 0; i < work.grids.size(); ++i)
    {
        HeadMapSet set = *work.grids[i].set;
        set.name = gridName(i);
        HEADSCOPE_CHECK(writeMapSetGroup(file, set));
        const std::string group = gridGroup(i);
        HEADSCOPE_CHECK(file.setAttribute(group, "key", work.grids[i].key));
        HEADSCOPE_CHECK(file.setAttribute(group, "name", work.grids[i].set->name));
    }
    return {};
}

Status readMaps(const Hdf5Reader& file, const CacheInfo& cache, const Origin& origin, ResultStore& work)
{
    HEADSCOPE_TRY(const auto order, readTexts(file, kMapOrder));
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
        const std::string group = gridGroup(i);
        set.name = file.textAttribute(group, "name").value_or("");
        set.origin = origin;
        for (MapOfSet& each : set.maps)
        {
            HEADSCOPE_CHECK(checkMap(file, each.map, cache));
            each.map.origin = origin;
            each.map.name.erase(0, each.map.name.rfind('/') + 1); // "grid/000/s1_h00"
        }
        work.grids.push_back(
            {file.textAttribute(group, "key").value_or(""), std::make_shared<const HeadMapSet>(std::move(set))});
    }
    return {};
}

Status writeProbe(Hdf5Writer& file, const std::string& group, const KeptProbe& probe)
{
    HEADSCOPE_CHECK(file.makeGroup(group));
    HEADSCOPE_CHECK(writeIndices(file, group + "/heads", probe.heads));
    HEADSCOPE_CHECK(writeIndices(file, group + "/documents", probe.documents));
    HEADSCOPE_CHECK(writeProbeGroup(file, group + "/result", *probe.result));
    return probe.control == nullptr ? Status() : writeProbeGroup(file, group + "/control", *probe.control);
}

Result<KeptProbe> readProbe(const Hdf5Reader& file, const std::string& group, const CacheInfo& cache,
                            const Origin& origin)
{
    KeptProbe probe;
    HEADSCOPE_TRY(probe.heads, readIndices(file, group + "/heads"));
    HEADSCOPE_TRY(probe.documents, readIndices(file, group + "/documents"));
    HEADSCOPE_TRY(ProbeResult result, readProbeGroup(file, group + "/result"));
    const auto& documents = result.testDocuments;
    if (!within(probe.heads, cache.header.model.heads) || !within(probe.documents, cache.documents) ||
        !within({documents.begin(), documents.end()}, cache.documents))
        return badWork(file.path(), group, "expected a probe of this cache, found one of others");
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

Status writeFigures(Hdf5Writer& file, const std::vector<KeptFigure>& figures)
{
    if (figures.empty())
        return {};
    std::vector<std::string> files;
    std::vector<std::string> recipes;
    for (const KeptFigure& figure : figures)
    {
        files.push_back(figure.file);
        recipes.push_back(figure.recipe);
    }
    HEADSCOPE_CHECK(file.makeGroup("/figures"));
    HEADSCOPE_CHECK(file.writeStrings("/figures/file", files));
    return file.writeStrings("/figures/recipe", recipes);
}

Result<std::vector<KeptFigure>> readFigures(const Hdf5Reader& file)
{
    HEADSCOPE_TRY(auto files, readTexts(file, "/figures/file"));
    HEADSCOPE_TRY(auto recipes, readTexts(file, "/figures/recipe"));
    if (files.size() != recipes.size())
        return badWork(file.path(), "/figures",
                       fmt::format("expected a recipe for each of {} files, found {}", files.size(), recipes.size()));
    std::vector<KeptFigure> figures;
    for (std::size_t i = 0; i < files.size(); ++i)
        figures.push_back({std::move(files[i]), std::move(recipes[i])});
    return figures;
}

Status checkHeader(const Hdf5Reader& file, SealState seal)
{
    const std::string format = file.textAttribute("/", "format").value_or("");
    if (format != kFormat)
        return badWork(file.path(), {},
                       fmt::format("expected the work kept beside a cache ({}), found {}", kFormat,
                                   format.empty() ? "a file of another kind" : format));
    const std::int64_t version = file.integerAttribute("/", "version").value_or(0);
    if (version > kVersion)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected version {} or older, found {}: a newer Headscope wrote it", kVersion, version),
            file.path().string(),
            {}};
    if (seal != SealState::Good)
        return badWork(file.path(), {}, "expected a seal, found none: the file was changed or cut short");
    return {};
}

} // namespace

std::filesystem::path workPathBeside(const std::filesystem::path& cache)
{
    std::filesystem::path path = cache;
    path += kEnding;
    return path;
}

Status writeWorkFile(const std::filesystem::path& target, const WorkFile& work)
{
    // A job of its own: it is also written because others were asked to stop.
    JobContext job;
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(file.setAttribute("/", "format", std::string(kFormat)));
    HEADSCOPE_CHECK(file.setAttribute("/", "version", kVersion));
    HEADSCOPE_CHECK(file.setAttribute("/", "application", std::string("Headscope " HEADSCOPE_VERSION)));
    HEADSCOPE_CHECK(file.setAttribute("/", "identity", work.identity));
    HEADSCOPE_CHECK(file.setAttribute("/", "cache", work.cache));
    HEADSCOPE_CHECK(file.setAttribute("/", "saved", work.savedMs));
    for (std::size_t i = 0; i < work.work.sets.size(); ++i)
        HEADSCOPE_CHECK(writeSet(file, grouped("sets", i), work.work.sets[i]));
    HEADSCOPE_CHECK(writeMaps(file, work.work));
    for (std::size_t i = 0; i < work.work.probes.size(); ++i)
        HEADSCOPE_CHECK(writeProbe(file, grouped("probes", i), work.work.probes[i]));
    HEADSCOPE_CHECK(writeFigures(file, work.work.figures));
    return file.publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); });
}

Result<WorkFile> readWorkFile(const std::filesystem::path& path, const CacheInfo& cache, const Origin& origin)
{
    JobContext job;
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkHeader(file, file.seal()));
    WorkFile work;
    work.identity = file.textAttribute("/", "identity").value_or("");
    work.cache = file.textAttribute("/", "cache").value_or("");
    work.savedMs = file.integerAttribute("/", "saved").value_or(0);
    if (work.identity != cache.identity)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected work on this cache, found that on another one ({})", work.cache),
                     path.string(),
                     {}};
    for (const std::string& step : file.names("/sets"))
    {
        HEADSCOPE_TRY(KeptSet set, readSet(file, "/sets/" + step, cache));
        work.work.sets.push_back(std::move(set));
    }
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
