// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/job_context.h"

#include <utility>

namespace headscope
{

JobContext::JobContext(std::stop_token stop, ProgressSink sink, std::atomic<bool>* heard)
    : m_stop(std::move(stop)), m_sink(std::move(sink)), m_heard(heard)
{}

Error JobContext::cancelled()
{
    return {ErrorCode::Cancelled, "cancelled", {}, {}};
}

Status JobContext::checkStop() const
{
    if (stopRequested())
        return cancelled();
    return {};
}

void JobContext::report(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit)
{
    if (!m_sink)
        return;
    const std::lock_guard lock(m_mutex);
    const auto now = Clock::now();
    const bool newStage = stage != m_last.stage;
    if (newStage)
    {
        m_stageStart = now;
        m_last.stage = stage;
    }
    else
    {
        const bool ends = total > 0 && done == total && m_last.done != total;
        const std::uint64_t step = done > m_last.done ? done - m_last.done : 0;
        if (!ends && total > 0 && static_cast<double>(step) < 0.001 * static_cast<double>(total))
            return;
    }
    const double inStage = std::chrono::duration<double>(now - m_stageStart).count();
    m_last.done = done;
    m_last.total = total;
    m_last.unit = unit;
    m_last.seconds = std::chrono::duration<double>(now - m_start).count();
    m_last.rate = inStage > 0 ? static_cast<double>(done) / inStage : 0;
    m_last.eta = m_last.rate > 0 && total >= done && total > 0 ? static_cast<double>(total - done) / m_last.rate : -1;
    m_sink(m_last);
}

} // namespace headscope
