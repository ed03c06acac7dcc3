// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/frame/facts.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "model/io/hdf5/number_type.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Which documents of a run a cache holds that was made by `extract --range`, and which run that is.
struct CacheRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;       ///< behind the last
    std::int64_t documents = 0; ///< of the whole run
    std::string inputs;         ///< XXH3-128 of ids, texts and labels of all of them, in their order
    /// What else the vectors depend on, by name, as it is written for people.
    std::map<std::string, std::string> settings;
    std::vector<std::string> labelColumns; ///< in the order of the inputs

    friend bool operator==(const CacheRange&, const CacheRange&) = default;
};

/// What makes the sentence embedding of the pooled final hidden state.
struct EmbeddingSource
{
    std::string modules; ///< "Dense (768 to 256, tanh), Normalize"; empty: the cache has no such embedding
    std::string xxh3;    ///< XXH3-128 of these words and of all weights; empty: not known

    friend bool operator==(const EmbeddingSource&, const EmbeddingSource&) = default;
};

/// What a dataset of embeddings says of them.
void fields(RecordFields& record, EmbeddingSource& source);

/// Who made a cache, from what and how: the root attributes and /model.
struct CacheHeader
{
    ModelInfo model;
    std::string application; ///< empty when writing = this program and its version
    std::string created;     ///< UTC, ISO 8601; empty when writing = now
    std::string command;
    std::string tokenizerSha256;
    std::string pooling; ///< "last", "mean", "first"; empty when not known
    std::string eos;     ///< "config", "always", "never"; empty when not known
    std::int64_t maxTokens = 0;
    std::string computeDtype;
    std::string device;
    std::int64_t truncated = 0;      ///< documents cut to maxTokens
    std::string prompt;              ///< put before every document and topic name; empty: none, or not known
    std::string specialTokens;       ///< "text": those written in texts were no tokens; empty: they were, or not known
    std::string topicTemplate;       ///< text around the topic names, "{}" is the name; empty: none
    std::string sample;              ///< "20 of 300 documents, seed 1", where they were drawn; empty: they were not
    EmbeddingSource embedding;       ///< of the embeddings that stand beside the layers
    FactLines asks;                  ///< what the model's files ask for, and what is done by default; empty: not known
    std::optional<CacheRange> range; ///< nothing: all documents of its run
};

/// What the root of a cache says; its model, its range, its embedding and its asks say theirs elsewhere.
void fields(RecordFields& record, CacheHeader& header);

/// Documents [begin, end) of a cache.
struct DocumentRange
{
    std::int64_t begin = 0;
    std::int64_t end = -1; ///< -1: to the last
};

/// One dataset of head vectors, [documents, heads, dims].
struct VectorsInfo
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    std::int64_t documents = 0; ///< of a topic column: its categories
    std::int64_t heads = 0;     ///< 1 where the stage is kept uncut
    std::int64_t dims = 0;
    NumberType type = NumberType::F32;
    std::string_view finalNorm = {}; ///< finalNormNote of the place (model/data/last_layer.h)
};

/// The topic vectors of one label column.
struct TopicColumnInfo
{
    std::string column;
    std::vector<VectorsInfo> vectors;
};

/// What a cache holds, without any of its numbers.
struct CacheInfo
{
    CacheHeader header;
    std::int64_t version = 0;
    std::int64_t documents = 0;
    bool hasTexts = false;
    std::vector<std::string> labels;     ///< names of the label columns
    std::vector<VectorsInfo> embeddings; ///< by layer, then stage; the sentence embedding counts to the last layer
    std::vector<TopicColumnInfo> topics;
    std::vector<std::string> maps;
    std::vector<std::string> mapSets; ///< aligned sets; their maps are named "SET/MEMBER"
    bool hasChecksums = false;
    std::uint64_t fileBytes = 0;
    std::vector<std::string> notices; ///< sentences a user should see: no checksums, kept uncut, ...
    std::string identity;             ///< which documents and vectors these are (cache_identity.h)
};

/// For people: what the files of the model ask for and what is done with it where no option says otherwise, below a
/// heading; "" where it is not known.
[[nodiscard]] std::string asksText(const CacheHeader& header);

/// Label columns of a cache that are numbers and have no topic vectors, as extract --number-columns makes them.
/// @param documents  of that cache
[[nodiscard]] std::vector<std::string> numberColumnsOf(const CacheInfo& info, const DocumentSet& documents);

} // namespace headscope
