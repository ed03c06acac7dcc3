// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/step_halves.h"

#include <algorithm>

namespace headscope
{
namespace
{

/// Documents [first, end) of a step as a step of their own.
StepInput pieceOf(const StepInput& step, std::int64_t first, std::int64_t end)
{
    const auto offsets =
        std::span(step.offsets).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first + 1));
    StepInput piece;
    piece.ids.assign(step.ids.begin() + offsets.front(), step.ids.begin() + offsets.back());
    for (const std::int64_t offset : offsets)
        piece.offsets.push_back(offset - offsets.front());
    if (!step.meanFrom.empty())
        piece.meanFrom.assign(step.meanFrom.begin() + first, step.meanFrom.begin() + end);
    return piece;
}

/// One past the last document of a piece that begins with `first`: at least one, and as many as hold `mostTokens`.
std::int64_t endOfPiece(const StepInput& step, std::int64_t first, std::int64_t mostTokens)
{
    const auto documents = std::ssize(step.offsets) - 1;
    const std::int64_t begin = step.offsets[static_cast<std::size_t>(first)];
    std::int64_t end = first + 1;
    while (end < documents && step.offsets[static_cast<std::size_t>(end) + 1] - begin <= mostTokens)
        ++end;
    return end;
}

} // namespace

Status computeByHalves(const StepInput& step, std::int64_t& mostTokens, const ComputePiece& compute)
{
    const auto documents = std::ssize(step.offsets) - 1;
    for (std::int64_t first = 0; first < documents;)
    {
        const std::int64_t end = endOfPiece(step, first, mostTokens);
        const bool whole = first == 0 && end == documents;
        const Status done = whole ? compute(0, step) : compute(first, pieceOf(step, first, end));
        if (done)
        {
            first = end;
            continue;
        }
        if (done.error().code != ErrorCode::OutOfMemory || end - first == 1)
            return done;
        const std::int64_t tokens =
            step.offsets[static_cast<std::size_t>(end)] - step.offsets[static_cast<std::size_t>(first)];
        mostTokens = std::max<std::int64_t>(1, tokens / 2);
    }
    return {};
}

} // namespace headscope
