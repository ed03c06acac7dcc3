// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/results/placed_map.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

/// @errors Resource
namespace headscope::anndata
{

/// The column of /obs, and what stands behind "X_" in /obsm, for a map: "tsne_NAME".
[[nodiscard]] std::string mapKey(const PlacedMap& map);

/// /obsm/X_tsne_NAME [rows, 2] of each, and /uns/maps: a data frame with a row a map, its facts as columns.
[[nodiscard]] Status writeMaps(Hdf5Writer& file, std::span<const PlacedMap> maps);

/// /uns/headscope: a data frame with a row a fact, its only column "value". AnnData hands over no attributes of /uns.
[[nodiscard]] Status writeFacts(Hdf5Writer& file, const std::vector<std::pair<std::string, std::string>>& facts);

} // namespace headscope::anndata
