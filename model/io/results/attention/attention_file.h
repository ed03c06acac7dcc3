// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/output/output_file.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"
#include "model/data/matrix.h"
#include "model/data/model_info.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// What a file of attention has room for.
struct AttentionShapes
{
    std::vector<std::int64_t> layers; ///< [Ls] ascending, whose weights or statistics these are
    std::int64_t heads = 0;           ///< H
    std::int64_t kvHeads = 0;         ///< KV
    std::int64_t headDim = 0;         ///< Dh
    std::int64_t tokens = 0;          ///< T
    bool weights = true;
    std::vector<std::int64_t> weightHeads;   ///< [Hs] ascending, whose weights these are; empty: all
    std::int64_t thumbnailSide = 0;          ///< n of the small pictures of all heads; 0: none
    std::optional<std::int64_t> vectorLayer; ///< of queries, keys, values and outputs
    std::int64_t distances = 0; ///< 2 D + 1 columns of the bias by distance beside these; 0: scores have none

    /// Hs: H, or those that were chosen.
    [[nodiscard]] std::int64_t headsWithWeights() const
    {
        return weightHeads.empty() ? heads : static_cast<std::int64_t>(weightHeads.size());
    }
    /// The place of a head's weights; none: they are not among those that were chosen.
    [[nodiscard]] std::optional<std::int64_t> placeOf(HeadIndex head) const;

    [[nodiscard]] std::uint64_t bytes() const;
};

/// Of which text, and of which model, the attention is.
struct AttentionOrigin
{
    std::vector<std::int32_t> ids;   ///< [T]
    std::vector<std::string> tokens; ///< [T] what they spell
    std::string text;                ///< as it was given; "": ids were
    std::int64_t documents = 0;      ///< of statistics over a corpus, which has no tokens of one text; 0: of one text
    ModelInfo model;                 ///< with the digests of its files, and what was changed in it
    std::string tokenizerSha256;
    std::string command; ///< as it was typed
    bool causal = true;
    ScoreRule scores = {};
};

/// One array of the file: float32, in C order.
struct AttentionBlock
{
    std::string name; ///< "weights", "thumbnails", "q", "k", "v", "z", "bias"
    std::vector<std::int64_t> shape;
    std::uint64_t offset = 0; ///< of its first byte
};

/// A number for each layer and head, by name.
struct AttentionTable
{
    std::string name;
    MatrixD values; ///< [Ls, H]
};

/// Any other numbers.
struct AttentionArray
{
    std::string path; ///< "/paths/rollout"
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};

/// A file that attention is written into while it is computed, each row to its bytes: no more than what is handed over
/// is held. It appears under its name when it is whole.
///
/// HDF5: /attention/{weights [Ls, Hs, T, T], heads [Hs] where they are not all, thumbnails [Ls, H, n, n], layers [Ls],
/// tokens [T], ids [T], text [1]}, /qkv/{q [H, T, Dh], k [KV, T, Dh], v [KV, T, Dh], z [H, T, Dh],
/// bias [H, 2 D + 1]}, /statistics/NAME [Ls, H], and arrays. Plain: the blocks alone, one after another.
/// Moves, does not copy.
/// @threads one at a time
class AttentionFile
{
public:
    /// @errors those of OutputFile::create and Hdf5Writer
    [[nodiscard]] static Result<AttentionFile> create(const std::filesystem::path& target, AttentionShapes shapes,
                                                      const AttentionOrigin& origin);
    /// @errors those of OutputFile::create
    [[nodiscard]] static Result<AttentionFile> createPlain(const std::filesystem::path& target, AttentionShapes shapes);

    /// Rows of the attention of a head that has room.
    /// @param layer  one of AttentionShapes::layers
    /// @param rows   [n, T]
    /// @errors Resource (disk full, ...)
    [[nodiscard]] Status addRows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows);
    /// The small pictures of a layer.
    /// @param layer       one of AttentionShapes::layers
    /// @param thumbnails  [H, n n]
    /// @errors Resource
    [[nodiscard]] Status addThumbnails(LayerIndex layer, ConstMatrixView thumbnails);
    /// Queries, keys, values or outputs of the layer that has room: "q", "k", "v" or "z".
    /// @param vectors  [T, heads Dh], the heads side by side
    /// @errors Resource
    [[nodiscard]] Status addVectors(const std::string& name, ConstMatrixView vectors);

    /// What is added to scores by the distance of key and query.
    /// @param bias  [H, 2 D + 1]
    /// @errors Resource
    [[nodiscard]] Status addDistanceBias(ConstMatrixView bias);

    [[nodiscard]] const std::vector<AttentionBlock>& blocks() const { return m_blocks; }
    /// Adds tables and arrays, of which a plain file has none, and puts the file into its place.
    /// @errors Resource
    [[nodiscard]] Status publish(const std::vector<AttentionTable>& tables,
                                 const std::vector<AttentionArray>& arrays = {});

private:
    AttentionFile(OutputFile output, AttentionShapes shapes, std::vector<AttentionBlock> blocks, bool plain);
    [[nodiscard]] static std::vector<AttentionBlock> blocksOf(const AttentionShapes& shapes);
    [[nodiscard]] const AttentionBlock* block(const std::string& name) const;
    [[nodiscard]] std::optional<std::int64_t> placeOf(LayerIndex layer) const;
    [[nodiscard]] Error noRoom(const char* what, std::string place) const;

    OutputFile m_output;
    AttentionShapes m_shapes;
    std::vector<AttentionBlock> m_blocks;
    bool m_plain;
};

} // namespace headscope
