// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/resident_model.h"

#include "app/engine/memory_check.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>
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

std::filesystem::path withoutLinks(const std::filesystem::path& path)
{
    std::error_code failed;
    auto real = std::filesystem::canonical(path, failed);
    return failed ? path : real;
}

Error changedMeanwhile(const std::filesystem::path& path)
{
    return {ErrorCode::Resource,
            "a file of the model changed while it was opened; try again when no other program writes to it",
            path.string(),
            {}};
}

} // namespace

ResidentModel::FileStates ResidentModel::statesOf(const ModelFiles& files)
{
    FileStates states;
    for (std::filesystem::path& place : placesOfModel(files))
    {
        const auto stamp = diskStampOf(place);
        states.emplace_back(std::move(place), stamp ? std::optional(*stamp) : std::nullopt);
    }
    return states;
}

const OpenedModel* ResidentModel::find(const std::filesystem::path& path) const
{
    const bool isIt = m_model && m_path == withoutLinks(path) && statesOf(m_model->files) == m_states;
    return isIt ? &*m_model : nullptr;
}

Result<const OpenedModel*> ResidentModel::open(const std::filesystem::path& path, int threads, JobContext& job)
{
    if (const OpenedModel* there = find(path))
        return there;
    release();
    CardOptions options;
    options.threads = threads;
    options.hashes = true;
    job.report("opening the model", 0, 0);
    const auto headers = openModel(path); // what is wrong with it, the next line says
    const FileStates before = headers ? statesOf(*headers) : FileStates();
    HEADSCOPE_TRY(auto model, openModelAndTokenizer(path, options, job));
    FileStates now = statesOf(model.files);
    if (now != before)
        return changedMeanwhile(path);
    m_path = withoutLinks(path);
    m_states = std::move(now);
    m_model.emplace(std::move(model));
    return &*m_model;
}

Result<const HeadExtractor*> ResidentModel::extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                      JobContext& job)
{
    HEADSCOPE_ASSERT(m_model.has_value());
    if (m_chosen && sameOptions(m_options, options))
        return &*m_chosen;
    m_chosen.reset();
    if (!m_loaded || !m_loaded->serves(options))
    {
        m_loaded.reset();
        m_weightBytes = 0;
        HEADSCOPE_TRY(const auto blocks, extractionBlocks(m_model->files.config, options));
        HEADSCOPE_CHECK(checkMemoryOfRun(m_model->files, options, blocks.back().layer.value(), maxTokens));
        HEADSCOPE_TRY(auto loaded, HeadExtractor::create(m_model->files, options, job));
        if (statesOf(m_model->files) != m_states) // the hashes are of the weights that were there before
            return changedMeanwhile(m_path);
        m_loaded.emplace(std::move(loaded));
        m_weightBytes = m_loaded->weightBytes();
    }
    HEADSCOPE_TRY(auto chosen, m_loaded->withOptions(options));
    m_chosen.emplace(std::move(chosen));
    m_options = options;
    return &*m_chosen;
}

const TokenMeans* ResidentModel::means(const std::string& key) const
{
    return !key.empty() && key == m_meansKey ? &m_means : nullptr;
}

void ResidentModel::keepMeans(const std::string& key, TokenMeans means)
{
    m_meansKey = key;
    m_means = std::move(means);
}

void ResidentModel::release()
{
    m_meansKey.clear();
    m_chosen.reset();
    m_loaded.reset();
    m_model.reset();
    m_path.clear();
    m_states.clear();
    m_weightBytes = 0;
    ::malloc_trim(0);
}

} // namespace headscope::engine
