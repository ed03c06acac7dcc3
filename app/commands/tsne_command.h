// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"
#include "model/data/maps/tsne_options.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{
class OptionTable;
}

namespace headscope::commands
{

/// `headscope tsne`, as typed.
struct TsneCommand
{
    static constexpr std::string_view kVerb = "tsne";

    InputOptions input;
    std::vector<double> perplexities = TsneOptions().perplexities;
    int iterations = TsneOptions().iterations;
    double exaggeration = TsneOptions().exaggeration;
    int exaggerationIterations = TsneOptions().exaggerationIterations;
    double lateExaggeration = TsneOptions().lateExaggeration;
    double learningRate = TsneOptions().learningRate;
    double momentum = TsneOptions().momentum;
    double degreesOfFreedom = TsneOptions().degreesOfFreedom;
    bool autoStop = TsneOptions().autoStop;
    std::string metric{metricName(TsneOptions().metric)};
    std::string init = "pca";
    std::string name = "map";
    std::string save;
    std::string output;
    bool plainCsv = false;
    std::string color = "head";
    std::string palette = "standard";
    std::string state;
    bool quality = false;
    bool aligned = false;

    void declare(shell::OptionTable& table);
    /// Options of the t-SNE. Start positions that --init names are passed beside them.
    [[nodiscard]] TsneOptions options(std::uint64_t seed) const;
    /// Sets the members from these options, except the seed, which is a common option, and given positions.
    void setOptions(const TsneOptions& options);

    friend bool operator==(const TsneCommand&, const TsneCommand&) = default;
};

} // namespace headscope::commands
