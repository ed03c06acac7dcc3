// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/tsne_state_file.h"

#include "model/io/cache/map_io.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

constexpr const char* kFormat = "headscope-tsne-state";
constexpr std::int64_t kVersion = 1;
constexpr const char* kGroup = "/state";

Error badState(const std::filesystem::path& path, std::string_view place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), std::string(place)};
}

Status writePart(Hdf5Writer& file, const char* name, const MatrixF& values)
{
    const std::array shape = {values.rows(), values.cols()};
    return file.write(fmt::format("{}/{}", kGroup, name), shape, NumberType::F32,
                      std::as_bytes(std::span(values.values())));
}

Result<MatrixF> readPart(const Hdf5Reader& file, const char* name, std::int64_t points)
{
    const std::string dataset = fmt::format("{}/{}", kGroup, name);
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (info.shape != std::vector<std::int64_t>{points, 2})
        return badState(file.path(), dataset,
                        fmt::format("expected [{}, 2] float32, found {}", points, info.describe()));
    HEADSCOPE_TRY(auto values, readNumbers<float>(file, dataset));
    return MatrixF(points, 2, std::move(values));
}

Status writeIdentity(Hdf5Writer& file, const TsneIdentity& identity)
{
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "points", identity.points));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "dims", identity.dims));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "input_hash", identity.inputHash));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "start_hash", identity.startHash));
    return writeTsneOptions(file, kGroup, identity.options, kRecordUse | kIdentityUse);
}

Result<TsneIdentity> readIdentity(const Hdf5Reader& file)
{
    TsneIdentity identity;
    // A state of before affinities were named was dense where repulsion was exact.
    const bool dense = file.integerAttribute(kGroup, "points").value_or(0) <=
                       file.integerAttribute(kGroup, "exact_below").value_or(-1);
    identity.options = readTsneOptions(file, kGroup, dense ? TsneAffinities::Dense : TsneAffinities::Sparse,
                                       kRecordUse | kIdentityUse);
    for (const auto& [name, into] : {std::pair("points", &identity.points), std::pair("dims", &identity.dims)})
    {
        const auto value = file.integerAttribute(kGroup, name);
        if (!value)
            return badState(file.path(), kGroup, fmt::format("expected the attribute {}, found none", name));
        *into = *value;
    }
    for (const char* name : {"exact_below", "exact_neighbors_below"})
        if (!file.integerAttribute(kGroup, name))
            return badState(file.path(), kGroup, fmt::format("expected the attribute {}, found none", name));
    identity.inputHash = file.textAttribute(kGroup, "input_hash").value_or("");
    identity.startHash = file.textAttribute(kGroup, "start_hash").value_or("");
    return identity;
}

/// Where a run with autoStop stands; of other runs it says nothing.
Status writePhase(Hdf5Writer& file, const TsnePhase& phase)
{
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "exaggeration_end", std::int64_t{phase.exaggerationEnd}));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "finished", std::int64_t{phase.finished ? 1 : 0}));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "last_kl", phase.kl));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "fastest_fall", phase.fastest));
    return file.setAttribute(kGroup, "slower_checks", std::int64_t{phase.slower});
}

TsnePhase readPhase(const Hdf5Reader& file)
{
    const auto small = [&](const std::string& name, std::int64_t otherwise) {
        const std::int64_t value = file.integerAttribute(kGroup, name).value_or(otherwise);
        return static_cast<int>(std::clamp<std::int64_t>(value, -1, std::numeric_limits<int>::max()));
    };
    TsnePhase phase;
    phase.exaggerationEnd = small("exaggeration_end", phase.exaggerationEnd);
    phase.finished = small("finished", 0) == 1;
    phase.kl = file.numberAttribute(kGroup, "last_kl").value_or(0.0);
    phase.fastest = file.numberAttribute(kGroup, "fastest_fall").value_or(0.0);
    phase.slower = std::max(0, small("slower_checks", 0));
    return phase;
}

