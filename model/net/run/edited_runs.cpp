// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/edited_runs.h"

#include "model/net/run/extraction_run.h"
#include "model/net/run/packed_steps.h"

#include <mutex>
#include <stop_token>

namespace headscope
{

Status runEditedPasses(const ExtractionSetup& setup, const Network& plain, std::span<const TokenizedDocument> documents,
                       std::span<const ModelEdit> edits, const EditedVectorSink& sink, JobContext& job)
{
    const auto steps = packDocuments(documents, stepTokensOf(setup.options));
    std::mutex mutex; // guards the following and the job's progress
    std::uint64_t done = 0;
    const auto work = [&](Operations& ops, const PackedDocuments& step, const std::stop_token& stop) -> Status {
        PassMemory memory;
        for (std::size_t edit = 0; edit < edits.size(); ++edit)
        {
            HEADSCOPE_TRY(const Network network, editedNetwork(ops, plain, edits[edit]));
            const TapSink rowsSink = [&](LayerIndex /*layer*/, Tap /*tap*/, const Tensor& pooled) {
                MatrixF rows(pooled.rows(), pooled.cols());
                ops.download(pooled, rows.values());
                for (std::size_t s = 0; s < step.documents.size(); ++s)
                    sink({edit, step.documents[s], rows.row(static_cast<std::int64_t>(s))});
            };
            HEADSCOPE_CHECK(runStep(ops, network, step.input, setup.plan, rowsSink, {.memory = &memory}, stop));
            const std::scoped_lock lock(mutex);
            job.report("running the model with ablated heads", ++done, steps.size() * edits.size(), "passes");
        }
        return {};
    };
    return runPackedSteps(setup.options, steps, work, job);
}

} // namespace headscope
