// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/model_info.h"
#include "model/io/results/placed_map.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// Head vectors to export for other programs, with the documents, heads and model they belong to.
struct VectorExport
{
    std::vector<std::shared_ptr<const HeadVectors>> vectors; ///< each [n, h, D]: chosen rows and heads
    std::vector<std::int64_t> rows;                          ///< [n] documents of the cache
    std::vector<std::int64_t> heads;                         ///< [h] 0-based
    std::shared_ptr<const DocumentSet> documents;            ///< of the cache
    ModelInfo model;
    std::vector<std::pair<std::string, std::string>> facts; ///< what made them
    std::vector<PlacedMap> maps = {};                       ///< of these rows and heads, names differ
};

/// Every file is written whole or not at all. Maps are left out of .npy; without maps nothing below mentions them.
/// @errors Resource

/// NumPy: one array [n, h, D] float32 in C order. Takes the first vectors alone.
[[nodiscard]] Status writeVectorsNpy(const std::filesystem::path& target, const VectorExport& from);
/// One line a document and head: document, id, labels, head (from 1), group (from 1), v0, v1, ...,
/// tsne_NAME_x, tsne_NAME_y and tsne_NAME_kept of each map.
[[nodiscard]] Status writeVectorsCsv(const std::filesystem::path& target, const VectorExport& from);
/// One object a document and head: {"document", "id", "labels", "head", "group", "vector", "maps"}; numbers that
/// are not finite are null. A map is {"NAME": [x, y]} or [x, y, kept].
[[nodiscard]] Status writeVectorsJsonl(const std::filesystem::path& target, const VectorExport& from);
/// Tensors layer_NNN/stageS [n, h, D] F32 of all vectors, documents [n] and heads [h] I64 (from 0),
/// labels/NAME [n] I32, maps/NAME [n, h, 2] and kept/NAME [n, h] F32; the facts, categories and those of
/// maps (maps/NAME: a JSON object) as metadata.
[[nodiscard]] Status writeVectorsSafetensors(const std::filesystem::path& target, const VectorExport& from);
/// AnnData (HDF5 layout 0.1.0): X [n h, D] float32, obs with id, document, head, group (from 0) and the
/// labels as categoricals, var, the facts as attributes of uns and as the data frame uns/headscope; of maps
/// obsm/X_tsne_NAME, obs/tsne_NAME_kept and uns/maps. Takes the first vectors alone.
[[nodiscard]] Status writeVectorsAnnData(const std::filesystem::path& target, const VectorExport& from);

} // namespace headscope
