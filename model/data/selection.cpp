// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/selection.h"

#include <algorithm>

namespace headscope
{

bool Selection::contains(std::int64_t document) const
{
    return std::binary_search(documents.begin(), documents.end(), document);
}

} // namespace headscope