Status checkFormat(const Hdf5Reader& file)
{
    const std::string format = file.textAttribute("/", "format").value_or("");
    if (format != kFormat)
        return badState(file.path(), {},
                        fmt::format("expected the state of a t-SNE ({}), found {}", kFormat,
                                    format.empty() ? "a file of another kind" : format));
    const std::int64_t version = file.integerAttribute("/", "version").value_or(0);
    if (version > kVersion)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected version {} or older, found {}: a newer Headscope wrote it", kVersion, version),
            file.path().string(),
            {}};
    return {};
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

} // namespace

Status writeTsneState(const std::filesystem::path& target, const TsneStateFile& state)
{
    // A job of its own: it is written because another one was asked to stop.
    JobContext job;
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(file.setAttribute("/", "format", kFormat));
    HEADSCOPE_CHECK(file.setAttribute("/", "version", kVersion));
    HEADSCOPE_CHECK(file.setAttribute("/", "application", std::string("Headscope " HEADSCOPE_VERSION)));
    HEADSCOPE_CHECK(file.makeGroup(kGroup));
    HEADSCOPE_CHECK(writeIdentity(file, state.identity));
    HEADSCOPE_CHECK(file.setAttribute(kGroup, "iteration", std::int64_t{state.checkpoint.iteration}));
    HEADSCOPE_CHECK(writePhase(file, state.checkpoint.phase));
    HEADSCOPE_CHECK(writePart(file, "positions", state.checkpoint.positions));
    HEADSCOPE_CHECK(writePart(file, "velocities", state.checkpoint.velocities));
    HEADSCOPE_CHECK(writePart(file, "gains", state.checkpoint.gains));
    return file.publish([&job](const std::filesystem::path& part) { return sealFile(part, {}, job); });
}

Result<TsneStateFile> readTsneState(const std::filesystem::path& path)
{
    JobContext job;
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_CHECK(checkFormat(file));
    if (file.seal() != SealState::Good)
        return badState(path, {}, "expected a seal, found none: the file was changed or cut short");
    TsneStateFile state;
    HEADSCOPE_TRY(state.identity, readIdentity(file));
    HEADSCOPE_TRY(state.checkpoint.positions, readPart(file, "positions", state.identity.points));
    HEADSCOPE_TRY(state.checkpoint.velocities, readPart(file, "velocities", state.identity.points));
    HEADSCOPE_TRY(state.checkpoint.gains, readPart(file, "gains", state.identity.points));
    const std::int64_t iteration = file.integerAttribute(kGroup, "iteration").value_or(-1);
    if (iteration < 0 || iteration > std::numeric_limits<int>::max())
        return badState(path, kGroup, fmt::format("expected a number of iterations, found {}", iteration));
    state.checkpoint.iteration = static_cast<int>(iteration);
    state.checkpoint.phase = readPhase(file);
    return state;
}

Status checkSameRun(const TsneStateFile& state, const TsneIdentity& wanted)
{
    const TsneIdentity& stored = state.identity;
    if (stored.points != wanted.points || stored.dims != wanted.dims)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected the state of {} points of {} numbers, found one of {} points of {}",
                                 wanted.points, wanted.dims, stored.points, stored.dims),
                     {},
                     "vectors"};
    if (stored.inputHash != wanted.inputHash)
        return otherRun("vectors", fmt::format("expected the state of these vectors (hash {}), found that of others "
                                               "(hash {}): the input has changed",
                                               wanted.inputHash, stored.inputHash));
    HEADSCOPE_CHECK(checkSameOptions(stored.options, wanted.options));
    if (stored.startHash != wanted.startHash)
        return otherRun("init", "expected the positions that this state began from, found others");
    if (state.checkpoint.iteration > wanted.options.iterations)
        return otherRun("iterations",
                        fmt::format("expected at least the {} iterations that this state has done, found {}",
                                    state.checkpoint.iteration, wanted.options.iterations));
    return {};
}

} // namespace headscope
