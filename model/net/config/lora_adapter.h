// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/formats/tensor_info.h"
#include "model/net/config/tensor_names.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

struct ModelFiles;

inline constexpr std::string_view kAdapterConfigName = "adapter_config.json";
inline constexpr std::string_view kAdapterWeightsName = "adapter_model.safetensors";

/// What a low-rank adapter adds to one weight matrix [out, in]: scale B A.
struct LoraPair
{
    TensorInfo a; ///< [rank, in]
    TensorInfo b; ///< [out, rank]
    double scale = 1;
};

/// A LoRA adapter that lies beside a model's weights and is added to them when they are loaded.
struct LoraAdapter
{
    std::map<TensorKey, LoraPair> pairs; ///< by the weight that each changes; empty = no adapter
    std::int64_t rank = 0;
    double scale = 1; ///< of all of them

    /// "LoRA adapter of rank 16, added to 56 weight matrices, scaled by 2"; "" = no adapter
    [[nodiscard]] std::string words() const;
};

/// Reads adapter_config.json and the header of adapter_model.safetensors into files.adapter, whose tensors lie in one
/// more file of files.directory.
/// @param folder  with both
/// @param files   a model whose tensors are matched
/// @param problems  takes what cannot be added exactly, by its name: Unsupported (another kind of adapter, DoRA,
/// biases,
///                  whole modules, patterns of ranks, other initialisations that change the base weights, a module that
///                  is no weight matrix of a layer), BadFormat (half of a pair, shapes that do not fit)
/// @source  Hu et al. 2021, arXiv 2106.09685; peft's LoraConfig for the names and defaults of the keys
void readAdapter(const std::filesystem::path& folder, ModelFiles& files, std::vector<Error>& problems);

/// The base model that an adapter's configuration names; "" = none.
[[nodiscard]] std::string baseModelOf(const std::filesystem::path& folder);

} // namespace headscope
