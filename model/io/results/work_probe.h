// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/results/probe_result.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>

namespace headscope
{

/// Writes everything a probe's result holds below a group: numbers as attributes, tables as datasets.
Status writeProbeGroup(Hdf5Writer& file, const std::string& group, const ProbeResult& probe);

/// Reads it back.
/// @errors BadFormat (a table is missing, tables do not fit together)
[[nodiscard]] Result<ProbeResult> readProbeGroup(const Hdf5Reader& file, const std::string& group);

} // namespace headscope
