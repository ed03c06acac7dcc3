// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/gguf_metadata.h"
#include "model/formats/tensor_info.h"
#include "model/net/config/lora_adapter.h"
#include "model/net/config/model_config.h"
#include "model/net/config/tensor_names.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A model on disk whose headers were read and fit together. No weight was touched.
struct ModelFiles
{
    std::filesystem::path path;   ///< the folder, or the (first) .gguf file
    std::filesystem::path folder; ///< where config.json and tokenizer.json lie; of a .gguf file: its folder
    std::filesystem::path root;   ///< where modules.json lies, as a rule `folder` itself
    TensorNaming naming = TensorNaming::HuggingFace;
    ModelConfig config;
    TensorDirectory directory;
    GgufMetadata metadata;                   ///< GGUF only
    std::map<TensorKey, TensorInfo> tensors; ///< those that are used; parts of one tensor each by itself
    LoraAdapter adapter;                     ///< added to the weights when they are loaded
    std::vector<std::string> warnings;

    /// The tensor of this key, or nullptr.
    [[nodiscard]] const TensorInfo* find(const TensorKey& key) const;
    [[nodiscard]] bool isGguf() const { return naming == TensorNaming::Gguf; }
};

/// Whether a path names a model at all, whatever may be wrong with it.
/// @errors FileNotFound (nothing there, or a folder without a model), InvalidArgument (a folder with
///         several .gguf files), BadFormat (a file of another kind)
[[nodiscard]] Status checkModelPath(const std::filesystem::path& path);

/// Whether a path that a model's file names stays inside the model's folder.
[[nodiscard]] bool staysInside(std::string_view path);

/// The folder that holds config.json and tokenizer.json of a model in `root`: `root` itself, or the one that its
/// modules.json names for the network (0_Transformer, as old sentence-transformers wrote them).
[[nodiscard]] std::filesystem::path networkFolder(const std::filesystem::path& root);

/// Opens a model: a Hugging Face folder, one of its shards, its index file or config.json, a .gguf
/// file or a folder that holds one. Where both are there, model.safetensors is read and not the shards, unless one of
/// these or their index was named. Reads configuration and headers, and checks every tensor's
/// presence, type and shape against the configuration before anything is allocated for it.
///
/// @errors those of checkModelPath, else all problems of the model in one: FileNotFound, BadFormat, ShapeMismatch,
///         Unsupported (a family, an option, a number type, a tensor that is not understood)
/// @cost   the headers only
[[nodiscard]] Result<ModelFiles> openModel(const std::filesystem::path& path);

/// Matches a directory's tensors with what the configuration demands: fills files.tensors and
/// files.warnings, appends what is missing, superfluous or of another shape.
void matchTensors(ModelFiles& files, std::vector<Error>& problems);

} // namespace headscope
