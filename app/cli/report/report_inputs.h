// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "model/base/fields/fields.h"
#include "model/base/input/disk_stamp.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/input_digest.h"

#include <filesystem>
#include <map>
#include <utility>

namespace headscope::cli
{

/// The contents of the files that the parts of a report are made from. Each is read once in a run, as long as it stays
/// as it is.
class ReportInputs
{
public:
    /// The digests of all files that the options of a verb name, by option; null for one that is not there.
    /// @errors those of CacheReader::open, digestOf and InputDigest::ofFile
    [[nodiscard]] Result<Json> of(const Fields& table, JobContext& job);

private:
    [[nodiscard]] Result<InputDigest> digest(const std::filesystem::path& file, bool isCache, JobContext& job);

    std::map<std::pair<DiskStamp, bool>, InputDigest> m_known;
};

} // namespace headscope::cli
