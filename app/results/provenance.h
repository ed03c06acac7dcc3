// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/base/fields/field_target.h"
#include "model/data/frame/frame.h"
#include "model/data/head_vectors.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

class Fields;

/// What made a result: the parameters as they were taken, and the hash of the numbers they were applied
/// to. Every result carries it: in --json as "parameters" and "input_hash", in HDF5 as attributes of its
/// group, in LaTeX as comments.
class Provenance
{
public:
    using Value = FieldRecord;

    Provenance() = default;
    /// Verb, cache, layer, stage, whether that is after the final norm, and the choices of heads, documents and labels
    /// that were made.
    Provenance(std::string verb, const CacheInput& input, const InputOptions& options);

    void add(std::string name, Value value) { m_parameters.emplace_back(std::move(name), std::move(value)); }
    /// Adds fields by what results call them (Field::recordName): of two the one that is typed. What is unset or
    /// empty is left out.
    void add(const Fields& rows, std::initializer_list<std::string_view> names);
    /// The label column that was used, chosen or not; "" where there is none.
    void setLabel(const std::string& name);
    void setInputHash(std::string hash) { m_inputHash = std::move(hash); }

    [[nodiscard]] const std::vector<std::pair<std::string, Value>>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::string& inputHash() const { return m_inputHash; }
    /// The parameters as facts.
    [[nodiscard]] Members facts() const;
    /// Adds "changed" (what was changed in the model of the cache, null: nothing), "parameters" and "input_hash".
    void writeTo(nlohmann::ordered_json& json) const;
    void addTo(Members& result) const;
    /// "name: value" for each, the hash last.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    std::vector<std::pair<std::string, Value>> m_parameters;
    std::string m_changed; ///< ModelChanges::words of the cache
    std::string m_inputHash;
};

/// XXH3 of the vectors of all these, one after another.
[[nodiscard]] std::string hashOfVectors(std::span<const HeadVectors* const> all);

} // namespace headscope
