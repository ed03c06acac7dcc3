// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/results/probe_baseline_results.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <optional>
#include <string>

namespace headscope
{

/// Writes what stands beside a probe's accuracy as the datasets of a group.
[[nodiscard]] Status writeBaselinesGroup(Hdf5Writer& file, const std::string& group, const ProbeBaselines& all);

/// Reads it back; none where there is no such group, as in files of earlier versions.
/// @errors BadFormat (a dataset is missing, of another shape, or holds what no probe gives)
[[nodiscard]] Result<std::optional<ProbeBaselines>> readBaselinesGroup(const Hdf5Reader& file,
                                                                       const std::string& group);

} // namespace headscope
