// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/switch_off.h"

#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"
#include "app/desktop/engine/engine_server.h"
#include "app/results/as_cache.h"
#include "app/shell/request_params.h"
#include "app/views/ablation/model_texts.h"
#include "model/analysis/maps/moved_points.h"
#include "model/analysis/retrieval/vector_change.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/base/clock.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/output/temporary_path.h"
#include "model/data/head_ranges.h"
#include "model/io/cache/full_vectors.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

/// Some rows of vectors as a matrix, all heads one after another.
MatrixF fullRows(const HeadVectors& vectors, const std::vector<std::int64_t>& rows)
{
    MatrixF some(std::ssize(rows), vectors.heads() * vectors.dims());
    for (std::int64_t i = 0; i < some.rows(); ++i)
        std::ranges::copy(vectors.full(DocumentIndex(rows[static_cast<std::size_t>(i)])), some.row(i).begin());
    return some;
}

/// How far numbers of a type may lie from those that were stored, as a share of a vector's length.
double roundingOf(NumberType type)
{
    switch (type)
    {
    case NumberType::F16:
        return 2e-3;
    case NumberType::Bf16:
        return 1.6e-2;
    default:
        return 1e-5;
    }
}

/// The documents by the model with the heads off.
Result<std::shared_ptr<CacheReader>> extracted(EngineServer& engine, const SwitchOffAsk& ask, const DocumentSet& all,
                                               const std::vector<std::int64_t>& rows,
                                               const std::filesystem::path& folder, JobContext& job)
{
    const CacheHeader& header = ask.reader->info().header;
    HEADSCOPE_CHECK(writeDocumentLines(folder / "texts.jsonl", all, rows));
    commands::CommandLine<commands::ExtractCommand> line;
    line.command.model = ask.model;
    line.command.inputs = {(folder / "texts.jsonl").string()};
    line.command.output = (folder / "off.h5").string();
    line.command.idColumn = "id";
    line.command.labelColumns = "";
    line.command.prompt = header.prompt;
    line.common.threads = ask.threads;
    extractAsCache(*ask.reader, ask.vectors->layer(), ask.vectors->stage(), line.command);
    line.command.ablation.ablate = fmt::format("{}:{}", ask.layer().value(), formatHeadRanges(ask.heads));
    line.command.ablation.ablation = ask.chosen.ablation;
    HEADSCOPE_TRY(const Json answer, engine.ask("extract", shell::requestParams(line), job));
    HEADSCOPE_TRY(auto reader, CacheReader::open(folder / "off.h5", job));
    HEADSCOPE_TRY(const auto documents, reader->documents(job));
    if (documents->count() != std::ssize(rows))
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} documents from the engine, found {}", rows.size(), documents->count()),
                     {},
                     {}};
    return reader;
}

/// Which documents have finite vectors in both, as places among the rows.
std::vector<std::int64_t> finitePlaces(const MatrixF& before, const MatrixF& after)
{
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < before.rows(); ++i)
        if (allFinite(before.row(i)) && allFinite(after.row(i)))
            places.push_back(i);
    return places;
}

/// The stage-1 vectors of the layer with the heads' blocks set to zero.
Status addCut(const SwitchOffAsk& ask, SwitchOffResult& result, JobContext& job)
{
    const ModelInfo& model = ask.reader->info().header.model;
    const VectorsInfo* there = ask.reader->find(ask.layer(), Stage::HeadOutput);
    if (there == nullptr || there->heads != model.heads)
    {
        result.cutMissing = fmt::format("the cache has no stage 1 of layer {}", ask.layer().value());
        return {};
    }
    std::shared_ptr<const HeadVectors> vectors = ask.vectors;
    if (vectors->layer() != ask.layer() || vectors->stage() != Stage::HeadOutput)
    {
        HEADSCOPE_TRY(vectors, ask.reader->load(ask.layer(), Stage::HeadOutput, {}, job));
    }
    const MatrixF before = fullRows(*vectors, result.documents);
    MatrixF after = before;
    for (std::int64_t row = 0; row < after.rows(); ++row)
        for (const std::int64_t head : ask.heads)
            std::ranges::fill(after.row(row).subspan(static_cast<std::size_t>(head * vectors->dims()),
                                                     static_cast<std::size_t>(vectors->dims())),
                              0.0F);
    auto cut = vectorChange(before.view(), after.view(), ask.seed, ask.threads, job);
    if (!cut && cut.error().code == ErrorCode::Cancelled)
        return std::move(cut).error();
    if (!cut)
    {
        result.cutMissing = cut.error().message;
        return {};
    }
    result.cut = std::move(*cut);
    result.cut->what = fmt::format("stage 1 of layer {}, heads concatenated", ask.layer().value());
    return {};
}

/// The map's own vectors in the order of its points.
MatrixF vectorsOf(const HeadMap& map, const HeadVectors& vectors)
{
    MatrixF rows(map.points->count(), vectors.dims());
    for (std::int64_t point = 0; point < rows.rows(); ++point)
        std::ranges::copy(vectors.vector(map.points->documentOf(point), map.points->headOf(point)),
                          rows.row(point).begin());
    return rows;
}

