// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_digests.h"

#include <fmt/format.h>

#include <tuple>

namespace headscope
{
namespace
{

/// The options of extract that change a model so; those that the unchanged one is without.
std::string optionsOf(const ModelInfo& model)
{
    const ModelChanges& changes = model.changes;
    if (!changes.any())
        return "without --ablate and --regroup";
    std::string options = "with";
    if (!changes.ablated.empty())
        options += fmt::format(" --ablate \"{}\"", changes.ablated);
    if (changes.ablation == "mean")
        options += " --ablation mean --reference DOCS";
    if (changes.regroupedFrom != 0)
        options += fmt::format(" --regroup {}", model.kvHeads);
    return options;
}

} // namespace

std::string changedHeading(std::string_view words)
{
    return fmt::format("The model was changed: {}.\n\n", words);
}

std::string changedModelName(const ModelInfo& model)
{
    return model.changes.any() ? fmt::format("a model with {}", model.changes.words(model.kvHeads))
                               : std::string("the unchanged model");
}

std::set<std::string> digestsOf(const ModelInfo& model)
{
    std::set<std::string> all;
    for (const auto& [file, digest] : model.sha256)
        all.insert(digest);
    return all;
}

Result<std::string> checkSameModel(const ModelInfo& cache, const NamedDigests& made, const std::string& place)
{
    HEADSCOPE_CHECK(checkUnchangedModel(cache, place));
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

Status checkUnchangedModel(const ModelInfo& cache, const std::string& place)
{
    if (!cache.changes.any())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected a cache of the unchanged model, found a cache of {}: use a cache that was "
                             "extracted without --ablate and --regroup",
                             changedModelName(cache)),
                 place,
                 {}};
}

Status checkSameChanges(const ModelInfo& cache, const ModelInfo& other, const std::string& place)
{
    const auto changesOf = [](const ModelInfo& model) {
        return std::tuple(model.changes.ablated, model.changes.ablation,
                          model.changes.regroupedFrom == 0 ? 0 : model.kvHeads);
    };
    if (changesOf(cache) == changesOf(other))
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected {}, as in the cache, found {}: make it again {}", changedModelName(cache),
                             changedModelName(other), optionsOf(cache)),
                 place,
                 {}};
}

std::string meansNotice(const ModelInfo& cache, const ModelInfo& other, std::string_view what)
{
    const std::string& own = cache.changes.reference;
    if (own.empty() || other.changes.reference.empty() || own == other.changes.reference)
        return {};
    return fmt::format("the ablated heads of the {} were set to their means over other texts ({}) than those of the "
                       "cache ({})",
                       what, other.changes.reference, own);
}

} // namespace headscope
