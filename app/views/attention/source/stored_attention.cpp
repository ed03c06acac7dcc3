// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/source/stored_attention.h"

#include "model/base/folder_entries.h"
#include "model/io/results/attention/attention_reader.h"

#include <QCoreApplication>

#include <algorithm>
#include <system_error>
#include <utility>

namespace headscope::desktop
{

std::filesystem::path storedAttentionFolder()
{
    const std::filesystem::path program = QCoreApplication::applicationDirPath().toStdString();
    for (const std::filesystem::path& folder :
         {program / "../share/headscope/attention", std::filesystem::path(HEADSCOPE_ATTENTION_DIR)})
    {
        std::error_code failed;
        if (std::filesystem::is_directory(folder, failed))
            return folder;
    }
    return {};
}

Result<std::vector<StoredAttention>> readStoredAttention(const std::filesystem::path& folder,
                                                         std::vector<std::string>& problems, JobContext& job)
{
    std::vector<StoredAttention> stored;
    if (folder.empty())
        return stored;
    std::error_code failed;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : entriesOf(folder, FolderDepth::Folder, failed))
        if (entry.path().extension() == ".h5")
            files.push_back(entry.path());
    if (failed)
        problems.push_back(
            Error{ErrorCode::Resource, "this folder could not be read: " + failed.message(), folder.string(), {}}
                .sentence());
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files)
    {
        auto run = readAttentionRun(file, job);
        HEADSCOPE_CHECK(job.checkStop());
        if (!run)
        {
            problems.push_back(run.error().sentence());
            continue;
        }
        run->storedName = file.stem().string();
        stored.push_back({run->storedName, file, std::make_shared<const AttentionRun>(std::move(*run))});
    }
    return stored;
}

} // namespace headscope::desktop
