// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/make_map.h"

#include "model/base/hash.h"

#include <limits>
#include <memory>
#include <span>

namespace headscope
{

HeadMap frameOfMap(const HeadPoints& points, Stage stage, LayerIndex layer, const TsneOptions& options)
{
    HeadMap frame;
    frame.points = std::make_shared<const PointIds>(points.ids);
    frame.stage = stage;
    frame.layer = layer;
    frame.options = options;
    frame.kl = std::numeric_limits<double>::quiet_NaN();
    frame.inputHash = xxh3Hex(std::as_bytes(std::span(points.vectors.values())));
    frame.leftOut = points.leftOut;
    return frame;
}

HeadMap snapshotMap(const TsneState& state, const HeadMap& frame)
{
    HeadMap map = frame;
    map.xy = state.positions();
    map.options = state.options();
    map.iteration = state.iteration();
    map.kl = state.kl();
    return map;
}

Result<HeadMap> makeMap(const HeadPoints& points, Stage stage, LayerIndex layer, const TsneOptions& options,
                        int numThreads, JobContext& job, const TsneState::OnIteration& onIteration,
                        const MatrixF* given)
{
    HEADSCOPE_TRY(TsneState state, TsneState::create(points.vectors.view(), options, numThreads, job, given));
    HEADSCOPE_CHECK(state.run(options.iterations, job, onIteration));
    state.updateKl();
    HeadMap map = snapshotMap(state, frameOfMap(points, stage, layer, options));
    map.hash = state.hash();
    return map;
}

} // namespace headscope
