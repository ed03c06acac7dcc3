// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/edited_runs.h"

#include "model/base/parallel.h"
#include "model/net/run/extraction_run.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope
{
namespace
{

/// Whole documents that go through the network together.
struct PackedDocuments
{
    StepInput input;
    std::vector<std::size_t> documents; ///< places of those in the step
};

/// Steps of at least so many tokens, but for the last one; documents without a token are in none.
std::vector<PackedDocuments> packed(std::span<const TokenizedDocument> documents, std::int64_t stepTokens)
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

/// What the workers share.
class EditedPasses
{
public:
    EditedPasses(const ExtractionSetup& setup, const Network& plain, std::span<const ModelEdit> edits,
                 const EditedVectorSink& sink, std::uint64_t passes, JobContext& job)
        : m_setup(setup), m_plain(plain), m_edits(edits), m_sink(sink), m_passes(passes), m_job(job),
          m_forward(job.stopToken(), [this] { m_stop.request_stop(); })
    {}

    /// One step with all edits; what goes wrong ends the run.
    void run(const PackedDocuments& step)
    {
        try
        {
            if (Status status = runStepOf(step); !status)
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
    Status runStepOf(const PackedDocuments& step)
    {
        if (m_stop.stop_requested())
            return {};
        HEADSCOPE_TRY(const auto ops,
                      makeOperations(m_setup.options.backend, m_setup.options.threads, m_stop.get_token()));
        PassMemory memory;
        for (std::size_t edit = 0; edit < m_edits.size(); ++edit)
        {
            HEADSCOPE_TRY(const Network network, editedNetwork(*ops, m_plain, m_edits[edit]));
            const TapSink sink = [&](LayerIndex /*layer*/, Tap /*tap*/, const Tensor& pooled) {
                MatrixF rows(pooled.rows(), pooled.cols());
                ops->download(pooled, rows.values());
                for (std::size_t s = 0; s < step.documents.size(); ++s)
                    m_sink({edit, step.documents[s], rows.row(static_cast<std::int64_t>(s))});
            };
            HEADSCOPE_CHECK(
                runStep(*ops, network, step.input, m_setup.plan, sink, {.memory = &memory}, m_stop.get_token()));
            const std::scoped_lock lock(m_mutex);
            m_job.report("running the model with ablated heads", ++m_done, m_passes, "passes");
        }
        return {};
    }

    void fail(Error error)
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(error);
        m_stop.request_stop();
    }

    const ExtractionSetup& m_setup;
    const Network& m_plain;
    std::span<const ModelEdit> m_edits;
    const EditedVectorSink& m_sink;
    std::uint64_t m_passes;
    JobContext& m_job;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex; ///< guards the following
    std::uint64_t m_done = 0;
    std::optional<Error> m_failure;
};

} // namespace

Status runEditedPasses(const ExtractionSetup& setup, const Network& plain, std::span<const TokenizedDocument> documents,
                       std::span<const ModelEdit> edits, const EditedVectorSink& sink, JobContext& job)
{
    const auto steps = packed(documents, stepTokensOf(setup.options));
    EditedPasses passes(setup, plain, edits, sink, steps.size() * edits.size(), job);
    // libtorch brings its own threads; our own products run one worker a core.
    const int workers = setup.options.backend.kind == Backend::Kind::Torch ? 1 : setup.options.threads;
    parallelForBlocks(workers, std::ssize(steps), 1, [&](const Block& block, int /*worker*/) {
        passes.run(steps[static_cast<std::size_t>(block.index)]);
    });
    return passes.finish();
}

} // namespace headscope
