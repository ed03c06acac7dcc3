// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/stored_map.h"

#include "app/cli/verb.h"
#include "app/cli/verbs/map_comparison.h"
#include "model/analysis/maps/map_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

/// What a picture is made of beside the map: the cache, its layer and stage, and how it is drawn.
commands::TsneCommand pictureChoices(const commands::TsneCommand& command)
{
    commands::TsneCommand picture;
    picture.input.cache = command.input.cache;
    picture.input.layer = command.input.layer;
    picture.input.stage = command.input.stage;
    picture.map = command.map;
    picture.output = command.output;
    picture.plainCsv = command.plainCsv;
    picture.figure = command.figure;
    picture.color = command.color;
    picture.showHeads = command.showHeads;
    picture.panels = command.panels;
    return picture;
}

Error otherVectors(const commands::TsneCommand& command)
{
    return {ErrorCode::InvalidArgument, fmt::format("this map does not show the vectors of {}", command.input.cache),
            command.map, "--map"};
}

} // namespace

Result<HeadPoints> pointsOfMap(const HeadMap& map, const HeadVectors& vectors, const std::string& place)
{
    HeadPoints points;
    points.ids = *map.points;
    MatrixF rows(points.ids.count(), vectors.dims());
    for (std::int64_t i = 0; i < points.ids.count(); ++i)
    {
        const std::int64_t document = points.ids.document[static_cast<std::size_t>(i)];
        const std::int64_t head = points.ids.head[static_cast<std::size_t>(i)];
        if (document < 0 || document >= vectors.documents() || head < 0 || head >= vectors.heads())
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected points of {} documents and {} heads, found document {}, head {}",
                                     vectors.documents(), vectors.heads(), document, head),
                         place, fmt::format("point {}", i)};
        const auto vector = vectors.vector(DocumentIndex(document), HeadIndex(head));
        std::copy(vector.begin(), vector.end(), rows.row(i).begin());
    }
    HEADSCOPE_CHECK(checkFinite(rows.view()));
    points.vectors = std::move(rows);
    return points;
}

Result<StoredMap> loadStoredMap(const commands::TsneCommand& command, int numThreads, JobContext& job)
{
    if (command.input.cache.empty())
        return wrongUse("--map", "this option needs the cache that the map was made from");
    if (!(pictureChoices(command) == command))
        return wrongUse(
            "--map",
            "cannot be combined with options that select points or control the run: the stored map has its own");
    HEADSCOPE_TRY(std::optional<HeadMap> map, readNamedMap(command.map, job));
    if (!map || map->points->head.empty())
        return Error{
            ErrorCode::InvalidArgument,
            "expected a map of heads that `tsne` made (FILE.h5:/maps/NAME/xy), found an array that is not such a map",
            command.map, "--map"};
    InputOptions chosen = command.input;
    const InputOptions usual;
    if (chosen.layer == usual.layer)
        chosen.layer = std::to_string(map->layer.value());
    if (chosen.stage == usual.stage)
        chosen.stage = stageName(map->stage);
    StoredMap stored;
    HEADSCOPE_TRY(stored.source, loadTsneSource(chosen, numThreads, job));
    if (stored.source.layer != map->layer || stored.source.stage != map->stage)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected the layer and stage of the map, {} and {} (--layer, --stage), found {} and "
                                 "{}",
                                 map->layer.value(), stageName(map->stage), stored.source.layer.value(),
                                 stageName(stored.source.stage)),
                     command.map,
                     {}};
    auto points = pointsOfMap(*map, *stored.source.vectors, command.map);
    if (!points)
        return points.error().code == ErrorCode::ShapeMismatch ? otherVectors(command) : std::move(points).error();
    stored.source.points = std::move(*points);
    if (frameOfMap(stored.source.points, map->stage, map->layer, map->options).inputHash != map->inputHash)
        return otherVectors(command);
    stored.map = std::move(*map);
    stored.map.origin = stored.source.input->cache->origin();
    return stored;
}

} // namespace headscope::cli
