// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/composition_results.h"
#include "model/data/circuits/contribution_results.h"
#include "model/data/model_digests.h"
#include "model/data/origin.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace headscope
{

/// A token of a head's list, as a picture shows it.
struct LensWord
{
    std::string text;
    std::int64_t id = -1;
    double logit = 0;
    std::int64_t documents = 0; ///< that list it; 0: of weights

    friend bool operator==(const LensWord&, const LensWord&) = default;
};

/// The lists of one head. Each is in its own order, the strongest first.
struct LensWords
{
    std::int64_t layer = 0;
    std::int64_t head = 0; ///< from 0
    std::string read;      ///< of weights the token that is read; empty: of documents
    std::vector<LensWord> up;
    std::vector<LensWord> down;
    std::vector<LensWord> keys;    ///< of weights
    std::vector<LensWord> queries; ///< likewise
};

/// What heads say in words.
struct LensTables
{
    std::string unembedding; ///< "output head", "token embeddings"
    bool weights = false;
    bool centred = false;
    std::int64_t documents = 0;
    std::string document;   ///< the one that is shown; empty: all
    std::int64_t heads = 0; ///< of a layer of the model
    std::int64_t kvHeads = 0;
    std::vector<LensWords> rows; ///< of each head, and of weights of each token that is read
};

/// What a verb of circuits found: contributions, composition or lens.
struct CircuitResult
{
    std::string model;     ///< its name
    NamedDigests hashes{}; ///< of the model's files
    std::string notice{};  ///< what was not checked, as a sentence; empty: nothing
    Origin origin{};       ///< of the cache whose documents or model it is of; none: of a file
    std::variant<ContributionsResult, CompositionScores, LensTables> found;

    [[nodiscard]] const ContributionsResult* contributions() const { return std::get_if<ContributionsResult>(&found); }
    [[nodiscard]] const CompositionScores* composition() const { return std::get_if<CompositionScores>(&found); }
    [[nodiscard]] const LensTables* lens() const { return std::get_if<LensTables>(&found); }
};
using CircuitResultPtr = std::shared_ptr<const CircuitResult>;

} // namespace headscope
