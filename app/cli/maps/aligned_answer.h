// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/cli/verbs/aligned_tsne.h"

#include <string>

namespace headscope::cli
{

/// The output of `tsne --aligned`.
/// @param output  file name as typed; empty: none
[[nodiscard]] Answer alignedAnswer(const AlignedRun& run, const std::string& output, double total);

} // namespace headscope::cli
