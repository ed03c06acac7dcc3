// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/packed_steps.h"

#include "model/base/parallel.h"

#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

/// What the workers share.
class StepWorkers
{
public:
    StepWorkers(const ExtractionOptions& options, const StepWork& work, JobContext& job)
        : m_options(options), m_work(work), m_job(job), m_forward(job.stopToken(), [this] { m_stop.request_stop(); })
    {}

    /// One step; what goes wrong ends the run.
    void run(const PackedDocuments& step)
    {
        try
        {
            if (Status status = runGuarded(step); !status)
                fail(std::move(status).error());
        }
        catch (const std::bad_alloc&)
        {
            fail({ErrorCode::OutOfMemory, "not enough memory for these texts", {}, {}});
        }
        catch (const std::exception& exception)
        {
            fail({ErrorCode::Internal, exception.what(), {}, {}});
        }
    }

    [[nodiscard]] Status finish()
    {
        HEADSCOPE_CHECK(m_job.checkStop());
        return m_failure ? Status(std::move(*m_failure)) : Status();
    }

private:
    Status runGuarded(const PackedDocuments& step)
    {
        if (m_stop.stop_requested())
            return {};
        HEADSCOPE_TRY(const auto ops, makeOperations(m_options.backend, m_options.threads, m_stop.get_token()));
        return m_work(*ops, step, m_stop.get_token());
    }

    void fail(Error error)
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(error);
        m_stop.request_stop();
    }

    const ExtractionOptions& m_options;
    const StepWork& m_work;
    JobContext& m_job;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex; ///< guards the following
    std::optional<Error> m_failure;
};

} // namespace

std::vector<PackedDocuments> packDocuments(std::span<const TokenizedDocument> documents, std::int64_t stepTokens)
{
    std::vector<PackedDocuments> steps;
    for (std::size_t i = 0; i < documents.size(); ++i)
    {
        const TokenizedDocument& document = documents[i];
        if (document.ids.empty())
            continue;
        if (steps.empty() || std::ssize(steps.back().input.ids) >= stepTokens)
            steps.push_back({{{}, {0}, {}}, {}});
        StepInput& input = steps.back().input;
        input.ids.insert(input.ids.end(), document.ids.begin(), document.ids.end());
        input.offsets.push_back(std::ssize(input.ids));
        input.meanFrom.push_back(document.promptTokens);
        steps.back().documents.push_back(i);
    }
    return steps;
}

Status runPackedSteps(const ExtractionOptions& options, std::span<const PackedDocuments> steps, const StepWork& work,
                      JobContext& job)
{
    StepWorkers shared(options, work, job);
    // libtorch brings its own threads; our own products run one worker a core.
    const int workers = options.backend.kind == Backend::Kind::Torch ? 1 : options.threads;
    parallelForBlocks(workers, std::ssize(steps), 1, [&](const Block& block, int /*worker*/) {
        shared.run(steps[static_cast<std::size_t>(block.index)]);
    });
    return shared.finish();
}

} // namespace headscope
