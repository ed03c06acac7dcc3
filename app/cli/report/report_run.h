// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_plan.h"
#include "app/cli/verb.h"
#include "app/frames/json_type.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope::cli
{

/// What came of an item.
struct ReportPart
{
    ReportItem item;
    std::shared_ptr<const Json> answer; ///< of the verb, without times and lists of documents; null: left out
    std::vector<std::string> notices;
    std::vector<std::string> files; ///< that it wrote, below the folder; the one that was asked for first
    std::string leftOut;            ///< why there is nothing: the sentence of its error
    bool isKept = false;            ///< of an earlier run, whose files are still as they were written
};

/// Makes the folder of a report, with those inside it.
/// @errors Resource
[[nodiscard]] Status makeReportFolders(const std::filesystem::path& folder);

/// Removes from the folder what earlier runs left there of items that are not in this report, but for what somebody
/// changed since; of another cache only with --overwrite.
/// @param isOwn  what is of another cache may go, too
/// @errors WrongUse (the report of another cache is there)
[[nodiscard]] Status clearOthers(const std::vector<ReportItem>& items, const std::filesystem::path& folder, bool isOwn,
                                 const CommonOptions& common, JobContext& job);

/// Runs the items of a report one after another, each like the command that it is.
///
/// A record of every item that was done lies in FOLDER/data/ID.json: with the same command on inputs of the same
/// contents, and files that nobody changed since, it is not done again. Files of this report that lie there from
/// another command are replaced; other files only with --overwrite. An item whose data does not allow it is left out,
/// with its reason; what else goes wrong ends the run, and what was done is there for the next.
/// @param folder  made by makeReportFolders
/// @errors those of the verbs: Resource (also an input that changes meanwhile), OutOfMemory, Cancelled, WrongUse
///         (files in the way)
[[nodiscard]] Result<std::vector<ReportPart>> runReport(const std::vector<ReportItem>& items,
                                                        const std::filesystem::path& folder,
                                                        const CommonOptions& common, JobContext& job);

/// Writes a file of the report itself as the items' are: one that this program wrote, and nobody changed since, is
/// replaced.
/// @param name  below the folder
/// @errors WrongUse (somebody else's file is there), Resource
[[nodiscard]] Status writeReportFile(const std::filesystem::path& folder, const std::string& name,
                                     std::string_view bytes, const CommonOptions& common, JobContext& job);

} // namespace headscope::cli
