// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/results/probe_result.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <string>

namespace headscope
{

class RecordFields;

/// What a result of a probe holds, but for its baselines, which are converted, and for where it comes from.
void fields(RecordFields& record, ProbeResult& probe);
/// A row of a table each.
void fields(RecordFields& record, HeadScore& score);
void fields(RecordFields& record, FitStep& step);
void fields(RecordFields& record, ProbeBaseline& baseline);

/// Writes everything a probe's result holds below a group: numbers as attributes, tables as datasets, and what
/// it is compared with as the group `baselines`.
Status writeProbeGroup(Hdf5Writer& file, const std::string& group, const ProbeResult& probe);

/// Reads it back; one that an earlier version wrote has no baselines.
/// @errors BadFormat (a table is missing, tables do not fit together, baselines that no probe has)
[[nodiscard]] Result<ProbeResult> readProbeGroup(const Hdf5Reader& file, const std::string& group);

} // namespace headscope
