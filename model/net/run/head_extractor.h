// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/extraction.h"
#include "model/net/config/model_files.h"
#include "model/net/forward/backend.h"
#include "model/net/forward/layer.h"
#include "model/net/forward/model_edit.h"
#include "model/net/run/attention_pass.h"
#include "model/net/run/stream_costs.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// One text as token ids, ready for the network.
struct TokenizedDocument
{
    std::int64_t index = 0;        ///< place in the input
    std::vector<std::int32_t> ids; ///< with the special tokens; may be empty
    std::int64_t promptTokens = 0; ///< tokens at the start that a mean leaves out (an instruction)
    std::uint8_t flags = 0;        ///< bits of DocumentFlag known so far: Truncated, Repaired
    bool kept = false;             ///< its vectors are there: it takes its place in a step, and is not computed

    /// Of all that its vectors depend on beside the model and the run's settings.
    [[nodiscard]] std::uint64_t digest() const;
};

/// The next document, or nothing at the end. Called by one thread at a time, from any thread.
using TokenStream = std::function<Result<std::optional<TokenizedDocument>>()>;

/// What one head does at every token of a document.
struct WatchedDocument
{
    TokenizedDocument document;
    MatrixF q;       ///< [T, Dh] after norms and rotation
    MatrixF k;       ///< [T, Dh] likewise; of the head's KV group
    MatrixF z;       ///< [T, Dh] stage 1
    MatrixF weights; ///< [T, T] row = query, column = key, masked entries 0
};

/// Takes the documents of a step, in their order.
/// @threads one at a time
using WatchSink = std::function<Status(std::vector<WatchedDocument>& step)>;

class EmbeddingModules;

/// What to extract, and how.
struct ExtractionOptions
{
    std::vector<Stage> stages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment};
    /// 0-based; any order, repeats are dropped. Empty = the last layer.
    std::vector<std::int64_t> layers;
    Pooling pooling = Pooling::Last;
    /// Whether stage 3 of the last layer is taken after the model's final norm, as the reference's
    /// last_hidden_state is, or before it.
    bool finalNorm = true;
    Backend backend;
    /// Workers, one a core. Results do not depend on it (libtorch: in their last bits).
    int threads = 1;
    /// Documents are packed until a step holds this many tokens; 0 = what suits the device (512
    /// tokens in a CPU's cache, 16,384 on a GPU). Part of the result's last bits.
    std::int64_t stepTokens = 0;
    /// A limit streams the layers from disk for every batch of documents, as many as the limit
    /// allows. Only on the backend of our own; the bits are those of a run without limit.
    MemoryLimit memory;
    /// Heads that are off, and KV groups.
    ModelEdit edit;
    /// What makes the sentence embedding (Stage::Embedding among `stages`, with the last layer); null: none.
    std::shared_ptr<const EmbeddingModules> embedding;
    /// Keeps what the last step's passes have in common, for the same text with other heads off (PassMemory).
    bool keepsPass = false;
};

/// Where a vector that is not finite lies.
struct NonFinitePlace
{
    std::size_t block = 0;  ///< of HeadExtractor::blocks()
    DocumentIndex document; ///< TokenizedDocument::index
    HeadIndex head;
};

/// The result of an extraction: of the documents that were not kept, all numbers.
struct ExtractionReport
{
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t nonFinite = 0; ///< documents with NaN or infinity in some vector
    /// [blocks][heads] documents whose vector holds NaN or infinity (empty documents not counted).
    std::vector<std::vector<std::int64_t>> nonFiniteVectors;
    /// The place in the earliest layer and stage, there of the first document: where it began.
    std::optional<NonFinitePlace> firstNonFinite;
    double seconds = 0;                   ///< without the comparison
    double checkSeconds = 0;              ///< of the comparison of the device with the CPU
    Precision precision = Precision::F32; ///< of the products of matrices
    std::string unchecked; ///< why the device was not compared with the CPU; empty: it was, or is our own backend

    /// Nothing when all is finite, and the device was compared; else where it began and what to do, then one sentence a
    /// layer, stage and head, at most `limit`.
    [[nodiscard]] std::vector<std::string> warnings(const std::vector<ExtractionBlock>& blocks,
                                                    std::size_t limit = 8) const;
};

class Weights;
struct EditedVector;
struct ResidualTrace;

/// Runs a model over documents and fills a sink with their head vectors.
class HeadExtractor
{
public:
    /// Loads the weights that the options need: nothing beyond the last layer that is asked for, and
    /// no layer under a memory limit.
    /// @errors WrongUse (layers the model does not have, no stage, a memory limit that is too small or
    ///         for libtorch), those of checkEdit and Weights::load
    [[nodiscard]] static Result<HeadExtractor> create(const ModelFiles& files, const ExtractionOptions& options,
                                                      JobContext& job);

    HeadExtractor(HeadExtractor&&) noexcept;
    HeadExtractor& operator=(HeadExtractor&&) noexcept;
    ~HeadExtractor();

