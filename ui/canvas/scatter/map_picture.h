// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/point_prefix.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>

#include <cstdint>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// The picture of the map's points, kept until something changes; of all points, or, while the view
/// moves and only if all of them would take too long, of a prefix of a fixed permutation.
///
/// A map of more than mostAtOnce() points that would take too long at rest, too, is first shown by a
/// part; its whole picture is then wanted from a worker (wholeWanted(), putWhole()).
///
/// What a frame of all points takes is the fastest of the last three that were drawn, so that one
/// slow moment of the machine does not thin out a map that is drawn in time.
class MapPicture
{
public:
    /// A frame may take this long while the view moves. Two frames may follow each other before the event loop gets to
    /// anything else, and together they may not take longer than 33 ms.
    static constexpr double kFrameBudgetMs = 16;
    /// A map of fewer points is always drawn whole.
    static constexpr std::int64_t kLeastPoints = 20'000;
    /// A map of more points is painted whole by a worker where a frame takes longer than kRestBudgetMs.
    static constexpr std::int64_t kMaxAtOnce = 400'000;
    static constexpr double kRestBudgetMs = 50;
    /// So many points of a larger map are painted at once, as long as no frame of it is known.
    static constexpr std::int64_t kFirstPart = 150'000;
    /// A frame of a run that takes longer is better seen in part than painted elsewhere.
    static constexpr double kRunBudgetMs = 120;

    /// The picture has to be repainted.
    void drop();
    /// Other points or states: their prefix has to be gathered again, too.
    void dropPoints();
    /// Other points altogether, or another mode: earlier frames say nothing about the next.
    void forgetFrames();

    /// The picture, painted if need be.
    const QImage& image(const viz::ScatterData& data, const viz::ScatterStyle& style, const viz::ViewTransform& view,
                        double dpr, int numThreads, bool moving);

    /// Whether the picture at rest holds a part of the points and waits for the whole one.
    [[nodiscard]] bool wholeWanted() const { return m_wholeWanted; }
    /// What was shown before the picture was dropped; null once it is painted again.
    [[nodiscard]] const QImage& last() const { return m_last; }
    /// Replaces last() by a newer picture that was painted elsewhere.
    void putLast(QImage image) { m_last = std::move(image); }
    /// The whole picture, painted elsewhere, and the milliseconds that took.
    void putWhole(viz::ScatterPicture picture, std::int64_t points, double milliseconds);

    [[nodiscard]] bool isNull() const { return m_image.isNull(); }
    /// Whether the picture holds only some of the points; drawnPoints() says how many.
    [[nodiscard]] bool isPartial() const { return m_rounds < viz::PointPrefix::kRounds; }
    [[nodiscard]] std::int64_t drawnPoints() const { return m_drawn; }
    /// Of the last picture of all points.
    [[nodiscard]] const viz::ScatterCounts& counts() const { return m_counts; }
    /// What the next frame of all points is expected to take, in milliseconds; 0 = not known.
    [[nodiscard]] double expectedMs() const;

    /// Whether a frame of a run may be painted elsewhere.
    [[nodiscard]] bool isInTimeOfRun() const { return expectedMs() <= m_runBudget; }
    /// For tests and measurements: another budget than kRunBudgetMs.
    void setRunBudget(double milliseconds) { m_runBudget = milliseconds; }

    /// For tests and measurements: another budget than kFrameBudgetMs.
    void setFrameBudget(double milliseconds) { m_budget = milliseconds; }
    [[nodiscard]] std::int64_t mostAtOnce() const { return m_mostAtOnce; }
    /// For tests and measurements: another limit than kMaxAtOnce.
    void setMostAtOnce(std::int64_t points) { m_mostAtOnce = points; }

private:
    [[nodiscard]] bool isLarge(std::int64_t points) const { return points > m_mostAtOnce; }
    [[nodiscard]] int roundsInTime(std::int64_t points, bool moving) const;
    void noteFrame(double milliseconds, int rounds, bool large);

    viz::ScatterPainter m_painter;
    viz::PointPrefix m_prefix;
    int m_prefixRounds = 0; ///< what m_prefix holds; 0 = nothing that is still true
    QImage m_image;
    QImage m_last;
    viz::ScatterCounts m_counts;
    int m_rounds = viz::PointPrefix::kRounds;
    std::int64_t m_drawn = 0;
    std::vector<double> m_fullMs; ///< the last frames of all points
    double m_caution = 1;         ///< below 1 after a part has taken too long
    double m_budget = kFrameBudgetMs;
    double m_runBudget = kRunBudgetMs;
    std::int64_t m_mostAtOnce = kMaxAtOnce;
    bool m_wholeWanted = false;
};

} // namespace headscope::ui
