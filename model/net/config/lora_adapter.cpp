// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/lora_adapter.h"

#include "model/base/tensor_type.h"
#include "model/formats/json.h"
#include "model/formats/safetensors.h"
#include "model/net/config/known_keys.h"
#include "model/net/config/model_files.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

/// What every option of peft's LoraConfig that changes weights, and is not done, may be at most: absent, null, false,
/// 0, empty, or this word.
struct Refused
{
    std::string_view key;
    std::string_view harmless; ///< a text that asks for nothing; "" = none
    std::string_view what;
};

constexpr std::array kRefused = {
    Refused{"use_dora", "", "DoRA, which also scales the rows of the weights"},
    Refused{"modules_to_save", "", "whole modules that replace modules of the model"},
    Refused{"bias", "none", "trained biases"},
    Refused{"lora_bias", "", "trained biases"},
    Refused{"fan_in_fan_out", "", "weights that are stored [in, out]"},
    Refused{"rank_pattern", "", "ranks that differ among modules"},
    Refused{"alpha_pattern", "", "scales that differ among modules"},
    Refused{"layer_replication", "", "layers that occur several times"},
    Refused{"use_qalora", "", "a quantised adapter"},
    Refused{"trainable_token_indices", "", "trained token vectors"},
    Refused{"target_parameters", "", "parameters that are not weight matrices"},
    Refused{"alora_invocation_tokens", "", "an adapter that certain tokens activate"},
};

class AdapterReader
{
public:
    AdapterReader(fs::path folder, ModelFiles& files, std::vector<Error>& problems)
        : m_folder(std::move(folder)), m_files(files), m_problems(problems)
    {}

    void run()
    {
        const std::size_t before = m_problems.size();
        readConfig();
        if (m_problems.size() > before)
            return;
        auto directory = openSafetensors(m_folder / kAdapterWeightsName);
        if (!directory)
            return m_problems.push_back(std::move(directory).error());
        m_file = static_cast<std::int32_t>(m_files.directory.files.size());
        for (const TensorInfo& info : directory->tensors)
            take(info);
        for (const auto& [key, pair] : m_pairs)
            check(key, pair);
        m_files.adapter.rank = m_rank;
        m_files.adapter.scale = m_scale;
        if (m_problems.size() == before && m_files.adapter.pairs.empty())
            report(ErrorCode::BadFormat, kAdapterWeightsName, {}, "expected the matrices of an adapter, found none");
        m_files.directory.files.push_back(directory->files.front());
    }

private:
    struct Halves
    {
        std::optional<TensorInfo> a;
        std::optional<TensorInfo> b;
    };

    void report(ErrorCode code, std::string_view file, std::string_view place, std::string message)
    {
        m_problems.push_back({code, std::move(message), (m_folder / file).string(), printableName(place)});
    }

    void refuse(std::string_view key, std::string_view what)
    {
        report(ErrorCode::Unsupported, kAdapterConfigName, key,
               fmt::format("expected a LoRA adapter that is added to weight matrices, found {}; merge_and_unload() of "
                           "peft and save_pretrained() write weights that include the adapter",
                           what));
    }

    /// A number from its key, or `otherwise` where there is none.
    double numberOf(JsonView root, std::string_view key, double otherwise)
    {
        const auto member = root.find(key);
        if (!member || member->isNull())
            return otherwise;
        const auto value = member->asDouble();
        if (!value || !std::isfinite(*value) || *value <= 0)
            report(ErrorCode::BadFormat, kAdapterConfigName, key, "expected a number above 0");
        return value ? *value : otherwise;
    }

    void readConfig()
    {
        constexpr double kDefault = 8; // of peft, for both
        const auto document = JsonDocument::parseFile(m_folder / kAdapterConfigName);
        if (!document)
            return m_problems.push_back(document.error());
        const JsonView root = document->root();
        if (!root.isObject())
            return report(ErrorCode::BadFormat, kAdapterConfigName, {}, "expected an object");
        const auto type = root.find("peft_type");
        const std::string_view name = type ? type->asString().value_or("") : "";
        if (name != "LORA")
            refuse("peft_type",
                   fmt::format("an adapter of kind {}", name.empty() ? "(not named)" : printableName(name)));
        for (const Refused& each : kRefused)
            if (const auto value = root.find(each.key); value && asksFor(*value, each.harmless))
                refuse(each.key, each.what);
        if (const auto start = root.find("init_lora_weights");
            start && start->kind() == JsonKind::String && start->asString().value_or("") != "gaussian")
            refuse("init_lora_weights", fmt::format("an initialisation ({}) that changes the weights of the model",
                                                    printableName(start->asString().value_or(""))));
        m_rank = static_cast<std::int64_t>(numberOf(root, "r", kDefault));
        const double alpha = numberOf(root, "lora_alpha", kDefault);
        const auto stabilised = root.find("use_rslora");
        const bool byRoot = stabilised && stabilised->asBool().value_or(false);
        const auto rank = static_cast<double>(m_rank);
        m_scale = alpha / (byRoot ? std::sqrt(rank) : rank);
        const auto said = keyNotices(KeyTable::Adapter, root, std::string(kAdapterConfigName));
        m_files.warnings.insert(m_files.warnings.end(), said.begin(), said.end());
    }

