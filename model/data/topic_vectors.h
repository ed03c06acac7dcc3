// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// The names of a label column, embedded like documents: row c is category c of the column.
struct TopicVectors
{
    std::string column;
    std::vector<std::string> names;             ///< [C]
    std::shared_ptr<const HeadVectors> vectors; ///< [C, H, D] of one stage and layer
};

} // namespace headscope
