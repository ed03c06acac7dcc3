// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/model_info.h"
#include "model/data/origin.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

/// Parts of equal size that the tokens of a corpus are cut into, by how much a head does at them.
inline constexpr std::size_t kDeciles = 10;

/// Which head of which model, over which documents and how they became tokens: what a HeadCorpus depends on.
struct HeadCorpusSource
{
    ModelInfo model; ///< with the digests of its files
    std::string tokenizerSha256;
    LayerIndex layer;
    HeadIndex head;
    bool causal = true;
    std::string corpus;        ///< where the documents were read
    std::string cacheIdentity; ///< of the cache whose documents they are (CacheInfo::identity); "": of files of texts
    std::string corpusDigest;  ///< InputDigest of the file of texts; "": of a cache, of a folder, or not known
    std::string prompt;        ///< put before every text
    std::string eos;           ///< "config", "always", "never"
    std::string specialTokens; ///< "parse", "text"
    std::int64_t maxTokens = 0;
    std::int64_t sampleTokens = 0; ///< M, or fewer where there are not so many
    std::uint64_t seed = 1;        ///< of the sample
    std::string device;

    /// What differs first from a run with another source: "expected ..., found ..."; "": nothing that results depend on
    /// (they do not depend on the name of the corpus; whether a run that goes on has the same texts so far, their
    /// tokens say).
    [[nodiscard]] std::string differenceFrom(const HeadCorpusSource& other) const;
};

/// A token with what the head reads there.
struct HeadExample
{
    std::int64_t token = 0;     ///< place among all tokens
    std::vector<float> weights; ///< [T of its document] its row of the head's attention

    bool operator==(const HeadExample&) const = default;
};

/// A token's document and its place in it.
struct TokenPlace
{
    DocumentIndex document;
    TokenIndex token;
};

/// One head over documents, token by token. Activation: the length (2-norm) of the head's output z at the token, stage
/// 1, before o_proj. Tokens are numbered over all documents, special ones included. Never changed once handed out.
struct HeadCorpus
{
    /// Of the open cache that it was asked for; nothing while nobody has compared it.
    Origin origin;
    HeadCorpusSource source;
    std::string command;        ///< as it was typed
    std::int64_t truncated = 0; ///< documents that were cut to maxTokens

    std::vector<std::string> documents; ///< [N] ids
    std::vector<std::int64_t> offsets;  ///< [N + 1] first token of each document; offsets[N] = P
    std::vector<std::int32_t> ids;      ///< [P]
    std::vector<float> activations;     ///< [P] |z_h|
    std::vector<std::int32_t>
        strongest; ///< [P] place in the document of the token with the largest weight, the first of equals
    std::vector<float> strongestWeights; ///< [P] that weight
    std::vector<float> firstWeights;     ///< [P] weight on the document's first token

    std::vector<std::int32_t> vocabulary; ///< ids that occur, ascending
    std::vector<std::string> spellings;   ///< what these spell, valid UTF-8; parts of a character as "<F0>"

    /// A sample of the tokens, uniform without replacement, drawn by the seed: [M] ascending.
    std::vector<std::int64_t> sampled;
    MatrixF q; ///< [M, Dh] after norms and rotation
    MatrixF k; ///< [M, Dh] likewise; of the head's KV group
    MatrixF z; ///< [M, Dh]

    std::vector<HeadExample> top; ///< largest activation first; few of one document
    /// Drawn from the tokens of each decile of the activation, lowest decile first.
    std::array<std::vector<HeadExample>, kDeciles> deciles;

    [[nodiscard]] std::int64_t documentCount() const { return std::ssize(documents); }
    [[nodiscard]] std::int64_t tokenCount() const { return std::ssize(ids); }
    [[nodiscard]] TokenPlace placeOf(std::int64_t token) const;
    [[nodiscard]] std::int64_t tokensOf(DocumentIndex document) const
    {
        return offsets[document.index() + 1] - offsets[document.index()];
    }
    /// "" for an id that is not in the vocabulary.
    [[nodiscard]] std::string_view spellingOf(std::int32_t id) const;
};

using HeadCorpusPtr = std::shared_ptr<const HeadCorpus>;

/// The smallest activation of each decile, then the largest of all: [11], ascending. Decile d holds the tokens of ranks
/// d P / 10 to (d + 1) P / 10 by activation (equal ones by their place), so that all are of one size, to a token.
/// @param activations  [P], at least one, finite
[[nodiscard]] std::array<float, kDeciles + 1> decileBounds(std::span<const float> activations);

/// The decile of each token, by that rank: [P].
[[nodiscard]] std::vector<std::uint8_t> decilesOf(std::span<const float> activations);

/// How many of the sampled tokens of a head are mapped.
enum class MappedTokens
{
    Few,
    Usual,
    Many,
};
[[nodiscard]] std::int64_t countOf(MappedTokens tokens);

/// Which head is watched over a corpus, and how much of it is shown.
struct HeadCorpusChoices
{
    std::int64_t layer = 0;
    std::int64_t head = 1; ///< as people count
    MappedTokens tokens = MappedTokens::Few;
};

/// Declares which head is watched.
/// @param model  that has the layer and the head
void fields(Fields& f, HeadCorpusChoices& o, const ModelInfo& model);

} // namespace headscope
