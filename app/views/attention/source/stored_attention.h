// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/attention_run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// A run that came with the program.
struct StoredAttention
{
    std::string name; ///< its file without the ending: how it is asked for
    std::filesystem::path file;
    AttentionRunPtr run;
};

/// The folder with the runs that came with the program: next to the installed program, else in its sources; empty:
/// there is none.
[[nodiscard]] std::filesystem::path storedAttentionFolder();

/// All runs of a folder, by their names. Files that cannot be read are left out.
/// @param problems  gets a sentence for each of these
/// @errors Cancelled
[[nodiscard]] Result<std::vector<StoredAttention>>
readStoredAttention(const std::filesystem::path& folder, std::vector<std::string>& problems, JobContext& job);

} // namespace headscope::desktop
