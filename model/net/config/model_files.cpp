// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_files.h"

#include "model/base/folder_entries.h"
#include "model/formats/gguf.h"
#include "model/formats/json.h"
#include "model/formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kConfigName = "config.json";
constexpr const char* kSingleName = "model.safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";

bool isThere(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

void openHuggingFace(const fs::path& folder, ModelFiles& files, std::vector<Error>& problems)
{
    files.folder = folder;
    files.path = folder;
    const fs::path configPath = folder / kConfigName;
    if (auto document = JsonDocument::parseFile(configPath))
        files.config = modelConfigFromJson(document->root(), configPath.string(), problems);
    else
        problems.push_back(std::move(document).error());

    if (isThere(folder / kIndexName))
        files.directory = openSafetensorsIndex(folder / kIndexName, problems);
    else if (isThere(folder / kSingleName))
    {
        if (auto directory = openSafetensors(folder / kSingleName))
            files.directory = std::move(*directory);
        else
            problems.push_back(std::move(directory).error());
    }
    else if (isThere(folder / "pytorch_model.bin") || isThere(folder / "pytorch_model.bin.index.json"))
        problems.push_back({ErrorCode::Unsupported,
                            "expected safetensors, found pytorch_model.bin, which may contain program code; convert it",
                            folder.string(),
                            {}});
    else
        problems.push_back({ErrorCode::FileNotFound,
                            fmt::format("expected {} or {}, found neither", kSingleName, kIndexName),
                            folder.string(),
                            {}});
}

void openGgufModel(const fs::path& path, ModelFiles& files, std::vector<Error>& problems)
{
    files.path = path;
    files.folder = path.parent_path();
    files.naming = TensorNaming::Gguf;
    GgufFile gguf = openGguf(path, problems);
    if (!problems.empty())
        return;
    files.config = modelConfigFromGguf(gguf, problems);
    files.directory = std::move(gguf.tensors);
    files.metadata = std::move(gguf.metadata);
}

/// The .gguf file a folder without config.json stands for: its only one, or the first part of the
/// only split one.
Result<fs::path> onlyGguf(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : entriesOf(folder, FolderDepth::Folder, ignored))
    {
        const std::string name = entry.path().filename().string();
        const bool laterPart = name.find("-of-") != std::string::npos && name.find("-00001-of-") == std::string::npos;
        if (entry.path().extension() == ".gguf" && !laterPart)
            found.push_back(entry.path());
    }
    if (found.size() == 1)
        return found.front();
    return Error{found.empty() ? ErrorCode::FileNotFound : ErrorCode::InvalidArgument,
                 fmt::format("expected a model ({} or one .gguf file), found {} .gguf files and no {}", kConfigName,
                             found.size(), kConfigName),
                 folder.string(),
                 {}};
}

} // namespace

const TensorInfo* ModelFiles::find(const TensorKey& key) const
{
    const auto found = tensors.find(key);
    return found == tensors.end() ? nullptr : &directory.tensors[found->second];
}

Status checkModelPath(const fs::path& path)
{
    if (!isThere(path))
        return Error{
            ErrorCode::FileNotFound, "expected a model folder or file, found nothing there", path.string(), {}};
    std::error_code ignored;
    const std::string name = path.filename().string();
    if (fs::is_directory(path, ignored))
    {
        if (isThere(path / kConfigName))
            return {};
        const auto gguf = onlyGguf(path);
        return gguf ? Status() : Status(gguf.error());
    }
    if (path.extension() == ".gguf" || path.extension() == ".safetensors" || name == kIndexName || name == kConfigName)
        return {};
    return Error{ErrorCode::BadFormat,
                 fmt::format("this is not a model: expected a folder with {} and .safetensors files, one of these "
                             "files, or a .gguf file",
                             kConfigName),
                 path.string(),
                 {}};
}

Result<ModelFiles> openModel(const fs::path& path)
{
    HEADSCOPE_CHECK(checkModelPath(path));
    ModelFiles files;
    std::vector<Error> problems;
    std::error_code ignored;
    const bool isFolder = fs::is_directory(path, ignored);
    if (path.extension() == ".gguf" && !isFolder)
        openGgufModel(path, files, problems);
    else if (isFolder && isThere(path / kConfigName))
        openHuggingFace(path, files, problems);
    else if (isFolder)
    {
        HEADSCOPE_TRY(const fs::path gguf, onlyGguf(path));
        openGgufModel(gguf, files, problems);
    }
    else
        openHuggingFace(path.has_parent_path() ? path.parent_path() : fs::path("."), files, problems);
    // Without a configuration nothing is known of the tensors that should be there.
    if (problems.empty())
        matchTensors(files, problems);
    if (!problems.empty())
        return combinedError(problems, files.path.string());
    files.warnings.insert(files.warnings.begin(), files.config.warnings.begin(), files.config.warnings.end());
    files.warnings.insert(files.warnings.end(), files.directory.warnings.begin(), files.directory.warnings.end());
    return files;
}

} // namespace headscope
