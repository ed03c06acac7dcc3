// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/topic_vectors.h"

#include <string>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// The input of an analysis, as typed: a cache and the part of it to use, or plain matrices.
struct InputOptions
{
    std::string cache = {};
    std::string layer = "last";
    std::string stage = "1";
    std::string heads = {};
    std::string mask = {};
    std::string documents = {};
    std::string label = {};
    std::string labelMap = {};
    TopicVectorChoice topics = {};
    std::string vectors = {};
    std::string labels = {};
    std::string testRows = {};

    /// Declares CACHE, --layer, --stage, --heads, --mask, --documents, and with `withTopics` --label and --label-map.
    void declareCache(Fields& table, bool withTopics);
    /// Declares --vectors, and with `classes` --labels and --test-rows.
    void declareMatrix(Fields& table, bool classes);
    /// @errors WrongUse: neither a cache nor --vectors, or both
    [[nodiscard]] Status check() const;
    /// The file that is read: the cache, or the plain matrix.
    [[nodiscard]] const std::string& file() const { return cache.empty() ? vectors : cache; }

    friend bool operator==(const InputOptions&, const InputOptions&) = default;
};

/// Declares --label and --label-map.
void labelFields(Fields& f, std::string& label, std::string& labelMap);
/// Declares --plain-csv, for verbs that write tables as .csv.
void declarePlainCsv(Fields& table, bool& plainCsv);

} // namespace headscope::commands
