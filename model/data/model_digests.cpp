// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_digests.h"

#include <fmt/format.h>

namespace headscope
{

std::set<std::string> digestsOf(const ModelInfo& model)
{
    std::set<std::string> all;
    for (const auto& [file, digest] : model.sha256)
        all.insert(digest);
    return all;
}

Result<std::string> checkSameModel(const ModelInfo& cache, const NamedDigests& made, const std::string& place)
{
    const std::set<std::string> known = digestsOf(cache);
    std::set<std::string> others;
    for (const auto& [file, digest] : made)
        others.insert(digest);
    if (known.empty() || others.empty())
        return fmt::format("it was not checked that {} is of the model of the cache ({}): the hashes of the model's "
                           "files are not known",
                           place, cache.name);
    if (known == others)
        return std::string();
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("expected the model that made the cache ({}), found a model with different files", cache.name),
        place,
        {}};
}

} // namespace headscope