    /// Shape of every document's values: by layer, then by stage, both ascending. Stages 2 and 3
    /// are cut into H segments where H divides Dm, else kept as one.
    [[nodiscard]] const std::vector<ExtractionBlock>& blocks() const;

    /// Extracts a stream of documents. May be called again, for topic names for example.
    ///
    /// Documents are packed into steps in the order of the stream, so the bits of a vector depend on
    /// the stream and stepTokens, not on the number of threads. Empty documents give NaN. A step of documents that are
    /// all kept is passed over; where some are not, all are computed and delivered: so the bits are those of a run
    /// without kept ones.
    /// @param documentCount  for progress; 0 = not known
    /// @errors those of stream and sink; Cancelled; BadFormat (the model changed underneath);
    ///         InvalidArgument (token ids the model does not have), OutOfMemory (also: a document that
    ///         the memory limit cannot hold), Resource (libtorch does not compute what the CPU does, which the
    ///         first documents tell: backend_check.h)
    /// @threads one at a time; uses `threads` threads
    [[nodiscard]] Result<ExtractionReport> run(const TokenStream& stream, HeadVectorSink& sink,
                                               std::uint64_t documentCount, JobContext& job) const;

    /// The vectors of all documents by the model with each of the edits, in place of the extractor's own. Layers before
    /// the first one that an edit changes are computed once for each document.
    /// @param sink  gets them while they are computed; of a document without a token there are none
    /// @errors WrongUse (more than one block, a model that is streamed); those of checkEdit and runStep; Cancelled
    /// @cost   edits x (layers from the first one that each of them changes)
    [[nodiscard]] Status runEdits(std::span<const TokenizedDocument> documents, std::span<const ModelEdit> edits,
                                  const std::function<void(const EditedVector&)>& sink, JobContext& job) const;

    /// The residual stream of all documents at the tokens that are pooled, with what every layer wrote into it.
    /// @param sink  gets them by the document's place while they are computed, as residual_run.h says; of a document
    ///              without a token there is none
    /// @errors WrongUse (not the extractor of the embedding: stage 3 of the last layer after the final norm; a model
    ///         that is streamed); those of runStep and of the sink; Cancelled
    [[nodiscard]] Status traceDocuments(std::span<const TokenizedDocument> documents,
                                        const std::function<Status(std::size_t, const ResidualTrace&)>& sink,
                                        JobContext& job) const;
    /// The weights that it runs with, in host memory; they live as long as this extractor.
    [[nodiscard]] const Weights& weights() const;

    /// The attention of one text, handed out while it is computed. Layers that were loaded are enough.
    /// @param ids  [T]
    /// @errors as runAttention; WrongUse (layers that the model does not have, or that were not loaded)
    [[nodiscard]] Status watchAttention(std::span<const std::int32_t> ids, const AttentionRequest& request,
                                        AttentionSink& sink, JobContext& job) const;

    /// What a head does at every token of documents, handed out step by step in their order (head_watch.h). Layers
    /// that were loaded are enough.
    /// @errors as watchHead; WrongUse (a layer that the model does not have, or that was not loaded; no such head)
    /// @threads as run()
    [[nodiscard]] Status watchDocuments(const TokenStream& stream, LayerIndex layer, HeadIndex head,
                                        const WatchSink& sink, JobContext& job) const;

    /// Attention probabilities of one text: [L, H, T, T]. Needs an extractor of the last layer.
    /// @errors as attentionProbabilities (network.h); WrongUse (later layers were not loaded)
    [[nodiscard]] Result<std::vector<float>> attention(std::span<const std::int32_t> ids, JobContext& job) const;

    /// Whether the loaded weights are enough for these options: no layer beyond the last loaded one, the same backend
    /// and device, and no memory limit on either side.
    [[nodiscard]] bool serves(const ExtractionOptions& options) const;
    /// An extractor of the same weights, which both share, with other options; its results are those of one that
    /// `create` makes.
    /// @errors WrongUse (not serves(options); layers the model does not have, no stage); those of checkEdit
    /// @cost   no weight is read or copied, but for keys and values that are regrouped
    [[nodiscard]] Result<HeadExtractor> withOptions(const ExtractionOptions& options) const;
    /// Whether the files of the model are still those that were opened.
    /// @errors BadFormat ("the model changed while it was used")
    [[nodiscard]] Status checkUnchanged() const;

    /// Bytes the weights take: allocated, and used in the mapped files. Without streamed layers.
    [[nodiscard]] std::uint64_t weightBytes() const;

private:
    struct State;
    explicit HeadExtractor(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// The blocks that an extraction with these options fills.
/// @errors WrongUse (layers the model does not have, no stage)
[[nodiscard]] Result<std::vector<ExtractionBlock>> extractionBlocks(const ModelConfig& config,
                                                                    const ExtractionOptions& options);

} // namespace headscope
