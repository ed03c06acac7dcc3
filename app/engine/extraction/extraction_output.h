// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/extraction/run_extraction.h"
#include "model/base/result.h"

#include <filesystem>

namespace headscope::engine
{

/// Where the cache of a request is written, behind links: what would be found out after hours is found out now.
/// @errors those of checkOutputPath; files of the model and of the texts are inputs
[[nodiscard]] Result<std::filesystem::path> checkedOutput(const ExtractionRequest& request, bool overwrite);

/// Takes away the folder of parts where no part came into it.
class EmptyFolder
{
public:
    explicit EmptyFolder(std::filesystem::path folder);
    ~EmptyFolder();
    EmptyFolder(const EmptyFolder&) = delete;
    EmptyFolder& operator=(const EmptyFolder&) = delete;

private:
    std::filesystem::path m_folder;
};

} // namespace headscope::engine
