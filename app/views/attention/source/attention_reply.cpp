// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/source/attention_reply.h"

#include "model/base/file.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/utf8.h"
#include "model/data/ablation_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

constexpr std::int64_t kMost = 1'000'000; ///< layers, heads, tokens

/// A part of an object; null where it has none.
const Json& part(const Json& object, std::string_view name)
{
    static const Json nothing;
    const auto found = object.find(name);
    return found == object.end() ? nothing : *found;
}

/// A whole number from 0; nothing: it is none.
std::optional<std::int64_t> wholeIn(const Json& value)
{
    if (value.is_number_unsigned())
    {
        const auto number = value.get<std::uint64_t>();
        return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? std::optional(static_cast<std::int64_t>(number))
                   : std::nullopt;
    }
    if (value.is_number_integer() && value.get<std::int64_t>() >= 0)
        return value.get<std::int64_t>();
    return std::nullopt;
}

/// The numbers of a list; nothing where it is none, or holds something else.
std::optional<std::vector<std::int64_t>> wholesIn(const Json& list)
{
    if (!list.is_array() || std::ssize(list) > kMost)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Json& each : list)
    {
        const auto number = wholeIn(each);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

/// What was off: [{"layer", "heads"}], heads from 1.
std::string ablatedText(const Json& list)
{
    ChosenHeads chosen;
    for (const Json& each : list)
    {
        const auto layer = each.is_object() ? wholeIn(part(each, "layer")) : std::nullopt;
        const auto heads = each.is_object() ? wholesIn(part(each, "heads")) : std::nullopt;
        for (std::size_t i = 0; layer && heads && i < heads->size(); ++i)
            if ((*heads)[i] > 0)
                chosen[*layer].emplace_back((*heads)[i] - 1);
    }
    return ablationText(chosen);
}

} // namespace

Error AttentionAnswer::bad(std::string_view what) const
{
    return {ErrorCode::BadFormat,
            fmt::format("expected {} in the engine’s answer, found something else", what),
            text("file"),
            {}};
}

std::int64_t AttentionAnswer::number(const char* name) const
{
    return wholeIn(part(m_object, name)).value_or(-1);
}

