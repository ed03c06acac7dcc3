// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <string>

namespace headscope::engine
{

/// Says which categories of a label column look alike: they differ by blanks or by the form of their Unicode
/// characters alone, and are different labels all the same. "" = none do.
[[nodiscard]] std::string alikeLabels(const LabelColumn& column);

} // namespace headscope::engine
