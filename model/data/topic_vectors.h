// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

class Fields;

/// The names of a label column, embedded like documents: row c is category c of the column.
struct TopicVectors
{
    std::string column;
    std::vector<std::string> names;             ///< [C]
    std::shared_ptr<const HeadVectors> vectors; ///< [C, H, D] of one stage and layer
};

/// Which vectors stand for the topics.
enum class TopicVectorKind
{
    Names,     ///< the embedded names, as they are or in a template
    Centroids, ///< means of the documents of each label, the document that is compared left out of its own
};

/// How topics and documents are made ready to be compared.
struct TopicVectorChoice
{
    TopicVectorKind kind = TopicVectorKind::Names;
    /// Takes the mean over the labelled documents away from documents and centroids, the mean over topics from
    /// names' vectors.
    bool centred = false;

    friend bool operator==(const TopicVectorChoice&, const TopicVectorChoice&) = default;
};

/// Declares which vectors stand for the topics.
void fields(Fields& f, TopicVectorChoice& o);

/// Vectors of documents and topics of one stage and layer, and the full ones beside them.
struct TopicVectorSet
{
    std::shared_ptr<const HeadVectors> documents;     ///< [N, H, D]
    std::shared_ptr<const HeadVectors> topics;        ///< [C, H, D]; null: no vectors of names
    std::shared_ptr<const HeadVectors> fullDocuments; ///< [N, H', D'], a row is a full vector
    std::shared_ptr<const HeadVectors> fullTopics;    ///< [C, H', D']; null with `topics`
    /// [1 + H, C] documents that each centroid is the mean of (row 0: the full vectors). Empty: topics are names.
    Matrix<std::int64_t> members;
};

} // namespace headscope