std::string AttentionAnswer::text(const char* name) const
{
    const Json& value = part(m_object, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

Result<std::vector<std::int64_t>> AttentionAnswer::numbers(const char* name) const
{
    auto list = wholesIn(part(m_object, name));
    if (!list)
        return bad(name);
    return std::move(*list);
}

Result<AttentionAnswer> AttentionAnswer::read(Json object)
{
    AttentionAnswer answer(std::move(object));
    if (!answer.m_object.is_object())
        return answer.bad("an object");
    if (const std::filesystem::path file = answer.text("file"); !file.empty())
    {
        HEADSCOPE_TRY(answer.m_bytes, readTextFile(file));
    }
    return answer;
}

Status AttentionAnswer::readModel(ModelInfo& model) const
{
    model.name = text("model");
    model.family = text("family");
    model.layers = number("model_layers");
    model.heads = number("heads");
    model.kvHeads = number("kv_heads");
    model.headDim = std::max<std::int64_t>(0, number("head_dim"));
    model.modelDim = std::max<std::int64_t>(0, number("model_dim"));
    model.vocabulary = std::max<std::int64_t>(0, number("vocabulary"));
    for (const std::int64_t size : {model.layers, model.heads, model.kvHeads})
        if (size < 1 || size > kMost)
            return bad("the sizes of the model");
    if (model.heads % model.kvHeads != 0)
        return bad("a number of KV heads that divides the number of heads");
    for (const auto& [file, digest] : part(m_object, "sha256").items())
        if (digest.is_string())
            model.sha256.emplace_back(file, digest.get<std::string>());
    model.changes.ablated = ablatedText(part(m_object, "ablated"));
    model.changes.ablation = text("ablation");
    model.changes.reference = text("reference");
    model.changes.regroupedFrom = std::max<std::int64_t>(0, number("regrouped_from"));
    return {};
}

Status AttentionAnswer::readTokens(AttentionRun& run) const
{
    HEADSCOPE_TRY(const auto ids, numbers("ids"));
    for (const std::int64_t id : ids)
        run.ids.push_back(static_cast<std::int32_t>(id));
    const Json& texts = part(m_object, "texts");
    const bool fit =
        std::ranges::all_of(ids, [](std::int64_t id) { return id <= std::numeric_limits<std::int32_t>::max(); });
    if (ids.empty() || !fit || !texts.is_array() || texts.size() != ids.size())
        return bad("tokens with their texts");
    for (const Json& each : texts)
    {
        run.tokens.push_back(each.is_string() ? each.get<std::string>() : std::string());
        if (!isValidUtf8(run.tokens.back()))
            return bad("texts of tokens in UTF-8");
    }
    const Json& truncated = part(m_object, "truncated");
    run.truncated = truncated.is_boolean() && truncated.get<bool>();
    return {};
}

Status AttentionAnswer::readStatistics(AttentionRun& run) const
{
    const Json& statistics = part(m_object, "statistics");
    if (!statistics.is_object())
        return {};
    for (const auto& [name, rows] : statistics.items())
    {
        if (name == "layers" || name == "span_even")
            continue;
        MatrixD values(std::ssize(run.layers), run.model.heads);
        if (!rows.is_array() || std::ssize(rows) != values.rows())
            return bad("statistics of all layers");
        for (std::int64_t layer = 0; layer < values.rows(); ++layer)
        {
            const Json& row = rows[static_cast<std::size_t>(layer)];
            if (!row.is_array() || std::ssize(row) != values.cols())
                return bad("statistics of all heads");
            std::transform(row.begin(), row.end(), values.row(layer).begin(), [](const Json& value) {
                return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
            });
        }
        run.statistics[name] = std::move(values);
    }
    return {};
}

Result<AttentionRun> AttentionAnswer::header() const
{
    AttentionRun run;
    HEADSCOPE_CHECK(readModel(run.model));
    HEADSCOPE_CHECK(readTokens(run));
    HEADSCOPE_TRY(const auto layers, numbers("layer_numbers"));
    for (const std::int64_t layer : layers)
    {
        if (layer >= run.model.layers || (!run.layers.empty() && layer <= run.layers.back().value()))
            return bad("layers of the model in ascending order");
        run.layers.emplace_back(layer);
    }
    const Json& causal = part(m_object, "causal");
    run.causal = !causal.is_boolean() || causal.get<bool>();
    const auto positive = [this](std::string_view name) {
        const Json& number = part(m_object, name);
        return number.is_number() && number.get<double>() > 0 ? number.get<double>() : 0.0;
    };
    run.scores = {positive("score_scalar"), positive("softcap")};
    HEADSCOPE_CHECK(readStatistics(run));
    const Json& seconds = part(part(m_object, "seconds"), "compute");
    run.seconds = seconds.is_number() ? seconds.get<double>() : 0;
    run.origin = attentionOrigin(run.model, run.ids);
    return run;
}

std::int64_t AttentionAnswer::widthOf(std::string_view name) const
{
    for (const Json& each : part(m_object, "blocks"))
        if (each.is_object() && part(each, "name") == Json(name))
            if (const auto shape = wholesIn(part(each, "shape")); shape && !shape->empty())
                return shape->back();
    return 0;
}

Result<std::vector<float>> AttentionAnswer::block(std::string_view name, const std::vector<std::int64_t>& shape) const
{
    const Json& blocks = part(m_object, "blocks");
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const Json& each) {
        return each.is_object() && part(each, "name") == Json(name);
    });
    const auto place = found != blocks.end() ? wholeIn(part(*found, "offset")) : std::nullopt;
    if (!place || wholesIn(part(*found, "shape")) != std::optional(shape) || part(*found, "dtype") != "f32")
        return bad(name);
    const auto offset = static_cast<std::uint64_t>(*place);
    const std::uint64_t room = offset <= m_bytes.size() ? (m_bytes.size() - offset) / sizeof(float) : 0;
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape)
    {
        if (extent < 1 || static_cast<std::uint64_t>(extent) > room / count)
            return bad(fmt::format("a file with all of {}", name));
        count *= static_cast<std::uint64_t>(extent);
    }
    std::vector<float> values(count);
    std::memcpy(values.data(), m_bytes.data() + offset, values.size() * sizeof(float));
    if (!allFinite(values))
        return Error{
            ErrorCode::BadFormat,
            fmt::format(
                "expected finite values of {}, found NaN or infinity: weights or products of the model overflow", name),
            text("model"),
            {}};
    return values;
}

Result<std::vector<HeadIndex>> AttentionAnswer::weightHeads(std::int64_t heads) const
{
    HEADSCOPE_TRY(const auto shown, numbers("weight_heads"));
    std::vector<HeadIndex> found;
    for (const std::int64_t each : shown)
    {
        if (each < 1 || each > heads || (!found.empty() && each - 1 <= found.back().value()))
            return bad("heads of the model in ascending order");
        found.emplace_back(each - 1);
    }
    return found;
}

} // namespace headscope::desktop
