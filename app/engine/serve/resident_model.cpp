// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/resident_model.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace headscope::engine
{
namespace
{

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
    ModelCardOptions options;
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
                                                      Hashes /*hashes*/, JobContext& job)
{
    HEADSCOPE_ASSERT(m_model.has_value());
    const bool loads = m_weights.loadsFor(options);
    if (loads)
        m_weightBytes = 0;
    HEADSCOPE_CHECK(m_weights.makeRoom(m_model->files, options, maxTokens));
    HEADSCOPE_TRY(const HeadExtractor* found, m_weights.extractor(m_model->files, options, job));
    if (loads && statesOf(m_model->files) != m_states) // the hashes are of the weights that were there before
    {
        m_weights.release();
        return changedMeanwhile(m_path);
    }
    m_weightBytes = m_weights.bytes();
    return found;
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
    m_weights.release();
    m_model.reset();
    m_path.clear();
    m_states.clear();
    m_weightBytes = 0;
    ::malloc_trim(0);
}

} // namespace headscope::engine
