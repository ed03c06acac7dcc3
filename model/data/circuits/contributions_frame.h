// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/contribution_results.h"
#include "model/data/frame/frame.h"

#include <vector>

namespace headscope
{

/// What every summand is to the vectors of documents: a row for each.
extern const FrameInfo kPartsFrame;
/// What every summand does to a cosine: a row for each.
extern const FrameInfo kTermsFrame;

/// Rows of biases that the model does not have are left out.
[[nodiscard]] Frame partsFrame(const ContributionsResult& result);
/// @param result  of a pair
[[nodiscard]] Frame termsFrame(const ContributionsResult& result);
/// The same of some terms of a cosine.
[[nodiscard]] Frame termsFrame(const std::vector<PairTerm>& terms, double cosine);
/// The terms of heads alone, the largest value first; of equal ones the earlier head.
[[nodiscard]] std::vector<PairTerm> headTerms(const PairContribution& pair);

} // namespace headscope
