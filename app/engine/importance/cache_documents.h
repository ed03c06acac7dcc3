// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/importance_command.h"
#include "app/engine/importance/importance_job.h"
#include "model/base/job_context.h"
#include "model/base/output/temporary_path.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"

#include <memory>
#include <string>

namespace headscope::engine
{

/// Documents of a cache in place of files of them: written into a folder that goes with this value, and read from there
/// like any others, with the topics that the cache's label has.
class CacheDocuments
{
public:
    /// The command as typed where its documents are files.
    /// @errors WrongUse (--rows without a cache, rows that are none), InvalidArgument (a cache without texts or of a
    /// changed model, a
    ///         label or rows that it does not have), those of CacheReader and writeFileAtomically
    [[nodiscard]] static Result<CacheDocuments> open(const commands::ImportanceCommand& command, JobContext& job);

    /// What is to be run.
    [[nodiscard]] const commands::ImportanceCommand& command() const { return m_command; }
    /// Gives the documents the ids of the cache, and the label its name there.
    void restoreNames(ImportanceFindings& found) const;

private:
    commands::ImportanceCommand m_command;
    TemporaryPath m_folder;
    std::shared_ptr<const DocumentSet> m_documents; ///< null: they are files
    std::string m_label;                            ///< of the cache; "": none
};

} // namespace headscope::engine
