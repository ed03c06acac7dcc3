// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/run/extraction_run.h"

#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace headscope
{

/// Whole documents that go through the network together.
struct Step
{
    StepInput input;
    std::vector<TokenizedDocument> documents;
    std::vector<std::size_t> packed; ///< documents[packed[s]] is document s of the packing
};

/// What the workers of an extraction share: steps are taken from the stream, results are handed to
/// the sink, and the first failure ends everything.
/// @threads any number of workers
class StepScheduler
{
public:
    /// All references outlive it.
    StepScheduler(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                  std::uint64_t documentCount, JobContext& job);

    [[nodiscard]] const ExtractionSetup& setup() const { return m_setup; }
    /// Tokens that a step holds at least, but for the last one.
    [[nodiscard]] std::int64_t stepTokens() const { return m_stepTokens; }
    /// The job's stop, or a worker's failure.
    [[nodiscard]] std::stop_token stop() const { return m_stop.get_token(); }

    /// Runs a piece of work; what goes wrong ends the run.
    template <class Work>
    void guarded(const Work& piece)
    {
        try
        {
            if (Status status = piece(); !status)
                fail(std::move(status).error());
        }
        catch (const std::bad_alloc&)
        {
            fail({ErrorCode::OutOfMemory, "not enough memory for the vectors of these texts", {}, {}});
        }
        catch (const std::exception& exception)
        {
            fail({ErrorCode::Internal, exception.what(), {}, {}});
        }
    }

    /// The next documents of the stream, until they hold enough tokens, not all of them kept; none at the end.
    /// @errors those of the stream
    [[nodiscard]] Result<Step> nextStep();
    /// The documents of a step with their tokens, before they are computed: all values NaN.
    [[nodiscard]] std::vector<ExtractedDocument> emptyResults(const Step& step) const;
    /// Puts pooled rows into the documents of a step; all outlive it.
    [[nodiscard]] TapSink resultsSink(Operations& ops, const Step& step,
                                      std::vector<ExtractedDocument>& extracted) const;
    /// Counts and flags what is not finite, and hands the documents of a step to the sink, unless the model changed
    /// meanwhile: then they are dropped.
    /// Of documents that are kept nothing is counted: they are done, or another range's.
    /// @errors those of the sink, BadFormat (the model changed)
    [[nodiscard]] Status deliver(const Step& step, std::vector<ExtractedDocument> extracted);
    /// Counts documents that passed a layer, where that is the progress to show.
    void passedLayer(const Step& step);

    /// What was found out, or the first failure.
    /// @errors those that ended the run; Cancelled
    [[nodiscard]] Result<ExtractionReport> finish(double seconds);

private:
    void fail(Error error);
    /// The next step, whether it has to be computed or not. Under m_mutex, as the next one.
    [[nodiscard]] Result<Step> packedStep();
    void reportDocuments();
    void findNonFinite(const ExtractedDocument& document, std::vector<NonFinitePlace>& found) const;
    [[nodiscard]] Tap tapOf(const ExtractionBlock& block) const;

    const ExtractionSetup m_setup;
    const TokenStream& m_stream;
    HeadVectorSink& m_sink;
    std::uint64_t m_documentCount;
    JobContext& m_job;
    std::int64_t m_stepTokens = 0;

    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex; ///< guards stream, sink, report, and the following
    bool m_ended = false;
    std::optional<Error> m_failure;
    ExtractionReport m_report;
    std::uint64_t m_passedOver = 0;     ///< documents that are kept
    std::uint64_t m_documentLayers = 0; ///< documents that passed a layer, summed over the layers
};

} // namespace headscope
