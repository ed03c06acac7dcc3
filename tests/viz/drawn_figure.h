// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/figure_export.h"

#include <memory>
#include <utility>
#include <vector>

namespace headscope::test
{

/// A figure that is one drawing, on whatever paper.
[[nodiscard]] inline viz::Figure drawnFigure(viz::Drawing drawing)
{
    return [drawing = std::move(drawing)](viz::FigureOptions options) -> Result<viz::FigureSpec> {
        return viz::FigureSpec{drawing, std::move(options)};
    };
}

/// Values as those own them who draw them.
template <typename T>
[[nodiscard]] std::vector<std::shared_ptr<const T>> owned(const std::vector<T>& values)
{
    std::vector<std::shared_ptr<const T>> all;
    for (const T& value : values)
        all.push_back(std::make_shared<const T>(value));
    return all;
}

} // namespace headscope::test
