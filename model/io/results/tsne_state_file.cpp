// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/tsne_state_file.h"

#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

constexpr FileFormat kFormat = {"headscope-tsne-state", 1, "the state of a t-SNE"};
constexpr const char* kGroup = "/state";

Error badState(const std::filesystem::path& path, std::string_view place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), std::string(place)};
}

Error otherRun(std::string_view what, std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, std::string(what)};
}

/// The first option that both decide and that differs, as an error.
Status checkSameOptions(TsneOptions made, TsneOptions asked)
{
    Fields stored;
    Fields wanted;
    fields(stored, made);
    fields(wanted, asked);
    for (const FieldDifference& each : differences(stored, wanted, kIdentityUse))
        return otherRun(each.field->spokenName(),
                        fmt::format("expected {}, with which this state was made, found {}", each.first, each.second));
    return {};
}

/// The numbers of the points, each [points, 2].
Status checkShapes(const Hdf5Reader& file, const TsneStateFile& state)
{
    const std::int64_t points = state.identity.points;
    for (const auto& [name, values] :
         {std::pair("positions", &state.checkpoint.positions), std::pair("velocities", &state.checkpoint.velocities),
          std::pair("gains", &state.checkpoint.gains)})
        if (values->rows() != points || values->cols() != 2)
            return badState(
                file.path(), fmt::format("{}/{}", kGroup, name),
                fmt::format("expected [{}, 2] float32, found [{}, {}]", points, values->rows(), values->cols()));
    return {};
}

} // namespace

void fields(RecordFields& record, TsneIdentity& identity)
{
    record("points", identity.points).required().countFrom(0);
    record("dims", identity.dims).required().countFrom(0);
    record("input_hash", identity.inputHash);
    record("start_hash", identity.startHash);
    Fields& options = record.attributes();
    fields(options, identity.options);
    for (const char* name : {"exact_below", "exact_neighbors_below"}) // without these nobody knows what was computed
        options.require(name);
}

void fields(RecordFields& record, TsnePhase& phase) // of runs that stop by themselves; of others it says nothing
{
    constexpr double kMost = std::numeric_limits<int>::max();
    record("exaggeration_end", phase.exaggerationEnd).within(-1, kMost);
    record("finished", phase.finished);
    record("last_kl", phase.kl);
    record("fastest_fall", phase.fastest);
    record("slower_checks", phase.slower).within(0, kMost);
}

void fields(RecordFields& record, TsneStateFile& state)
{
    fields(record, state.identity);
    record("iteration", state.checkpoint.iteration).required().within(0, std::numeric_limits<int>::max());
    fields(record, state.checkpoint.phase);
    record.numbers("positions", state.checkpoint.positions);
    record.numbers("velocities", state.checkpoint.velocities);
    record.numbers("gains", state.checkpoint.gains);
}

Status writeTsneState(const std::filesystem::path& target, const TsneStateFile& state)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeFormat(file, kFormat));
    HEADSCOPE_CHECK(writeRecord(file, kGroup, recordOf(state), kRecordUse | kIdentityUse));
    return publishSealed(file);
}

Result<TsneStateFile> readTsneState(const std::filesystem::path& path)
{
    JobContext job;
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkFormat(file, kFormat));
    TsneStateFile state;
    // A state of before affinities were named was dense where repulsion was exact.
    const bool dense = file.integerAttribute(kGroup, "points").value_or(0) <=
                       file.integerAttribute(kGroup, "exact_below").value_or(-1);
    state.identity.options.affinities = dense ? TsneAffinities::Dense : TsneAffinities::Sparse;
    HEADSCOPE_CHECK(readRecord(file, kGroup, recordOf(state), kRecordUse | kIdentityUse));
    HEADSCOPE_CHECK(checkShapes(file, state));
    return state;
}

Status checkSameRun(const TsneStateFile& state, const TsneIdentity& wanted)
{
    const TsneIdentity& stored = state.identity;
    if (stored.points != wanted.points || stored.dims != wanted.dims)
        return Error{
            ErrorCode::ShapeMismatch,
            fmt::format("expected the state of {} points of {} numbers, found the state of {} points of {} numbers",
                        wanted.points, wanted.dims, stored.points, stored.dims),
            {},
            "vectors"};
    if (stored.inputHash != wanted.inputHash)
        return otherRun("vectors", fmt::format("expected the state of these vectors (hash {}), found the state of "
                                               "other vectors (hash {}): the input has changed",
                                               wanted.inputHash, stored.inputHash));
    HEADSCOPE_CHECK(checkSameOptions(stored.options, wanted.options));
    if (stored.startHash != wanted.startHash)
        return otherRun("init", "expected the initial positions of this state, found other positions");
    if (state.checkpoint.iteration > wanted.options.iterations)
        return otherRun("iterations",
                        fmt::format("expected at least the {} iterations that this state has completed, found {}",
                                    state.checkpoint.iteration, wanted.options.iterations));
    return {};
}

} // namespace headscope
