// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/tsne_checkpoint.h"
#include "model/data/maps/tsne_options.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope
{

/// Which run a checkpoint belongs to: continuing from that of another run would give a meaningless map.
struct TsneIdentity
{
    std::int64_t points = 0;
    std::int64_t dims = 0;
    std::string inputHash; ///< XXH3 of the vectors' bytes
    std::string startHash; ///< XXH3 of given start positions; empty for other starts
    TsneOptions options;
};

/// A run as it stands between two iterations.
struct TsneStateFile
{
    TsneIdentity identity;
    TsneCheckpoint checkpoint;
};

class RecordFields;

/// The attributes and datasets of /state.
void fields(RecordFields& record, TsneIdentity& identity);
void fields(RecordFields& record, TsnePhase& phase);
void fields(RecordFields& record, TsneStateFile& state);

/// Writes an HDF5 file whole or not at all, replacing what was there:
/// /state/{positions, velocities, gains} [P, 2] float32, and as attributes of /state the iteration,
/// points, dims, input_hash, start_hash and the options as a map has them. The root has format
/// "headscope-tsne-state" and version 1; the file is sealed (file_seal.h).
/// @errors Resource
/// @cost   24 bytes a point: 8 MB and some 20 ms for 320,000 points
[[nodiscard]] Status writeTsneState(const std::filesystem::path& target, const TsneStateFile& state);

/// @errors FileNotFound, BadFormat (of another kind, damaged, not sealed), Unsupported (a newer version)
[[nodiscard]] Result<TsneStateFile> readTsneState(const std::filesystem::path& path);

/// Refuses to go on from the state of another run, naming the first thing that differs.
///
/// Points, vectors, perplexity, metric, start, seed and the limits of exactness decide the
/// affinities or where the points began: they must be equal. Iterations, exaggerations, learning
/// rate, momentum and the longest step may be others from here on.
/// @errors ShapeMismatch, InvalidArgument (place: what differs; iterations fewer than are done)
[[nodiscard]] Status checkSameRun(const TsneStateFile& state, const TsneIdentity& wanted);

} // namespace headscope
