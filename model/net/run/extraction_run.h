// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/network.h"
#include "model/net/run/head_extractor.h"
#include "model/net/run/stream_costs.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace headscope
{

class BackendCheck;

/// A model whose layers are read from disk again for every batch of documents.
struct StreamSource
{
    ModelFiles files;
    std::shared_ptr<const WeightFiles> opened;
    StreamCosts costs;
};

/// Tokens of a step when the options leave it open.
[[nodiscard]] std::int64_t stepTokensOf(const ExtractionOptions& options);
/// How many workers compute steps beside each other: our own products run one a core, libtorch brings its own threads
/// on the CPU, and on a GPU one worker reads and copies while the device computes for the other.
[[nodiscard]] int workersOf(const ExtractionOptions& options);
/// Documents that a step holds at most: empty ones take no tokens, but memory.
inline constexpr std::size_t kStepDocuments = 4096;
/// The first document of the last step, if that would take more of them; else how many there are. Documents that come
/// behind these are computed together with those from here on.
/// @param tokens  of each document, in their order
[[nodiscard]] std::int64_t startOfOpenStep(std::span<const std::int32_t> tokens, std::int64_t stepTokens);
/// Numbers of all vectors of a document.
[[nodiscard]] std::int64_t valuesPerDocument(const std::vector<ExtractionBlock>& blocks);

/// A memory that runs of several extractors of the same weights share.
struct SharedPassMemory
{
    std::mutex mutex;
    PassMemory memory;
};

/// What stays the same over all runs of an extractor.
struct ExtractionSetup
{
    const ExtractionOptions& options;
    const Network& network;
    const TapPlan& plan;
    const std::vector<ExtractionBlock>& blocks;
    const StreamSource* streamed = nullptr; ///< null: all layers are in memory
    BackendCheck* check = nullptr;          ///< of all but our own operations in float32
    SharedPassMemory* memory = nullptr;     ///< of the last step, for passes with other heads off
};

/// HeadExtractor::run: workers take steps of whole documents in turn, compute them, and hand the
/// results over. With a streamed model a batch holds as many steps as the memory limit allows, and
/// all of them pass a layer before the next is used; steps are the same, and so are the bits.
[[nodiscard]] Result<ExtractionReport> runExtraction(const ExtractionSetup& setup, const TokenStream& stream,
                                                     HeadVectorSink& sink, std::uint64_t documentCount,
                                                     JobContext& job);

} // namespace headscope
