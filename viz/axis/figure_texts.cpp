// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/figure_texts.h"

#include <QTransform>

#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

FigureTexts*& figureTextsOfThread()
{
    thread_local FigureTexts* texts = nullptr;
    return texts;
}

} // namespace

FigureTextScope::FigureTextScope(FigureTexts& texts) : m_outer(std::exchange(figureTextsOfThread(), &texts)) {}

FigureTextScope::~FigureTextScope()
{
    figureTextsOfThread() = m_outer;
}

FigureTexts* currentFigureTexts()
{
    return figureTextsOfThread();
}

double lengthOn(const QTransform& transform)
{
    return std::sqrt(std::abs(transform.determinant()));
}

} // namespace headscope::viz