    /// Sorts a tensor of the adapter into the pair of its module.
    void take(const TensorInfo& info)
    {
        constexpr std::string_view kOuter = "base_model.model.";
        std::string_view name = info.name;
        if (name.starts_with(kOuter))
            name.remove_prefix(kOuter.size());
        for (const bool isA : {true, false})
        {
            const std::string_view ending = isA ? ".lora_A.weight" : ".lora_B.weight";
            if (!name.ends_with(ending))
                continue;
            const std::string module(name.substr(0, name.size() - ending.size()));
            const auto key = tensorKey(module + ".weight", m_files.config.family, m_files.naming);
            const TensorInfo* base = key && isLayerRole(key->role) ? m_files.find(*key) : nullptr;
            if (base == nullptr || base->shape.size() != 2)
                return report(
                    ErrorCode::Unsupported, kAdapterWeightsName, info.name,
                    "expected an adapter of weight matrices of the layers, found an adapter of another module");
            Halves& halves = m_pairs[*key];
            (isA ? halves.a : halves.b) = info;
            (isA ? halves.a : halves.b)->file = m_file;
            return;
        }
        report(ErrorCode::Unsupported, kAdapterWeightsName, info.name,
               "expected lora_A and lora_B of weight matrices, found another tensor");
    }

    void check(const TensorKey& key, const Halves& halves)
    {
        const std::string module = tensorName(key, m_files.config.family, m_files.naming);
        if (!halves.a || !halves.b)
            return report(ErrorCode::BadFormat, kAdapterWeightsName, module,
                          fmt::format("expected lora_A and lora_B, found only lora_{}", halves.a ? "A" : "B"));
        const std::vector<std::int64_t>& base = m_files.find(key)->shape;
        const std::vector<std::int64_t> wantedA = {m_rank, base[1]};
        const std::vector<std::int64_t> wantedB = {base[0], m_rank};
        for (const auto& [half, wanted] : {std::pair(&*halves.a, &wantedA), std::pair(&*halves.b, &wantedB)})
        {
            if (half->shape != *wanted)
                return report(ErrorCode::ShapeMismatch, kAdapterWeightsName, half->name,
                              fmt::format("expected shape {}, found {}", shapeText(*wanted), shapeText(half->shape)));
            if (!tensorTypeInfo(half->type).readable)
                return report(ErrorCode::Unsupported, kAdapterWeightsName, half->name,
                              fmt::format("expected numbers that can be read, found {}", tensorTypeName(half->type)));
        }
        m_files.adapter.pairs[key] = {*halves.a, *halves.b, m_scale};
    }

    const fs::path m_folder;
    ModelFiles& m_files;
    std::vector<Error>& m_problems;
    std::map<TensorKey, Halves> m_pairs;
    std::int32_t m_file = 0;
    std::int64_t m_rank = 0;
    double m_scale = 1;
};

} // namespace

std::string LoraAdapter::words() const
{
    return pairs.empty() ? std::string()
                         : fmt::format("LoRA adapter of rank {}, added to {} weight matrices, scaled by {:g}", rank,
                                       pairs.size(), scale);
}

void readAdapter(const fs::path& folder, ModelFiles& files, std::vector<Error>& problems)
{
    AdapterReader(folder, files, problems).run();
}

std::string baseModelOf(const fs::path& folder)
{
    const auto document = JsonDocument::parseFile(folder / kAdapterConfigName);
    const auto base =
        document && document->root().isObject() ? document->root().find("base_model_name_or_path") : std::nullopt;
    return base ? printableName(base->asString().value_or("")) : std::string();
}

} // namespace headscope
