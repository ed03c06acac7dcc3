// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_model_parts.h"

#include "app/frames/json_type.h"
#include "model/analysis/statistics/intervals.h"
#include "model/data/model_family.h"
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

Interval intervalOf(const Json& ends)
{
    return ends.is_array() && ends.size() == 2 ? Interval{realOf(ends[0]), realOf(ends[1])} : Interval();
}

Estimate estimateOf(const Json& json)
{
    Estimate estimate;
    estimate.value = realOf(json.at("value"));
    estimate.ci95 = intervalOf(json.at("ci95"));
    return estimate;
}

/// @param documents  that were decoded
std::vector<CardToken> tokensOf(const Json& list, std::int64_t documents)
{
    std::vector<CardToken> tokens;
    for (const Json& each : list)
    {
        const auto own = each.at("documents").get<std::int64_t>();
        tokens.push_back({.text = each.at("token").get<std::string>(),
                          .logit = realOf(each.at("logit")),
                          .documents = own,
                          .ci95 = wilsonInterval(static_cast<double>(own), static_cast<double>(documents))});
    }
    return tokens;
}

/// A table of an answer, [Ls][H].
template <class T>
Matrix<T> cellsOf(const Json& rows, std::size_t layers, T (*of)(const Json&))
{
    Matrix<T> cells(static_cast<std::int64_t>(layers), static_cast<std::int64_t>(rows.at(0).size()));
    for (std::int64_t row = 0; row < cells.rows(); ++row)
        for (std::int64_t head = 0; head < cells.cols(); ++head)
            cells(row, head) = of(rows.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(head)));
    return cells;
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
            CardLens lens{.up = tokensOf(head.at("up"), documents),
                          .down = tokensOf(head.at("down"), documents),
                          .documents = documents,
                          .top = json.at("top").get<std::int64_t>(),
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
            MatrixD values = cellsOf<double>(rows, layers.size(), realOf);
            attention.heads = values.rows() * values.cols();
            Matrix<Interval> intervals;
            if (const auto found = json.find("ci95"); found != json.end() && found->contains(key))
                intervals = cellsOf<Interval>(found->at(key), layers.size(), intervalOf);
            attention.statistics.push_back({key, std::move(values), std::move(intervals)});
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
        addGap(card, CardPart::Reads, m_missing, "Attention statistics need a run of the model.", help);
        return;
    }
    CardAttention attention{.documents = m_attention->documents, .heads = m_attention->heads, .statistics = {}};
    const auto row = static_cast<std::int64_t>(m_attention->rows.at(card.layer.value()));
    for (const auto& [key, values, intervals] : m_attention->statistics)
    {
        if (card.head.value() >= values.cols())
            continue;
        const double value = values(row, card.head.value());
        const auto above = std::ranges::count_if(values.values(), [&](double other) { return other > value; });
        attention.statistics.push_back(
            {.key = key,
             .value = value,
             .ci95 = card.head.value() < intervals.cols() ? intervals(row, card.head.value()) : Interval(),
             .rank = above + 1});
    }
    card.attention = std::move(attention);
}

void CardModelParts::addPartners(HeadCard& card, const std::string& help) const
{
    if (!m_scores || card.layer.value() >= m_scores->layers || card.head.value() >= m_scores->heads)
    {
        addGap(card, CardPart::Partners, m_missing, "Composition scores need the weights of the model.", help);
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
                .push_back({.kind = kind,
                            .layer = layer,
                            .head = HeadIndex(other % scores.heads),
                            .score = values[at] - scores.baseline,
                            .spread = before ? randomScoreSpread(scores, kind, other, own)
                                             : randomScoreSpread(scores, kind, own, other)});
        }
    }
    partners.numBefore = std::ssize(partners.before);
    partners.numAfter = std::ssize(partners.after);
    for (auto* list : {&partners.before, &partners.after})
    {
        std::ranges::stable_sort(*list, [](const auto& a, const auto& b) { return a.score > b.score; });
        list->resize(std::min(list->size(), kPartners));
    }
    card.partners = std::move(partners);
}

void CardModelParts::addTo(HeadCard& card, const std::string& model, CardReader reader) const
{
    // A path from the root says where somebody keeps files, and a card is handed on.
    const std::filesystem::path path(model);
    const std::string last = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
    const std::string name = model.empty() ? "MODEL" : path.is_absolute() ? last : model;
    const bool isWindow = reader == CardReader::Window;
    const std::string help = isWindow ? "“Run the model” adds it." : fmt::format("Add it with --model {}.", name);
    const std::pair<std::int64_t, std::int64_t> place(card.layer.value(), card.head.value());
    const FamilyTraits* const family = familyNamed(card.model.family);
    if (const auto lens = m_lens.find(place); lens != m_lens.end())
        card.lens = lens->second;
    else if (family != nullptr && !family->hasFinalNorm())
        card.gaps.push_back({CardPart::Writes,
                             fmt::format("The model is an encoder ({}) without an output head, so its vectors cannot "
                                         "be decoded into tokens.",
                                         family->name),
                             {}});
    else
        addGap(card, CardPart::Writes, m_missing, "Decoding its output into tokens needs the weights of the model.",
               help);
    addAttention(card, help);
    addPartners(card, help);
    if (const auto ablation = m_ablation.find(place); ablation != m_ablation.end())
        card.ablation = ablation->second;
    else
        addGap(card, CardPart::Importance, m_missing, "Full-model ablation was not measured.",
               isWindow ? "Heads > Ablate in the model measures it for any heads."
                        : fmt::format("Run headscope importance {} {} --layers {} -o importance.json, then add "
                                      "--importance importance.json.",
                                      name, card.cache, card.layer.value()));
}

} // namespace headscope
