// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/network.h"
#include "model/net/run/head_extractor.h"

#include <stop_token>

namespace headscope
{

/// A head of a network, and how documents run through it. Of its layer nothing else is computed.
struct HeadWatch
{
    const ExtractionOptions& options; ///< backend, threads and tokens of a step
    const Network& network;           ///< its layers up to the head's
    LayerIndex layer;
    HeadIndex head;
};

/// Runs documents through a model as far as one head, in packed steps on as many workers as there are threads, and
/// hands over step by step, in order, what the head does. No result depends on the number of threads; a stream that
/// begins where a step ended gives what the whole one gives from there on.
/// @errors those of stream, sink and runStep; BadFormat (the model changed underneath), Cancelled
/// @cost   memory of a worker: a step's activations, and T x T weights of the head for each of its documents
[[nodiscard]] Status watchHead(const HeadWatch& watch, const TokenStream& stream, const WatchSink& sink,
                               const std::stop_token& stop);

} // namespace headscope