/// Where the points of the drawn documents would be on the map.
Status addMoved(const SwitchOffAsk& ask, const HeadVectors& now, SwitchOffResult& result, JobContext& job)
{
    const HeadVectors& vectors = *ask.vectors;
    if (ask.map == nullptr || ask.map->layer != vectors.layer() || ask.map->stage != vectors.stage())
    {
        result.movedMissing =
            ask.map == nullptr ? "there is no map yet" : "the map shows a layer or stage that is not selected";
        return {};
    }
    std::vector<std::int64_t> points;
    std::vector<float> values;
    for (std::int64_t point = 0; point < ask.map->points->count(); ++point)
    {
        const auto place = result.placeOf(ask.map->points->documentOf(point).value());
        if (!place)
            continue;
        const auto vector =
            now.vector(DocumentIndex(static_cast<std::int64_t>(*place)), ask.map->points->headOf(point));
        if (!allFinite(vector))
            continue;
        points.push_back(point);
        values.insert(values.end(), vector.begin(), vector.end());
    }
    const MatrixF moved(std::ssize(points), now.dims(), std::move(values));
    MovedPointsOptions options;
    options.tolerance = roundingOf(ask.reader->find(vectors.layer(), vectors.stage())->type);
    HEADSCOPE_TRY(result.moved, movedPoints(ask.map, vectorsOf(*ask.map, vectors).view(), points, moved.view(), options,
                                            ask.threads, job));
    return {};
}

/// The embeddings before and after, of the documents whose vectors are finite; the others leave the result.
Result<std::shared_ptr<const HeadVectors>> addInModel(CacheReader& off, const SwitchOffAsk& ask,
                                                      SwitchOffResult& result, JobContext& job)
{
    const LayerIndex layer = ask.vectors->layer();
    const Stage stage = ask.vectors->stage();
    HEADSCOPE_TRY(const FullPair before, fullVectors(*ask.reader, layer, stage, std::nullopt, job));
    HEADSCOPE_TRY(const FullPair after, fullVectors(off, layer, stage, std::nullopt, job));
    HEADSCOPE_TRY(auto now, off.load(layer, stage, {}, job));
    MatrixF then = fullRows(*before.documents.vectors, result.documents);
    MatrixF changed = fullRows(*after.documents.vectors, allIndices(after.documents.vectors->documents()));
    if (then.cols() != changed.cols())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected embeddings of {} values, found {}", then.cols(), changed.cols()),
                     ask.model,
                     {}};
    const auto finite = finitePlaces(then, changed);
    if (std::ssize(finite) < std::ssize(result.documents))
    {
        result.notices.push_back(
            fmt::format("The vectors of {} documents contain NaN or infinity; these documents are excluded",
                        result.documents.size() - finite.size()));
        const auto pick = [&finite](const MatrixF& rows) {
            MatrixF some(std::ssize(finite), rows.cols());
            for (std::int64_t i = 0; i < some.rows(); ++i)
                std::ranges::copy(rows.row(finite[static_cast<std::size_t>(i)]), some.row(i).begin());
            return some;
        };
        then = pick(then);
        changed = pick(changed);
        now = takeRows(now, finite);
        std::vector<std::int64_t> kept;
        for (const std::int64_t place : finite)
            kept.push_back(result.documents[static_cast<std::size_t>(place)]);
        result.documents = std::move(kept);
    }
    HEADSCOPE_TRY(result.inModel, vectorChange(then.view(), changed.view(), ask.seed, ask.threads, job));
    result.inModel.what = before.documents.source;
    return now;
}

} // namespace

Result<SwitchOffResult> switchOff(EngineServer& engine, const SwitchOffAsk& ask, JobContext& job)
{
    const auto start = Clock::now();
    HEADSCOPE_TRY(const std::string notice, checkModelOfCache(engine, ask.model, ask.reader->info().header.model, job));
    HEADSCOPE_TRY(const auto documents, ask.reader->documents(job));
    SwitchOffResult result;
    if (!notice.empty())
        result.notices.push_back(notice);
    result.layer = ask.layer().value();
    result.heads = ask.heads;
    result.ablation = ask.chosen.ablation;
    result.origin = ask.reader->origin();
    result.allDocuments =
        std::ssize(drawnDocuments(*documents, ask.documents, std::numeric_limits<std::int64_t>::max(), ask.seed));
    result.documents = drawnDocuments(*documents, ask.documents, ask.chosen.documents, ask.seed);
    if (result.documents.size() < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least two documents with a text, found {}", result.documents.size()),
                     {},
                     {}};
    HEADSCOPE_TRY(const auto folder, TemporaryPath::makeFolder("headscope-off"));
    HEADSCOPE_TRY(const auto off, extracted(engine, ask, *documents, result.documents, folder.path(), job));
    job.report("comparing", 0, 0);
    HEADSCOPE_TRY(const auto now, addInModel(*off, ask, result, job));
    HEADSCOPE_CHECK(addCut(ask, result, job));
    HEADSCOPE_CHECK(addMoved(ask, *now, result, job));
    result.seconds = secondsSince(start);
    return result;
}

} // namespace headscope::desktop
