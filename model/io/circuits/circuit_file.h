// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/circuit_result.h"
#include "model/data/frame/frame.h"
#include "model/data/model_digests.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope
{

/// Which verb wrote a file of circuits, and from what.
struct CircuitSource
{
    std::string_view verb; ///< "contributions", "composition", "lens"
    std::string command;   ///< as it was typed
    std::string model;     ///< its name
    NamedDigests hashes;   ///< of the model's files
};

/// Puts into a file what all files of circuits say of themselves, seals it, and puts it into its place.
/// @param facts  more attributes of the root
/// @errors those of the file
[[nodiscard]] Status publishCircuits(Hdf5Writer& file, const CircuitSource& source, const Members& facts);

/// Reads what `headscope-engine contributions`, `composition` or `lens` wrote as `.h5` (app/INTERFACE.md, section 5).
/// Singular directions and single vectors are not read.
/// @errors BadFormat (another file, one without its seal, or one that does not fit together), Unsupported (a newer
///         version), Resource, OutOfMemory, Cancelled
[[nodiscard]] Result<CircuitResult> readCircuitFile(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
