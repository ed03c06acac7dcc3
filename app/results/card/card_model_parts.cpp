// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_model_parts.h"

#include "app/frames/json_type.h"
#include "model/io/circuits/circuit_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope
{
namespace
{

constexpr std::size_t kPartners = 3; ///< before and after

Error notTheAnswer(const std::string& place, std::string_view verb)
{
    return {ErrorCode::BadFormat, fmt::format("expected what {} --json prints, found something else", verb), place, {}};
}

/// Calls `read` on the JSON of an answer: what is missing or of another kind there is no such answer.
Status readAnswer(std::string_view text, const std::string& place, std::string_view verb,
                  const std::function<Status(const Json&)>& read)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return notTheAnswer(place, verb);
    try
    {
        return read(json);
    }
    catch (const Json::exception&)
    {
        return notTheAnswer(place, verb);
    }
}

double realOf(const Json& json)
{
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Estimate estimateOf(const Json& json)
{
    Estimate estimate;
    estimate.value = realOf(json.at("value"));
    if (const Json& ends = json.at("ci95"); ends.is_array() && ends.size() == 2)
        estimate.ci95 = {realOf(ends[0]), realOf(ends[1])};
    return estimate;
}

std::vector<CardToken> tokensOf(const Json& list)
{
    std::vector<CardToken> tokens;
    for (const Json& each : list)
        tokens.push_back(
            {each.at("token").get<std::string>(), realOf(each.at("logit")), each.at("documents").get<std::int64_t>()});
    return tokens;
}

NamedDigests hashesIn(const Json& json)
{
    NamedDigests hashes;
    if (const auto found = json.find("sha256"); found != json.end() && found->is_object())
        for (const auto& [name, digest] : found->items())
            hashes.emplace_back(name, digest.get<std::string>());
    return hashes;
}

/// A gap with the command that fills it.
void addGap(HeadCard& card, CardPart part, const std::map<CardPart, std::string>& missing, std::string why,
            std::string help)
{
    if (const auto known = missing.find(part); known != missing.end())
        card.gaps.push_back({part, known->second, {}});
    else
        card.gaps.push_back({part, std::move(why), std::move(help)});
}

} // namespace

std::string asSentence(std::string message)
{
    if (!message.empty() && message.front() >= 'a' && message.front() <= 'z')
        message.front() = static_cast<char>(message.front() - 'a' + 'A');
    return message + ".";
}

Status CardModelParts::checkModel(const NamedDigests& made, const std::string& place)
{
    HEADSCOPE_TRY(std::string notice, checkSameModel(m_cache, made, place));
    if (!notice.empty() && std::ranges::find(m_notices, notice) == m_notices.end())
        m_notices.push_back(std::move(notice));
    return {};
}

Status CardModelParts::takeLens(std::string_view text, const std::string& place)
{
    return readAnswer(text, place, "lens", [&](const Json& json) -> Status {
        HEADSCOPE_CHECK(checkModel(hashesIn(json), place));
        const auto documents = json.at("documents").get<std::int64_t>();
        for (const Json& head : json.at("heads"))
        {
            CardLens lens{.up = tokensOf(head.at("up")),
                          .down = tokensOf(head.at("down")),
                          .documents = documents,
                          .unembedding = json.at("unembedding").get<std::string>()};
            m_lens[{head.at("layer").get<std::int64_t>(), head.at("head").get<std::int64_t>() - 1}] = std::move(lens);
        }
        return {};
    });
}

Status CardModelParts::takeAttention(std::string_view text, std::int64_t documents, const std::string& place)
{
    return readAnswer(text, place, "attention", [&](const Json& json) -> Status {
        Attention attention;
        attention.documents = documents;
        const Json& statistics = json.at("statistics");
        const Json& layers = statistics.at("layers");
        for (std::size_t row = 0; row < layers.size(); ++row)
            attention.rows[layers[row].get<std::int64_t>()] = row;
        for (const auto& [key, rows] : statistics.items())
        {
            if (key == "layers" || !rows.is_array() || rows.size() != layers.size() || rows.empty())
                continue;
            const std::size_t heads = rows[0].size();
            MatrixD values(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(heads));
            for (std::size_t row = 0; row < rows.size(); ++row)
                for (std::size_t head = 0; head < heads; ++head)
                    values(static_cast<std::int64_t>(row), static_cast<std::int64_t>(head)) =
                        realOf(rows[row].at(head));
            attention.heads = static_cast<std::int64_t>(heads * rows.size());
            attention.statistics.emplace_back(key, std::move(values));
        }
        m_attention = std::move(attention);
        return {};
    });
}

Status CardModelParts::takeImportance(std::string_view text, const std::string& place)
{
    return readAnswer(text, place, "importance", [&](const Json& json) -> Status {
        HEADSCOPE_CHECK(checkModel(hashesIn(json), place));
        if (json.at("units").get<std::string>() != "heads")
            return Error{ErrorCode::BadFormat, "expected single heads (--units heads), found KV groups", place, {}};
        for (const Json& measure : json.at("measures"))
            for (const Json& player : measure.at("players"))
            {
                CardAblation& ablation =
                    m_ablation[{player.at("layer").get<std::int64_t>(), player.at("head").get<std::int64_t>() - 1}];
                ablation.ablation = json.at("ablation").get<std::string>();
                ablation.documents = measure.at("documents").get<std::int64_t>();
                const Estimate lost = estimateOf(player.at("left_out"));
                (measure.at("measure").get<std::string>() == "cosine" ? ablation.cosine : ablation.match) = lost;
            }
        return {};
    });
}

Status CardModelParts::takeComposition(const std::filesystem::path& file, const std::string& place, JobContext& job)
{
    HEADSCOPE_TRY(const CircuitResult read, readCircuitFile(file, job));
    HEADSCOPE_CHECK(checkModel(read.hashes, place));
    const CompositionScores* scores = read.composition();
    if (scores == nullptr)
        return notTheAnswer(file.string(), "composition");
    m_scores = *scores;
    return {};
}

void CardModelParts::addAttention(HeadCard& card, const std::string& help) const
{
    const bool isKnown = m_attention && m_attention->rows.contains(card.layer.value());
    if (!isKnown)
    {
        addGap(card, CardPart::Reads, m_missing, "Where it attends is known from runs of the model.", help);
        return;
    }
    CardAttention attention{.documents = m_attention->documents, .heads = m_attention->heads, .statistics = {}};
    for (const auto& [key, values] : m_attention->statistics)
    {
        if (card.head.value() >= values.cols())
            continue;
        const double value =
            values(static_cast<std::int64_t>(m_attention->rows.at(card.layer.value())), card.head.value());
        const auto above = std::ranges::count_if(values.values(), [&](double other) { return other > value; });
        attention.statistics.push_back({key, value, above + 1});
    }
    card.attention = std::move(attention);
}

void CardModelParts::addPartners(HeadCard& card, const std::string& help) const
{
    if (!m_scores || card.layer.value() >= m_scores->layers || card.head.value() >= m_scores->heads)
    {
        addGap(card, CardPart::Partners, m_missing, "Composition is computed from the weights of the model.", help);
        return;
    }
    const CompositionScores& scores = *m_scores;
    CardPartners partners{.baseline = scores.baseline, .before = {}, .after = {}};
    const std::int64_t units = scores.layers * scores.heads;
    const std::int64_t own = card.layer.value() * scores.heads + card.head.value();
    for (const CompositionKind kind : kCompositionKinds)
    {
        const auto& values = scores.of(kind);
        if (values.empty())
            continue;
        for (std::int64_t other = 0; other < units; ++other)
        {
            const LayerIndex layer(other / scores.heads);
            const bool before = layer < card.layer;
            if (layer == card.layer)
                continue;
            const auto at = static_cast<std::size_t>(before ? other * units + own : own * units + other);
            (before ? partners.before : partners.after)
                .push_back({kind, layer, HeadIndex(other % scores.heads), values[at] - scores.baseline});
        }
    }
    for (auto* list : {&partners.before, &partners.after})
    {
        std::ranges::stable_sort(*list, [](const auto& a, const auto& b) { return a.score > b.score; });
        list->resize(std::min(list->size(), kPartners));
    }
    card.partners = std::move(partners);
}

void CardModelParts::addTo(HeadCard& card, const std::string& model) const
{
    // A path from the root says where somebody keeps files, and a card is handed on.
    const std::filesystem::path path(model);
    const std::string last = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
    const std::string name = model.empty() ? "MODEL" : path.is_absolute() ? last : model;
    const std::string help = fmt::format("Name the model: --model {}.", name);
    const std::pair<std::int64_t, std::int64_t> place(card.layer.value(), card.head.value());
    if (const auto lens = m_lens.find(place); lens != m_lens.end())
        card.lens = lens->second;
    else
        addGap(card, CardPart::Writes, m_missing,
               "Which tokens it raises is decoded with the output head of the model.", help);
    addAttention(card, help);
    addPartners(card, help);
    if (const auto ablation = m_ablation.find(place); ablation != m_ablation.end())
        card.ablation = ablation->second;
    else
        addGap(card, CardPart::Importance, m_missing,
               "The drop in the full model is measured by running it without the head.",
               fmt::format("Run headscope importance {} {} --layers {} -o importance.json, and give the file with "
                           "--importance.",
                           name, card.cache, card.layer.value()));
}

} // namespace headscope
