// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/weights/weights.h"

#include "model/base/memory/pages.h"
#include "model/base/parallel.h"
#include "model/kernels/dequantise.h"
#include "model/kernels/weight_product.h"
#include "model/net/weights/weight_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::size_t kLineFloats = 16; ///< numbers of a cache line

/// What is added to the numbers of a tensor.
float addendOf(const ModelConfig& config, const TensorKey& key)
{
    return config.normWeightsFromOne && isNorm(key.role) && !key.bias ? 1.0F : 0.0F;
}

bool isMlpMatrix(TensorRole role)
{
    return role == TensorRole::Gate || role == TensorRole::Up || role == TensorRole::Down;
}

/// Whether the rows of a matrix that activations are multiplied by fill bands, and those of each of its heads.
bool fillsBands(const ModelConfig& config, const TensorKey& key, const ConstMatrixView& view)
{
    using enum TensorRole;
    const bool ofHeads = key.role == Q || key.role == K || key.role == V;
    return !key.bias && (ofHeads || isMlpMatrix(key.role)) && view.rows() % kWeightBand == 0 &&
           (!ofHeads || config.headDim % kWeightBand == 0);
}

bool hasPermutedRows(const ModelConfig& config, const TensorKey& key)
{
    return config.permutedHeads && (key.role == TensorRole::Q || key.role == TensorRole::K);
}

Error changedError(const std::filesystem::path& path)
{
    return {ErrorCode::BadFormat,
            "the model changed while it was used: expected the file that was opened, found another file",
            path.string(),
            {}};
}

} // namespace

/// Plans where every tensor lies, allocates, then turns all of them at once.
class WeightLoader
{
public:
    WeightLoader(const ModelFiles& files, const WeightOptions& options) : m_files(files), m_options(options)
    {
        m_weights.m_config = files.config;
        m_weights.m_opened = options.opened;
        const std::int64_t layers = files.config.layers;
        m_weights.m_loadedLayers = options.lastLayer < 0 ? layers : std::min(layers, options.lastLayer + 1);
        if (options.firstLayer >= m_weights.m_loadedLayers)
            m_weights.m_loadedLayers = 0;
    }

    Result<Weights> load(JobContext& job)
    {
        if (!m_options.opened)
        {
            HEADSCOPE_TRY(m_weights.m_opened, WeightFiles::open(m_files));
            HEADSCOPE_CHECK(mapFiles());
        }
        try
        {
            if (m_options.outsideLayers)
            {
                for (const TensorName& each : m_files.config.traits().tensors)
                    if (isEmbeddingTable(each.role))
                        placeTable(each.role);
                placeGroup(isOutsideLayers, 0);
            }
            for (std::int64_t layer = m_options.firstLayer; layer < m_weights.m_loadedLayers; ++layer)
                placeGroup(isLayerRole, layer);
        }
        catch (const std::bad_alloc&)
        {
            return Error{ErrorCode::OutOfMemory,
                         fmt::format("the weights need more memory than is available; {} bytes were allocated before",
                                     m_weights.m_allocatedBytes),
                         m_files.path.string(),
                         {}};
        }
        HEADSCOPE_CHECK(convertAll(job));
        return std::move(m_weights);
    }

private:
    using Tensors = std::vector<std::pair<TensorKey, const TensorInfo*>>;

    Status mapFiles()
    {
        for (const TensorFile& file : m_files.directory.files)
        {
            HEADSCOPE_TRY(MappedFile mapped, MappedFile::open(file.path));
            if (mapped.bytes().size() != file.bytes)
                return changedError(file.path);
            m_weights.m_maps.push_back(std::move(mapped));
        }
        return {};
    }

    void placeTable(TensorRole role)
    {
        const TensorInfo* info = m_files.find({role});
        if (info == nullptr)
            return;
        const std::int64_t rows = info->shape[0];
        m_weights.m_tables[role] = {.type = info->type,
                                    .file = info->file,
                                    .offset = info->offset,
                                    .rows = rows,
                                    .rowBytes = info->bytes / static_cast<std::uint64_t>(rows)};
    }

    [[nodiscard]] bool isPermuted(const TensorKey& key) const { return hasPermutedRows(m_files.config, key); }

