// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/file.h"
#include "model/base/input/disk_stamp.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/net/config/model_files.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace headscope
{

/// The files of a model, opened to be read by pread.
/// @threads everything from any number of threads
class WeightFiles
{
public:
    /// @errors FileNotFound, Resource, BadFormat (a file changed since its header was read)
    [[nodiscard]] static Result<std::shared_ptr<const WeightFiles>> open(const ModelFiles& files);

    /// Fills `into` from a place of file `file` of the model's directory.
    /// @errors BadFormat ("the model changed while it was used"), Resource
    [[nodiscard]] Status readAt(std::int32_t file, std::uint64_t offset, std::span<std::byte> into) const;
    /// @errors BadFormat ("the model changed while it was used")
    [[nodiscard]] Status checkUnchanged() const;

private:
    struct OpenFile
    {
        File file;
        DiskStamp stamp;
    };
    std::vector<OpenFile> m_files;
};

/// Which layers are loaded, and how.
struct WeightOptions
{
    /// The deepest layer that is needed; later ones are not loaded. -1 = all.
    std::int64_t lastLayer = -1;
    int threads = 1;
    /// Layers before it are not loaded. With lastLayer before it: no layer.
    std::int64_t firstLayer = 0;
    /// Norms, rotary factors and embedding tables outside the layers.
    bool outsideLayers = true;
    /// The matrices of the layers' MLPs.
    bool withMlp = true;
    /// Projections to queries, keys and values and the matrices of MLPs lie packed (weight_product.h) where they are
    /// copied anyway and their rows fill bands: for operations that multiply them so (packsWeights).
    bool packed = false;
    /// Set: everything is copied from here, and nothing is mapped. Null: files with tensors that can be
    /// used as they lie are mapped.
    std::shared_ptr<const WeightFiles> opened = nullptr;
};

/// The weights of a model in host memory as float32, row-major [out, in].
///
/// Tensors stored as aligned F32 are used where they lie in the mapped file; the others are read by
/// pread and turned into float32 once, with the interleaved q and k rows of GGUF "llama" files put back
/// in order. Embedding tables stay on disk and are read row by row. Matrices that follow each other in
/// memory when they are mapped do so when they are copied, and no others: products of neighbours are
/// joined, so this is part of a result's last bits.
/// @threads everything const from any number of threads
class Weights
{
public:
    /// @errors BadFormat (a file changed since its header was read), Resource, OutOfMemory, Cancelled
    /// @cost   one read of the weights that need turning, about 1 GB/s a core
    [[nodiscard]] static Result<Weights> load(const ModelFiles& files, const WeightOptions& options, JobContext& job);

    [[nodiscard]] const ModelConfig& config() const { return m_config; }
    /// One beyond the last layer that was loaded, the first being WeightOptions::firstLayer; 0 = none.
    [[nodiscard]] std::int64_t loadedLayers() const { return m_loadedLayers; }
    /// Whether the model has this tensor and its layer was loaded (embedding tables: see below).
    [[nodiscard]] bool has(const TensorKey& key) const { return m_matrices.contains(key); }
    /// A tensor as a matrix (vectors as [1, n]); an empty view when the model has none. No packed one.
    [[nodiscard]] ConstMatrixView matrix(const TensorKey& key) const;
    /// The same as it lies in memory: of a packed tensor its bands.
    [[nodiscard]] ConstMatrixView stored(const TensorKey& key) const;
    [[nodiscard]] bool isPacked(const TensorKey& key) const { return m_packed.contains(key); }
    /// A copy in rows.
    [[nodiscard]] MatrixF rowsOf(const TensorKey& key) const;

    /// Row `row` of an embedding table, [Dm].
    /// @errors BadFormat (the model changed), Resource
    [[nodiscard]] Status embeddingRow(TensorRole table, std::int64_t row, std::span<float> into) const;
    [[nodiscard]] std::int64_t embeddingRows(TensorRole table) const;

    /// Whether the files are still those that were opened; asked between batches.
    /// @errors BadFormat ("the model changed while it was used")
    [[nodiscard]] Status checkUnchanged() const;

    /// Whether a tensor is used where its file has it, when files are mapped.
    [[nodiscard]] static bool usableInPlace(const ModelConfig& config, const TensorKey& key, const TensorInfo& info);

    /// Bytes of float32 that were allocated.
    [[nodiscard]] std::uint64_t allocatedBytes() const { return m_allocatedBytes; }
    /// Bytes that are used where they lie in the files.
    [[nodiscard]] std::uint64_t mappedBytes() const { return m_mappedBytes; }

private:
    friend class WeightLoader;

    struct Table
    {
        TensorType type = TensorType::F32;
        std::int32_t file = 0;
        std::uint64_t offset = 0;
        std::int64_t rows = 0;
        std::uint64_t rowBytes = 0;
    };

    ModelConfig m_config;
    std::int64_t m_loadedLayers = 0;
    std::vector<MappedFile> m_maps; ///< of files that are used in place
    std::shared_ptr<const WeightFiles> m_opened;
    std::vector<std::unique_ptr<float[]>> m_blocks;
    std::map<TensorKey, ConstMatrixView> m_matrices;
    std::set<TensorKey> m_packed;
    std::map<TensorRole, Table> m_tables;
    std::uint64_t m_allocatedBytes = 0;
    std::uint64_t m_mappedBytes = 0;
};

/// Row of a head of `headDim` rows, as rotate_half wants it, that row `row` of a GGUF "llama" file
/// holds: its converter interleaves the two halves.
[[nodiscard]] constexpr std::int64_t unpermutedRow(std::int64_t row, std::int64_t headDim)
{
    const std::int64_t head = row / headDim * headDim;
    const std::int64_t inner = row % headDim;
    return head + inner / 2 + (inner % 2) * (headDim / 2);
}

} // namespace headscope
