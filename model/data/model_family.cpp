// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_family.h"

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

constexpr std::array kFamilies = {
    FamilyTraits{.family = ModelFamily::Mistral,
                 .name = "mistral",
                 .classPrefix = "Mistral",
                 .gguf = "", // they call themselves llama
                 .window = WindowRule::AllLayers,
                 .windowNeedsCausality = false},
    FamilyTraits{.family = ModelFamily::Llama,
                 .name = "llama",
                 .classPrefix = "Llama",
                 .gguf = "llama",
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .mlpBias = BiasRule::AsConfigured,
                 .ggufInterleaved = true,
                 .ggufWindowInEvery = true},
    FamilyTraits{.family = ModelFamily::Qwen2,
                 .name = "qwen2",
                 .classPrefix = "Qwen2",
                 .gguf = "qwen2",
                 .attentionBias = BiasRule::Always,
                 .window = WindowRule::ListedLayers},
    FamilyTraits{.family = ModelFamily::Qwen3,
                 .name = "qwen3",
                 .classPrefix = "Qwen3",
                 .gguf = "qwen3",
                 .headDim = 128,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .queryKeyNorm = true,
                 .window = WindowRule::ListedLayers},
    FamilyTraits{.family = ModelFamily::Bert,
                 .name = "bert",
                 .classPrefix = "Bert",
                 .gguf = "",
                 .encoder = true,
                 .attentionBias = BiasRule::Always,
                 .outputBias = BiasRule::Always,
                 .mlpBias = BiasRule::Always},
};

constexpr bool inOrderOfTheirNumbers()
{
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        if (static_cast<std::size_t>(kFamilies[i].family) != i)
            return false;
    return true;
}
static_assert(inOrderOfTheirNumbers(), "traitsOf() looks rows up by number");

} // namespace

std::span<const FamilyTraits> modelFamilies()
{
    return kFamilies;
}

const FamilyTraits& traitsOf(ModelFamily family)
{
    return kFamilies[static_cast<std::size_t>(family)];
}

const FamilyTraits* familyNamed(std::string_view name)
{
    const auto* const found =
        std::ranges::find_if(kFamilies, [name](const FamilyTraits& traits) { return traits.name == name; });
    return found == kFamilies.end() ? nullptr : found;
}

std::string_view familyName(ModelFamily family)
{
    return traitsOf(family).name;
}

std::string namesOr(std::span<const std::string_view> names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    return text;
}

} // namespace headscope
