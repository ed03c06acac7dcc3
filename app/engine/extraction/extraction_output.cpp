// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction/extraction_output.h"

#include "model/base/file_ending.h"
#include "model/base/folder_entries.h"
#include "model/base/output/output_file.h"
#include "model/base/output/output_path.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"

#include <system_error>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

namespace fs = std::filesystem;

/// Adds the files in a folder, but for caches, which are inputs of no extraction.
void addFilesIn(const fs::path& folder, FolderDepth depth, std::vector<fs::path>& files)
{
    std::error_code ignored; // what cannot be read is overwritten by nobody
    for (const auto& entry : entriesOf(folder, depth, ignored))
        if (!hasHdf5Ending(entry.path()))
            files.push_back(entry.path());
}

} // namespace

Result<fs::path> checkedOutput(const ExtractionRequest& request, bool overwrite)
{
    std::vector<fs::path> inputs = request.inputs;
    inputs.insert(inputs.end(), {request.model, request.topics, request.documents.labelMap});
    std::error_code ignored;
    if (fs::exists(request.output, ignored)) // else it cannot be one of the files of a folder
    {
        for (const fs::path& named : request.inputs)
            addFilesIn(named, FolderDepth::Subtree, inputs);
        addFilesIn(request.model, FolderDepth::Subtree, inputs);
        // A model may be named by any one of its files.
        if (fs::is_regular_file(request.model, ignored) && request.model.extension() != ".gguf")
            addFilesIn(fs::absolute(request.model, ignored).parent_path(), FolderDepth::Folder, inputs);
    }
    HEADSCOPE_CHECK(checkOutputPath(request.output, overwrite, inputs));
    return placeBehindLinks(request.output);
}

EmptyFolder::EmptyFolder(fs::path folder) : m_folder(std::move(folder)) {}

EmptyFolder::~EmptyFolder()
{
    if (const auto manifest = readManifest(m_folder); manifest && manifest->shards.empty())
        removeShards(m_folder);
}

} // namespace headscope::engine
