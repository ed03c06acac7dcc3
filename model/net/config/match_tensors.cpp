// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a model's tensors are needed, whether they are there, and whether they fit.
#include "model/base/tensor_type.h"
#include "model/net/config/model_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

enum class Presence
{
    Required,
    Optional, ///< in all layers or in none
    Forbidden,
};

Presence presenceOf(BiasRule rule, const std::optional<bool>& configured)
{
    switch (rule)
    {
    case BiasRule::Never:
        return Presence::Forbidden;
    case BiasRule::Always:
        return Presence::Required;
    case BiasRule::AsConfigured:
        break;
    }
    if (!configured)
        return Presence::Optional;
    return *configured ? Presence::Required : Presence::Forbidden;
}

/// Whether a family's layers have this bias. The reference ignores what it does not expect, so an
/// unexpected bias means that the configuration and the weights are of different models.
Presence biasPresence(const ModelConfig& config, TensorRole role)
{
    const FamilyTraits& traits = config.traits();
    switch (role)
    {
    case TensorRole::EmbedTokens:
    case TensorRole::EmbedPositions:
    case TensorRole::EmbedTypes:
    case TensorRole::RopeFactors:
    case TensorRole::RopeShortFactors:
    case TensorRole::RopeLongFactors:
    case TensorRole::RelativeBias:
    case TensorRole::QNorm:
    case TensorRole::KNorm:
        return Presence::Forbidden;
    case TensorRole::Q:
    case TensorRole::K:
    case TensorRole::V:
        return presenceOf(traits.attentionBias, config.attentionBias);
    case TensorRole::O:
        return presenceOf(traits.outputBias, config.attentionBias);
    case TensorRole::Gate:
    case TensorRole::Up:
        return presenceOf(traits.mlpBias, config.mlpBias);
    case TensorRole::Down:
        return presenceOf(traits.downBias.value_or(traits.mlpBias), config.mlpBias);
    default: // the norms of the residual stream
        return traits.normKind == NormKind::Layer ? presenceOf(traits.normBias, config.normBias) : Presence::Forbidden;
    }
}

Presence weightPresence(const ModelConfig& config, TensorRole role)
{
    if (role == TensorRole::QNorm || role == TensorRole::KNorm)
        return config.traits().queryKeyNorm ? Presence::Required : Presence::Forbidden;
    if (role == TensorRole::RopeFactors)
        return Presence::Optional;
    if (role == TensorRole::RopeShortFactors || role == TensorRole::RopeLongFactors)
        return config.rope.factorsInTensors ? Presence::Required : Presence::Forbidden;
    if (role == TensorRole::EmbedTypes && config.tokenTypes == 0)
        return Presence::Forbidden;
    return Presence::Required;
}

/// The first layer that has a tensor of this role.
std::int64_t firstLayerOf(const ModelConfig& config, TensorRole role)
{
    return role == TensorRole::AttentionNorm && config.traits().firstNormLacking ? 1 : 0;
}

class Matcher
{
public:
    Matcher(ModelFiles& files, std::vector<Error>& problems) : m_files(files), m_problems(problems) {}

    void run()
    {
        m_prefix = foreignPrefix();
        if (!m_prefix.empty())
            m_files.warnings.push_back(
                fmt::format("the names of all tensors begin with {}; they are read without it", m_prefix));
        for (const TensorInfo& info : m_files.directory.tensors)
            take(info);
        for (const TensorName& name : m_files.config.traits().tensors)
            demand(name.role);
    }

private:
    /// What names begin with when they were saved from inside another module ("0.auto_model."); "" as a rule.
    [[nodiscard]] std::string foreignPrefix() const
    {
        if (m_files.isGguf())
            return {};
        const ModelFamily family = m_files.config.family;
        const std::string table = tensorName({TensorRole::EmbedTokens, 0, false}, family, m_files.naming);
        std::string found;
        for (const TensorInfo& info : m_files.directory.tensors)
        {
            if (tensorKey(info.name, family, m_files.naming) == TensorKey{TensorRole::EmbedTokens, 0, false})
                return {};
            if (info.name.ends_with("." + table))
                found = info.name.substr(0, info.name.size() - table.size());
        }
        const std::string_view own = m_files.config.traits().tensorPrefix;
        if (found.ends_with(own))
            found.resize(found.size() - own.size());
        return printableName(found) == found ? found : std::string();
    }

    [[nodiscard]] std::string_view ownName(const TensorInfo& info) const
    {
        std::string_view name = info.name;
        if (name.starts_with(m_prefix))
            name.remove_prefix(m_prefix.size());
        return name;
    }

    void report(ErrorCode code, std::string_view tensor, std::string message, std::string file = {})
    {
        m_problems.push_back({code, std::move(message), std::move(file), printableName(tensor)});
    }

