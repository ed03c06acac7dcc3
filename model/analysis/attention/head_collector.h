// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/base/result.h"
#include "model/data/attention/head_corpus.h"
#include "model/data/matrix.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What one head did at every token of a document.
struct HeadDocument
{
    std::string id;
    std::span<const std::int32_t> ids; ///< [T]
    ConstMatrixView q;                 ///< [T, Dh]
    ConstMatrixView k;                 ///< [T, Dh]
    ConstMatrixView z;                 ///< [T, Dh]
    ConstMatrixView weights;           ///< [T, T]
};

/// Examples that a HeadCorpus has.
struct ExampleCounts
{
    std::size_t top = 24;           ///< strongest tokens
    std::size_t topPerDocument = 3; ///< of these from one document
    std::size_t perDecile = 5;
    std::size_t drawn = 2000; ///< tokens of which the deciles' are chosen at the end: some 200 for each
};

/// Gathers a head over documents that come in their order: all activations, a uniform sample of the tokens with their
/// vectors, and examples with the weights of their rows. What it holds can be kept and gone on from, to the bit.
///
/// The sample: every token has a number that the seed draws for its place; those with the smallest are in it. So it
/// does not depend on how the documents came, and grows out of what was gathered before.
/// @threads one at a time
/// @cost   memory: 20 bytes a token, 12 Dh a sampled one, and the rows of the examples
class HeadCollector
{
public:
    /// @param begun  what an earlier run has gathered, of the same source; empty: nothing
    HeadCollector(HeadCorpus begun, std::vector<HeadExample> drawn, ExampleCounts counts = {});

    /// @errors InvalidArgument: NaN or infinity in the head's output
    [[nodiscard]] Status add(const HeadDocument& document);

    /// What was gathered so far, without deciles.
    [[nodiscard]] HeadCorpus gathered() const;
    /// The tokens with the smallest numbers so far, by place, with their rows.
    [[nodiscard]] std::vector<HeadExample> drawn() const;
    /// The whole, with deciles. Needs at least one token.
    [[nodiscard]] HeadCorpus finish() const;

    [[nodiscard]] std::int64_t documents() const { return std::ssize(m_corpus.documents); }
    [[nodiscard]] std::int64_t tokens() const { return m_corpus.tokenCount(); }

private:
    /// A token by the number that was drawn for it, and where its vectors are held.
    struct Drawn
    {
        std::uint64_t number = 0;
        std::int64_t token = 0;
        std::size_t slot = 0;

        auto operator<=>(const Drawn&) const = default;
    };
    /// The tokens with the smallest numbers, at most so many: a heap, the largest number first.
    struct Smallest
    {
        std::size_t most = 0;
        std::vector<Drawn> heap;

        /// Where the vectors of a token go, if it is one of them.
        [[nodiscard]] std::optional<std::size_t> slotFor(std::uint64_t number, std::int64_t token);
        [[nodiscard]] std::vector<Drawn> byToken() const;
    };

    [[nodiscard]] std::uint64_t numberOf(std::int64_t token) const
    {
        return m_random.bits(static_cast<std::uint64_t>(token));
    }
    void takeTokens(const HeadDocument& document, std::span<const float> activations);
    void takeSample(const HeadDocument& document, std::int64_t first);
    void takeTop(const HeadDocument& document, std::int64_t first, std::span<const float> activations);
    [[nodiscard]] float activationOf(const HeadExample& example) const
    {
        return m_corpus.activations[static_cast<std::size_t>(example.token)];
    }

    HeadCorpus m_corpus; ///< its sample and its vocabulary stay empty until they are asked for
    ExampleCounts m_counts;
    CounterRandom m_random;
    Smallest m_sample;
    MatrixF m_q; ///< [sampleTokens, Dh] by slot
    MatrixF m_k;
    MatrixF m_z;
    Smallest m_drawn;
    std::vector<std::vector<float>> m_rows; ///< by slot of m_drawn
};

} // namespace headscope
