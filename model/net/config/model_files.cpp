// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_files.h"

#include "model/base/folder_entries.h"
#include "model/formats/gguf.h"
#include "model/formats/json.h"
#include "model/formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

/// An adapter without the weights that it changes.
Error adapterAloneError(const fs::path& folder)
{
    const std::string base = baseModelOf(folder);
    return {ErrorCode::Unsupported,
            fmt::format("the weights that this adapter (LoRA) changes are not in its folder; put the adapter into the "
                        "folder of its base model{}{}",
                        base.empty() ? "" : ", ", base),
            (folder / kAdapterConfigName).string(),
            {}};
}

/// Where an adapter lies; nothing where there is none.
std::optional<fs::path> adapterFolder(const ModelFiles& files)
{
    for (const fs::path& folder : {files.folder, files.root})
        if (isThere(folder / kAdapterConfigName))
            return folder;
    return std::nullopt;
}

/// Whether one of several files that hold the weights together, or their index, was named.
bool namesShards(const fs::path& named)
{
    const std::string name = named.filename().string();
    return name == kIndexName || (named.extension() == ".safetensors" && name.find("-of-") != std::string::npos);
}

/// @param named  what the user gave: the folder, or a file in it
void openWeights(const fs::path& named, ModelFiles& files, std::vector<Error>& problems)
{
    const fs::path& folder = files.folder;
    const bool single = isThere(folder / kSingleName);
    const bool shards = isThere(folder / kIndexName);
    if (shards && (!single || namesShards(named)))
        files.directory = openSafetensorsIndex(folder / kIndexName, problems);
    else if (single)
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
    else if (const auto adapter = adapterFolder(files))
        problems.push_back(adapterAloneError(*adapter));
    else
        problems.push_back({ErrorCode::FileNotFound,
                            fmt::format("expected {} or {}, found neither", kSingleName, kIndexName),
                            folder.string(),
                            {}});
    if (shards && single)
        files.warnings.push_back(
            namesShards(named)
                ? fmt::format("the shards of {} are read, because they were named; transformers would read {}, which "
                              "is in the same folder",
                              kIndexName, kSingleName)
                : fmt::format("{} is read, as transformers does; the shards of {} in the same folder are not read",
                              kSingleName, kIndexName));
}

void openHuggingFace(const fs::path& root, const fs::path& named, ModelFiles& files, std::vector<Error>& problems)
{
    files.root = root;
    files.folder = networkFolder(root);
    files.path = root;
    const fs::path configPath = files.folder / kConfigName;
    if (auto document = JsonDocument::parseFile(configPath))
        files.config = modelConfigFromJson(document->root(), configPath.string(), problems);
    else
        problems.push_back(std::move(document).error());
    openWeights(named, files, problems);
}

void openGgufModel(const fs::path& path, ModelFiles& files, std::vector<Error>& problems)
{
    files.path = path;
    files.folder = path.parent_path();
    files.root = files.folder;
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

bool staysInside(std::string_view path)
{
    return path.find("..") == std::string_view::npos && !fs::path(path).is_absolute();
}

fs::path networkFolder(const fs::path& root)
{
    const auto modules = JsonDocument::parseFile(root / "modules.json");
    if (!modules || !modules->root().isArray())
        return root; // readSentenceSettings says what is wrong
    for (const JsonView& module : modules->root().elements())
    {
        const auto type = module.isObject() ? module.find("type") : std::nullopt;
        const auto path = module.isObject() ? module.find("path") : std::nullopt;
        if (!type || !path || !type->asString().value_or("").ends_with(".Transformer"))
            continue;
        const std::string_view name = path->asString().value_or("");
        if (staysInside(name) && isThere(root / name / kConfigName))
            return name.empty() ? root : root / name;
    }
    return root;
}

const TensorInfo* ModelFiles::find(const TensorKey& key) const
{
    const auto found = tensors.find(key);
    return found == tensors.end() ? nullptr : &found->second;
}

Status checkModelPath(const fs::path& path)
{
    if (!isThere(path))
        return Error{ErrorCode::FileNotFound, "there is no such model folder or file", path.string(), {}};
    std::error_code ignored;
    const std::string name = path.filename().string();
    if (fs::is_directory(path, ignored))
    {
        if (isThere(networkFolder(path) / kConfigName))
            return {};
        if (isThere(path / kAdapterConfigName))
            return adapterAloneError(path);
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
    else if (isFolder && isThere(networkFolder(path) / kConfigName))
        openHuggingFace(path, path, files, problems);
    else if (isFolder)
    {
        HEADSCOPE_TRY(const fs::path gguf, onlyGguf(path));
        openGgufModel(gguf, files, problems);
    }
    else
        openHuggingFace(path.has_parent_path() ? path.parent_path() : fs::path("."), path, files, problems);
    // Without a configuration nothing is known of the tensors that should be there.
    if (problems.empty())
        matchTensors(files, problems);
    if (const auto adapter = adapterFolder(files); problems.empty() && !files.isGguf() && adapter)
        readAdapter(*adapter, files, problems);
    if (!problems.empty())
        return combinedError(problems, files.path.string());
    files.warnings.insert(files.warnings.begin(), files.config.warnings.begin(), files.config.warnings.end());
    files.warnings.insert(files.warnings.end(), files.directory.warnings.begin(), files.directory.warnings.end());
    return files;
}

} // namespace headscope
