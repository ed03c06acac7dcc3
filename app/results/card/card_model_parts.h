// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/composition_results.h"
#include "model/data/model_digests.h"
#include "model/data/results/card/head_card.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// The message of an error as a sentence: what is missing of a card, and why.
[[nodiscard]] std::string asSentence(std::string message);

/// Where a card is read: whoever lacks a part is told how to add it there.
enum class CardReader
{
    Shell,
    Window,
};

/// What the weights and runs of the model say of heads, as the engine answered or as its files keep it.
class CardModelParts
{
public:
    CardModelParts() = default;
    /// @param cache  the model that the cards are of; what is taken must be of it (checkSameModel)
    explicit CardModelParts(ModelInfo cache) : m_cache(std::move(cache)) {}

    /// Takes what `lens --json` printed.
    /// @param place  where it is from: a file, or the model that was run
    /// @errors BadFormat, with `place`; InvalidArgument (of another model)
    [[nodiscard]] Status takeLens(std::string_view json, const std::string& place);
    /// Takes what `attention --corpus --json` printed.
    /// @param documents  that it was run on
    [[nodiscard]] Status takeAttention(std::string_view json, std::int64_t documents, const std::string& place);
    /// Takes what `importance --json` printed, or its .json; of several files each.
    [[nodiscard]] Status takeImportance(std::string_view json, const std::string& place);
    /// Takes scores of all pairs, as `composition -o FILE.h5` writes them.
    /// @errors those of readCircuitFile; InvalidArgument (of another model)
    [[nodiscard]] Status takeComposition(const std::filesystem::path& file, const std::string& place, JobContext& job);

    /// Puts into a card what is known of its head, and for what is not a gap.
    /// @param model  file or folder of the model, as commands name it; "": not known
    void addTo(HeadCard& card, const std::string& model, CardReader reader = CardReader::Shell) const;
    /// Why a part could not be had, for all cards: "a sentence".
    void setMissing(CardPart part, std::string why) { m_missing[part] = std::move(why); }

    /// What was taken without knowing of which model it is.
    [[nodiscard]] const std::vector<std::string>& notices() const { return m_notices; }

private:
    using Place = std::pair<std::int64_t, std::int64_t>; ///< layer, head from 0

    struct Statistic
    {
        std::string key;
        MatrixD values;             ///< [layers, H]
        Matrix<Interval> intervals; ///< likewise, or empty: not known
    };
    struct Attention
    {
        std::int64_t documents = 0;
        std::int64_t heads = 0;
        std::map<std::int64_t, std::size_t> rows; ///< of layers
        std::vector<Statistic> statistics;
    };

    [[nodiscard]] Status checkModel(const NamedDigests& made, const std::string& place);
    void addAttention(HeadCard& card, const std::string& help) const;
    void addPartners(HeadCard& card, const std::string& help) const;

    ModelInfo m_cache;
    std::map<Place, CardLens> m_lens;
    std::map<Place, CardAblation> m_ablation;
    std::optional<Attention> m_attention;
    std::optional<CompositionScores> m_scores;
    std::map<CardPart, std::string> m_missing;
    std::vector<std::string> m_notices;
};

} // namespace headscope
