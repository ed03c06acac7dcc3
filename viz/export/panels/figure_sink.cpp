// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/panels/figure_sink.h"

#include <utility>

namespace headscope::viz
{
namespace
{

const FigureSink*& sinkOfThread()
{
    thread_local const FigureSink* sink = nullptr;
    return sink;
}

} // namespace

FigureSinkScope::FigureSinkScope(const FigureSink* sink) : m_outer(std::exchange(sinkOfThread(), sink)) {}

FigureSinkScope::~FigureSinkScope()
{
    sinkOfThread() = m_outer;
}

const FigureSink* currentFigureSink()
{
    return sinkOfThread();
}

} // namespace headscope::viz
