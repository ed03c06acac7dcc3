// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/model_info.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{

/// Numbers of the heads of a model that a file holds, as `headscope-engine attention --statistics -o` writes them.
struct HeadStatisticsFile
{
    struct Table
    {
        std::string name;
        MatrixD values; ///< [Ls, H], NaN where a head has none
    };
    std::vector<std::int64_t> layers; ///< [Ls] ascending
    std::int64_t heads = 0;           ///< H
    std::int64_t documents = 0;       ///< they were taken over; 0: one text, or not known
    ModelInfo model;                  ///< name, changes and digests; empty where the file does not say
    std::vector<Table> tables;        ///< by name, at least one
};

/// Reads the datasets of /statistics that are [Ls, H] of numbers, all of one shape; `/attention/layers` says which
/// layers, else they are 0 to Ls - 1.
/// @errors those of Hdf5Reader; BadFormat (no statistics, other shapes, layers that do not ascend), Unsupported (more
///         layers, heads or tables than any model has)
/// @threads any
[[nodiscard]] Result<HeadStatisticsFile> readHeadStatistics(const std::filesystem::path& path, JobContext& job);

/// Whether a file is of that kind: for what was dropped. A file that cannot be read is of none.
[[nodiscard]] bool isHeadStatistics(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