    void take(const TensorInfo& info)
    {
        const ModelConfig& config = m_files.config;
        const std::string file = m_files.directory.fileName(info);
        const auto key = tensorKey(ownName(info), config.family, m_files.naming);
        if (!key)
        {
            if (isIgnoredTensor(ownName(info), config.family, m_files.naming))
                return;
            // Inside a layer it would take part in the computation, so leaving it out is wrong.
            if (isInLayer(ownName(info), config.family, m_files.naming))
                report(ErrorCode::Unsupported, info.name,
                       fmt::format("a {} model has no such tensor", familyName(config.family)), file);
            else
                m_files.warnings.push_back(
                    fmt::format("{}: {}: unknown, and not used", file, printableName(info.name)));
            return;
        }
        if (key->layer >= config.layers)
        {
            report(ErrorCode::BadFormat, info.name,
                   fmt::format("expected layers 0 to {}, found {}", config.layers - 1, key->layer), file);
            return;
        }
        if (m_files.tensors.contains(*key))
        {
            report(ErrorCode::BadFormat, info.name, "this tensor occurs twice, with and without prefix", file);
            return;
        }
        const bool isAbove = key->layer >= firstLayerOf(config, key->role);
        const Presence presence = !isAbove    ? Presence::Forbidden
                                  : key->bias ? biasPresence(config, key->role)
                                              : weightPresence(config, key->role);
        if (presence == Presence::Forbidden)
            report(ErrorCode::Unsupported, info.name,
                   fmt::format("this {} model should not have this tensor", familyName(config.family)), file);
        const auto parts = tensorParts(*key, config.family, m_files.naming);
        const bool isTransposed =
            !m_files.isGguf() && config.traits().transposed && isLayerRole(key->role) && info.shape.size() == 2;
        if (checkForm(parts, isTransposed, info, file))
            cut(parts, isTransposed, info);
        else
            for (const TensorKey& part : parts)
                m_files.tensors.emplace(part, info); // it is there, whatever its form
    }

    /// Whether type and shape are those of the parts one after another.
    bool checkForm(const std::vector<TensorKey>& parts, bool isTransposed, const TensorInfo& info,
                   const std::string& file)
    {
        const bool readable = tensorTypeInfo(info.type).readable;
        if (!readable)
            report(ErrorCode::Unsupported, info.name,
                   fmt::format("expected numbers that can be read (F32, F16, BF16, ...), found {}",
                               tensorTypeName(info.type)),
                   file);
        else if (isTransposed && tensorTypeInfo(info.type).blockElements != 1)
            report(ErrorCode::Unsupported, info.name,
                   fmt::format("expected numbers that are not quantised, found {}", tensorTypeName(info.type)), file);
        std::int64_t length = 0; // of all parts
        for (const TensorKey& part : parts)
        {
            const TensorShape shape = expectedShape(part, m_files.config);
            length += shape.vector ? shape.cols : shape.rows;
        }
        const TensorShape first = expectedShape(parts.front(), m_files.config);
        std::vector<std::int64_t> wanted = {length};
        if (!first.vector)
            wanted.insert(isTransposed ? wanted.begin() : wanted.end(), first.cols);
        // A vocabulary that the file does not tell is as large as the embedding.
        if (parts.front().role == TensorRole::EmbedTokens && wanted[0] == 0 && info.shape.size() == 2)
            wanted[0] = m_files.config.vocabulary = std::max<std::int64_t>(1, info.shape[0]);
        if (info.shape != wanted)
            report(ErrorCode::ShapeMismatch, info.name,
                   fmt::format("expected shape {}, found {}", shapeText(wanted), shapeText(info.shape)), file);
        return readable && info.shape == wanted;
    }

    /// Adds each part of a tensor as one of its own, so that whoever reads one need not know of the others.
    void cut(const std::vector<TensorKey>& parts, bool isTransposed, const TensorInfo& whole)
    {
        const TensorTypeInfo& type = tensorTypeInfo(whole.type);
        const FamilyTraits& traits = m_files.config.traits();
        const auto groups = static_cast<std::uint64_t>(
            traits.fusedByHead && parts.size() > 1 && !m_files.isGguf() ? m_files.config.heads : 1);
        std::uint64_t before = 0; // bytes of earlier parts in the file, or in each of its rows or groups
        for (const TensorKey& part : parts)
        {
            TensorInfo info = whole;
            const TensorShape shape = expectedShape(part, m_files.config);
            info.shape = shape.vector ? std::vector{shape.cols} : std::vector{shape.rows, shape.cols};
            info.bytes = info.elements() / type.blockElements * type.blockBytes;
            info.offset = whole.offset + before;
            info.storedCols = isTransposed ? whole.shape[1] : 0;
            if (groups > 1)
            {
                info.groupRows = m_files.config.headDim;
                info.groupStep = m_files.config.headDim * std::ssize(parts);
            }
            before += isTransposed ? info.bytes / static_cast<std::uint64_t>(shape.cols) : info.bytes / groups;
            m_files.tensors.emplace(part, std::move(info));
        }
    }

    /// Reports the weights of a role that are missing, and biases that some layers have.
    void demand(TensorRole role)
    {
        demandKind({role, firstLayerOf(m_files.config, role), false}, weightPresence(m_files.config, role));
        demandKind({role, firstLayerOf(m_files.config, role), true}, biasPresence(m_files.config, role));
    }

    /// @param key  of the first layer that is asked
    void demandKind(TensorKey key, Presence presence)
    {
        const std::int64_t end = isLayerRole(key.role) ? m_files.config.layers : 1;
        const std::int64_t count = end - key.layer;
        std::int64_t missing = 0;
        std::string first;
        for (; key.layer < end; ++key.layer)
        {
            if (m_files.tensors.contains(key))
                continue;
            ++missing;
            if (first.empty())
                first = tensorName(key, m_files.config.family, m_files.naming);
        }
        if (missing == 0 || presence == Presence::Forbidden || (presence == Presence::Optional && missing == count))
            return;
        report(ErrorCode::BadFormat, first,
               missing == 1
                   ? std::string("this tensor is missing")
                   : fmt::format("expected this tensor in all {} layers, found it in {}", count, count - missing));
    }

    ModelFiles& m_files;
    std::vector<Error>& m_problems;
    std::string m_prefix;
};

} // namespace

void matchTensors(ModelFiles& files, std::vector<Error>& problems)
{
    Matcher(files, problems).run();
}

} // namespace headscope