    /// Gives every tensor of a layer (or of the model) its place: in the file, or in one new block.
    void placeGroup(bool (*belongs)(TensorRole), std::int64_t layer)
    {
        Tensors inPlace;
        Tensors converted;
        std::uint64_t total = 0;
        for (std::size_t role = 0; role < kNumTensorRoles; ++role)
            for (const bool bias : {false, true})
            {
                const TensorKey key{static_cast<TensorRole>(role), layer, bias};
                const TensorInfo* info = m_files.find(key);
                if (info == nullptr || !belongs(key.role) || (!m_options.withMlp && isMlpMatrix(key.role)))
                    continue;
                if (!m_files.adapter.pairs.contains(key) && Weights::usableInPlace(m_files.config, key, *info))
                {
                    inPlace.emplace_back(key, info);
                    continue;
                }
                // Biases follow all matrices, so that they do not part q, k and v.
                converted.insert(bias ? converted.end() : converted.begin() + numMatrices(converted), {key, info});
                total += info->elements();
            }
        placeInPlace(inPlace);
        if (total == 0)
            return;
        float* next = newBlock(total);
        for (const auto& [key, info] : converted)
        {
            const ConstMatrixView view = viewOf(*info, next);
            const bool asColumn = view.rows() == 1 && (isPermuted(key) || info->groupRows > 0);
            m_weights.m_matrices[key] = view;
            Conversion conversion =
                conversionOf(*info, next, asColumn ? view.cols() : view.rows(), asColumn ? 1 : view.cols());
            conversion.permutedHeadDim = isPermuted(key) ? m_files.config.headDim : 0;
            conversion.storedCols = info->storedCols;
            conversion.groupRows = info->groupRows;
            conversion.groupStep = info->groupStep;
            conversion.addend = addendOf(m_files.config, key);
            if (const auto pair = m_files.adapter.pairs.find(key); pair != m_files.adapter.pairs.end())
                conversion.adapter = &pair->second;
            conversion.packed = m_options.packed && fillsBands(m_files.config, key, view);
            if (conversion.packed)
                m_weights.m_packed.insert(key);
            m_conversions.push_back(conversion);
            next += info->elements();
        }
    }
    /// Float32 tensors stay where they are mapped. Of opened files they are copied, neighbours in the
    /// file as neighbours and all others apart.
    void placeInPlace(Tensors& tensors)
    {
        if (!m_options.opened)
        {
            for (const auto& [key, info] : tensors)
            {
                const auto bytes = m_weights.m_maps[static_cast<std::size_t>(info->file)].bytes();
                m_weights.m_matrices[key] =
                    viewOf(*info, reinterpret_cast<const float*>(bytes.subspan(info->offset, info->bytes).data()));
                m_weights.m_mappedBytes += info->bytes;
            }
            return;
        }
        if (tensors.empty())
            return;
        std::ranges::sort(tensors, {},
                          [](const auto& entry) { return std::pair(entry.second->file, entry.second->offset); });
        std::uint64_t total = 0;
        for (const auto& [key, info] : tensors)
            total += info->elements() + kLineFloats;
        float* next = newBlock(total);
        const TensorInfo* former = nullptr;
        for (const auto& [key, info] : tensors)
        {
            if (former != nullptr && (former->file != info->file || former->offset + former->bytes != info->offset))
                next += kLineFloats;
            const ConstMatrixView view = viewOf(*info, next);
            m_weights.m_matrices[key] = view;
            m_conversions.push_back(conversionOf(*info, next, view.rows(), view.cols()));
            next += info->elements();
            former = info;
        }
    }
    [[nodiscard]] Conversion conversionOf(const TensorInfo& info, float* to, std::int64_t rows, std::int64_t cols) const
    {
        return {.type = info.type,
                .file = info.file,
                .offset = info.offset,
                .bytes = info.bytes,
                .to = to,
                .rows = rows,
                .cols = cols};
    }
    float* newBlock(std::uint64_t numbers)
    {
        m_weights.m_blocks.push_back(std::make_unique_for_overwrite<float[]>(numbers + kLineFloats));
        void* first = m_weights.m_blocks.back().get();
        std::size_t room = (numbers + kLineFloats) * sizeof(float);
        std::align(kLineFloats * sizeof(float), numbers * sizeof(float), first, room);
        adviseLargePages({static_cast<std::byte*>(first), numbers * sizeof(float)});
        m_weights.m_allocatedBytes += numbers * sizeof(float);
        return static_cast<float*>(first);
    }
    static std::ptrdiff_t numMatrices(const Tensors& tensors)
    {
        return std::ranges::count_if(tensors, [](const auto& entry) { return !entry.first.bias; });
    }
    static ConstMatrixView viewOf(const TensorInfo& info, const float* data)
    {
        const bool vector = info.shape.size() == 1;
        return {data, vector ? 1 : info.shape[0], vector ? info.shape[0] : info.shape[1]};
    }

