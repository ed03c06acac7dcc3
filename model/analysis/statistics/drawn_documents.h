// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Documents that a model is run on: those that have a text with a token, `most` of them at most, drawn by the seed;
/// ascending.
/// @param candidates  rows that are drawn from, ascending; empty: all documents
[[nodiscard]] std::vector<std::int64_t> drawnDocuments(const DocumentSet& documents,
                                                       std::span<const std::int64_t> candidates, std::int64_t most,
                                                       std::uint64_t seed);

} // namespace headscope
