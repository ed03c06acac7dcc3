// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/stage.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names and rules of the cache file (model/io/FORMAT.md).
///
/// Checksums: the group /checksums holds two string datasets of one length, `name` and `xxh3`. For a
/// dataset of numbers the digest is XXH3-128 (hexadecimal) over its bytes in C order, little-endian,
/// as stored; for strings over every string followed by one NUL. For an object with attributes the
/// name is "PATH@" and the digest is over "attribute=value\n" for each known attribute that is
/// there, in the order of attributesOf; a real number is written with 17 digits.
namespace headscope::schema
{

inline constexpr std::string_view kFormat = "headscope-cache";
inline constexpr std::int64_t kVersion = 1;

inline constexpr const char* kModel = "/model";
inline constexpr const char* kModelSha256 = "/model/sha256";
inline constexpr const char* kIds = "/documents/id";
inline constexpr const char* kTexts = "/documents/text";
inline constexpr const char* kTokens = "/documents/tokens";
inline constexpr const char* kFlags = "/documents/flags";
inline constexpr const char* kLabels = "/documents/labels";
inline constexpr const char* kEmbeddings = "/embeddings";
inline constexpr const char* kFinal = "/embeddings/final"; ///< the sentence embedding
inline constexpr const char* kTopics = "/topics";
inline constexpr const char* kMaps = "/maps";
inline constexpr const char* kRange = "/range";
inline constexpr const char* kAskNames = "/asks/name"; ///< CacheHeader::asks
inline constexpr const char* kAskTexts = "/asks/text";
inline constexpr const char* kChecksumNames = "/checksums/name";
inline constexpr const char* kChecksumValues = "/checksums/xxh3";

/// A name as one step of a path: '/' becomes "%2F" and a lone "." "%2E".
[[nodiscard]] std::string stepFromName(std::string_view name);
/// The inverse of stepFromName.
[[nodiscard]] std::string nameFromStep(std::string_view step);

/// "layer_031".
[[nodiscard]] std::string layerGroup(LayerIndex layer);
/// The inverse of layerGroup, for any number of digits.
[[nodiscard]] std::optional<LayerIndex> layerFromGroup(std::string_view group);
/// "stage1", ..., "contribution" back to the stage of a layer.
[[nodiscard]] std::optional<Stage> stageFromDataset(std::string_view dataset);
/// "/embeddings/layer_031/stage1"; with a topic column "/topics/NAME/embeddings/layer_031/stage1". The sentence
/// embedding is "/embeddings/final", whatever the layer.
[[nodiscard]] std::string vectorsPath(LayerIndex layer, Stage stage);
[[nodiscard]] std::string topicVectorsPath(std::string_view column, LayerIndex layer, Stage stage);

/// The shape of a dataset of vectors: [rows, heads, dims], or [rows, dims] of the sentence embedding.
[[nodiscard]] std::vector<std::int64_t> vectorsShape(Stage stage, std::int64_t rows, std::int64_t heads,
                                                     std::int64_t dims);

/// The attributes that belong to an object and enter its digest, in order. Objects: "/", "/model",
/// "/model/sha256" (any names; empty here), "/embeddings/final", "/maps/NAME" and "/maps/SET/MEMBER".
[[nodiscard]] std::span<const char* const> attributesOf(std::string_view object);

} // namespace headscope::schema
