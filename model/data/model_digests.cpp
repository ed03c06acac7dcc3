// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_digests.h"

namespace headscope
{

std::set<std::string> digestsOf(const ModelInfo& model)
{
    std::set<std::string> all;
    for (const auto& [file, digest] : model.sha256)
        all.insert(digest);
    return all;
}

} // namespace headscope
