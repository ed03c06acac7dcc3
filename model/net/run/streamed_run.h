// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

namespace headscope
{

class StepScheduler;

/// Runs an extraction whose layers are read from disk: batch after batch passes all layers that are
/// needed, and all steps of a batch pass a layer before the next one is used. A batch holds as many
/// steps as the memory limit allows; steps are those of a run in memory, and so are the bits.
/// @errors BadFormat (the model changed), OutOfMemory (a document that the limit cannot hold),
///         Resource, Cancelled, those of stream and sink
[[nodiscard]] Status streamLayers(StepScheduler& exchange);

} // namespace headscope