    Status convertAll(JobContext& job)
    {
        // Pieces of about a million numbers, so that a stop is seen within milliseconds.
        struct Piece
        {
            const Conversion* conversion;
            std::int64_t begin;
            std::int64_t end;
        };
        std::vector<Piece> pieces;
        for (const Conversion& conversion : m_conversions)
        {
            const std::int64_t unit = conversion.rowUnit();
            const std::int64_t step = std::max(unit, (1 << 20) / conversion.cols / unit * unit);
            for (std::int64_t row = 0; row < conversion.rows; row += step)
                pieces.push_back({&conversion, row, std::min(conversion.rows, row + step)});
        }
        const auto total = static_cast<std::int64_t>(pieces.size());
        std::mutex mutex;
        std::uint64_t done = 0;
        std::optional<Error> failure;
        parallelForBlocks(m_options.threads, total, 1, [&](const Block& block, int) {
            if (job.stopRequested())
                return;
            const Piece& piece = pieces[static_cast<std::size_t>(block.index)];
            Status status = convertRows(*piece.conversion, *m_weights.m_opened, piece.begin, piece.end);
            const std::lock_guard lock(mutex);
            if (!status && !failure)
                failure = status.error();
            job.report("reading weights", ++done, static_cast<std::uint64_t>(total), "pieces");
        });
        HEADSCOPE_CHECK(job.checkStop());
        if (failure)
            return failure->file.empty() ? std::move(*failure).inFile(m_files.path.string()) : std::move(*failure);
        return m_weights.checkUnchanged();
    }

    const ModelFiles& m_files;
    WeightOptions m_options;
    Weights m_weights;
    std::vector<Conversion> m_conversions;
};

Result<std::shared_ptr<const WeightFiles>> WeightFiles::open(const ModelFiles& files)
{
    auto opened = std::make_shared<WeightFiles>();
    for (const TensorFile& file : files.directory.files)
    {
        HEADSCOPE_TRY(const DiskStamp stamp, diskStampOf(file.path)); // before: what takes its place then, is noticed
        HEADSCOPE_TRY(File one, File::openForReading(file.path));
        if (one.size() != file.bytes)
            return changedError(file.path);
        opened->m_files.push_back({std::move(one), stamp});
    }
    return std::shared_ptr<const WeightFiles>(std::move(opened));
}

Status WeightFiles::readAt(std::int32_t file, std::uint64_t offset, std::span<std::byte> into) const
{
    const File& one = m_files[static_cast<std::size_t>(file)].file;
    auto status = one.readAt(offset, into);
    if (!status && status.error().code == ErrorCode::BadFormat)
        return changedError(one.path()); // shorter than it was
    return status;
}

Status WeightFiles::checkUnchanged() const
{
    for (const auto& [file, stamp] : m_files)
        if (const auto now = diskStampOf(file.path()); !now || *now != stamp)
            return changedError(file.path());
    return {};
}

Result<Weights> Weights::load(const ModelFiles& files, const WeightOptions& options, JobContext& job)
{
    return WeightLoader(files, options).load(job);
}

bool Weights::usableInPlace(const ModelConfig& config, const TensorKey& key, const TensorInfo& info)
{
    return info.type == TensorType::F32 && !hasPermutedRows(config, key) && info.storedCols == 0 &&
           info.groupRows == 0 && addendOf(config, key) == 0 && info.offset % alignof(float) == 0; // maps are aligned
}

ConstMatrixView Weights::matrix(const TensorKey& key) const
{
    HEADSCOPE_ASSERT(!isPacked(key));
    return stored(key);
}

MatrixF Weights::rowsOf(const TensorKey& key) const
{
    const ConstMatrixView view = stored(key);
    MatrixF rows(view.rows(), view.cols());
    if (isPacked(key))
        unpackWeights(view.data(), view.rows(), view.cols(), rows.data());
    else
        std::copy_n(view.data(), rows.values().size(), rows.data());
    return rows;
}

ConstMatrixView Weights::stored(const TensorKey& key) const
{
    const auto found = m_matrices.find(key);
    return found == m_matrices.end() ? ConstMatrixView() : found->second;
}

Status Weights::embeddingRow(TensorRole table, std::int64_t row, std::span<float> into) const
{
    const Table& stored = m_tables.at(table);
    HEADSCOPE_ASSERT(row >= 0 && row < stored.rows);
    const std::uint64_t begin = static_cast<std::uint64_t>(row) * stored.rowBytes;
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(stored.rowBytes);
    HEADSCOPE_CHECK(m_opened->readAt(stored.file, stored.offset + begin, {buffer.get(), stored.rowBytes}));
    return dequantise(stored.type, {buffer.get(), stored.rowBytes}, into);
}

std::int64_t Weights::embeddingRows(TensorRole table) const
{
    const auto found = m_tables.find(table);
    return found == m_tables.end() ? 0 : found->second.rows;
}

Status Weights::checkUnchanged() const
{
    for (const MappedFile& file : m_maps)
        if (!file.unchanged())
            return changedError(file.path());
    return m_opened ? m_opened->checkUnchanged() : Status();
}

} // namespace headscope
