// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace headscope
{

/// The divergence of a run of the map at one of its iterations.
struct KlPoint
{
    int iteration = 0;
    double kl = 0;

    bool operator==(const KlPoint&) const = default;
};

/// The record of a run of the map: its divergence over the iterations.
///
/// The divergence is that of the true affinities, also while they are exaggerated; P and Z are those
/// of the run itself: P of its options.affinities, Z exact up to options.exactBelow points and with dense
/// affinities, else from a particle mesh. Numbers to compare programs by come from measureMap.
struct RunCurve
{
    std::vector<KlPoint> points; ///< ascending iterations
    int exaggerationEnd = 0;     ///< iteration before which the affinities are exaggerated
    int iterations = 0;          ///< that the run will have
    std::vector<int> noise;      ///< iterations at which the points were moved by noise
};

} // namespace headscope
