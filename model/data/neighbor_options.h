// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/tsne_options.h"

#include <cstdint>
#include <string_view>

namespace headscope
{

struct Field;

/// Declares --metric.
Field& metricField(Fields& f, Metric& metric);

enum class NeighborMethod
{
    Auto,        ///< exact up to TsneOptions::exactNeighborsBelow points
    Exact,       ///< every pair is looked at
    Approximate, ///< cells of a k-means; the recall of a sample is checked and raised as asked
};

/// "auto", "exact" or "approximate".
[[nodiscard]] std::string_view methodName(NeighborMethod method);

/// How neighbours are searched.
struct NeighborOptions
{
    std::int64_t k = 15; ///< neighbours per point; at most points - 1 are found
    Metric metric = Metric::Euclidean;
    NeighborMethod method = NeighborMethod::Exact;
    /// Share of the true neighbours that the approximate method must reach on its sample, less two
    /// standard errors of that sample.
    double recall = 0.99;
    std::uint64_t seed = 1; ///< of the k-means and of the sample

    friend bool operator==(const NeighborOptions&, const NeighborOptions&) = default;
};

/// Declares how neighbours are searched.
void fields(Fields& f, NeighborOptions& o);

/// Which vectors say what is near.
enum class GrowSpace
{
    Full,
    Head, ///< or segment
};

/// How a choice of documents grows to those near to them.
struct GrowOptions
{
    std::int64_t neighbors = 5; ///< of each chosen document
    GrowSpace space = GrowSpace::Full;
};

/// Declares how a choice grows.
void fields(Fields& f, GrowOptions& o);

} // namespace headscope
