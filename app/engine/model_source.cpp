// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_source.h"

#include "app/engine/memory_check.h"

#include <utility>

namespace headscope::engine
{
namespace
{

bool sameOptions(const ExtractionOptions& a, const ExtractionOptions& b)
{
    return a.stages == b.stages && a.layers == b.layers && a.pooling == b.pooling && a.finalNorm == b.finalNorm &&
           a.backend.kind == b.backend.kind && a.backend.device == b.backend.device && a.threads == b.threads &&
           a.stepTokens == b.stepTokens && a.edit == b.edit && a.keepsPass == b.keepsPass;
}

} // namespace

bool LoadedWeights::loadsFor(const ExtractionOptions& options) const
{
    return !m_loaded || !m_loaded->serves(options);
}

Status LoadedWeights::makeRoom(const ModelFiles& files, const ExtractionOptions& options, std::int64_t maxTokens)
{
    if (!loadsFor(options))
        return {};
    release();
    if (options.memory.total > 0) // layers are streamed within it
        return {};
    HEADSCOPE_TRY(const auto blocks, extractionBlocks(files.config, options));
    return checkMemoryOfRun(files, options, blocks.back().layer.value(), maxTokens);
}

Result<const HeadExtractor*> LoadedWeights::extractor(const ModelFiles& files, const ExtractionOptions& options,
                                                      JobContext& job)
{
    if (m_chosen && sameOptions(m_options, options))
        return &*m_chosen;
    m_chosen.reset();
    if (loadsFor(options))
    {
        HEADSCOPE_TRY(m_loaded, HeadExtractor::create(files, options, job));
        if (options.memory.total > 0) // nothing is shared by extractors that stream their layers
            return &*m_loaded;
    }
    HEADSCOPE_TRY(auto chosen, m_loaded->withOptions(options));
    m_chosen.emplace(std::move(chosen));
    m_options = options;
    return &*m_chosen;
}

void LoadedWeights::release()
{
    m_chosen.reset();
    m_loaded.reset();
}

Result<const OpenedModel*> OwnModel::open(const std::filesystem::path& path, int threads, JobContext& job)
{
    ModelCardOptions options;
    options.threads = threads;
    m_weights.release();
    m_hashed = false;
    HEADSCOPE_TRY(m_model, openModelAndTokenizer(path, options, job));
    return &*m_model;
}

Status OwnModel::hash(JobContext& job)
{
    if (!std::exchange(m_hashed, true))
        return addHashes(m_model->files, m_model->card, job);
    return {};
}

Result<const HeadExtractor*> OwnModel::extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                 Hashes hashes, JobContext& job)
{
    HEADSCOPE_CHECK(m_weights.makeRoom(m_model->files, options, maxTokens));
    if (hashes == Hashes::Needed)
        HEADSCOPE_CHECK(hash(job));
    return m_weights.extractor(m_model->files, options, job);
}

} // namespace headscope::engine
