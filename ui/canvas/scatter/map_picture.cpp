// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/map_picture.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::size_t kFramesKept = 3;
/// A part is aimed at so much of the budget: parts cost more per point than the whole does.
constexpr double kAim = 0.6;

} // namespace

void MapPicture::drop()
{
    if (!m_image.isNull())
        m_last = std::exchange(m_image, QImage());
    m_wholeWanted = false;
}

void MapPicture::dropPoints()
{
    m_prefixRounds = 0;
    drop();
}

void MapPicture::forgetFrames()
{
    m_fullMs.clear();
    m_caution = 1;
    dropPoints();
}

double MapPicture::expectedMs() const
{
    return m_fullMs.empty() ? 0 : *std::ranges::min_element(m_fullMs);
}

int MapPicture::roundsInTime(std::int64_t points, bool moving) const
{
    constexpr int kAll = viz::PointPrefix::kRounds;
    const double expected = expectedMs();
    if (isLarge(points) && m_fullMs.empty())
        return viz::PointPrefix::roundsOf(points, std::min(m_mostAtOnce, kFirstPart));
    const bool tooSlowAtRest = isLarge(points) && expected > kRestBudgetMs;
    if ((!moving && !tooSlowAtRest) || points < kLeastPoints || expected <= m_budget)
        return kAll;
    const double share = m_caution * kAim * m_budget / expected;
    const auto least = static_cast<int>((kAll * kLeastPoints + points - 1) / points);
    return std::clamp(static_cast<int>(share * kAll), least, kAll - 1);
}

void MapPicture::noteFrame(double milliseconds, int rounds, bool large)
{
    constexpr int kAll = viz::PointPrefix::kRounds;
    if (rounds == kAll)
    {
        m_fullMs.push_back(milliseconds);
        if (m_fullMs.size() > kFramesKept)
            m_fullMs.erase(m_fullMs.begin());
        return;
    }
    if (milliseconds > m_budget)
        m_caution = std::max(0.1, 0.7 * m_caution);
    if (large)
    {
        // No frame of all points may ever be drawn here: what it would take is reckoned.
        if (m_fullMs.empty() || milliseconds * kAll / rounds <= m_budget)
            m_fullMs = {milliseconds * kAll / rounds};
        return;
    }
    // Closer views show fewer points: where even all of them would now be in time, the next frame
    // has all of them.
    if (milliseconds * kAll / rounds <= m_budget)
        m_fullMs.clear();
}

const QImage& MapPicture::image(const viz::ScatterData& data, const viz::ScatterStyle& style,
                                const viz::ViewTransform& view, double dpr, int numThreads, bool moving)
{
    if (!m_image.isNull() && (moving || !isPartial() || m_wholeWanted))
        return m_image;
    const auto points = static_cast<std::int64_t>(data.xy.size() / 2);
    const int rounds = roundsInTime(points, moving);
    m_image = m_last = QImage(); // their memory is the painter's again
    const auto start = std::chrono::steady_clock::now();
    viz::ScatterPicture picture;
    if (rounds == viz::PointPrefix::kRounds)
    {
        picture = m_painter.paint(data, style, view, dpr, numThreads);
        m_counts = picture.counts;
    }
    else
    {
        if (std::exchange(m_prefixRounds, rounds) != rounds)
            m_prefix.take(data, rounds, numThreads);
        picture = m_painter.paint(m_prefix.data(), m_prefix.styleOf(style, view), view, dpr, numThreads);
    }
    noteFrame(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(), rounds,
              isLarge(points));
    m_image = std::move(picture.image);
    m_rounds = rounds;
    m_drawn = viz::PointPrefix::countOf(points, rounds);
    m_wholeWanted = !moving && isPartial();
    return m_image;
}

void MapPicture::putWhole(viz::ScatterPicture picture, std::int64_t points, double milliseconds)
{
    m_image = std::move(picture.image);
    m_last = QImage();
    m_counts = picture.counts;
    m_rounds = viz::PointPrefix::kRounds;
    m_drawn = points;
    m_wholeWanted = false;
    noteFrame(milliseconds, m_rounds, isLarge(points));
}

} // namespace headscope::ui
