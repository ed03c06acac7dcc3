// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/tsne_options.h"

namespace headscope
{

std::string_view metricName(Metric metric)
{
    return metric == Metric::Cosine ? "cosine" : "euclidean";
}

} // namespace headscope
