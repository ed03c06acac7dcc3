// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/weight_matrix_picture.h"

#include "ui/words/wording.h"

#include <QPaintDevice>
#include <QPainter>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 4;

QString shareText(float share)
{
    return QString::number(static_cast<double>(share), 'f', 3);
}

} // namespace

WeightMatrixPicture::WeightMatrixPicture()
    : PannedPicture({.name = "attentionMatrix", .saying = viz::Saying::Card, .hasGround = true, .least = {160, 190}})
{}

QString WeightMatrixPicture::summary() const
{
    if (m_names == nullptr || m_weights == nullptr)
        return {};
    if (!m_chosen)
        return tr("%1; rows are query tokens, columns are key tokens; arrow keys select a cell")
            .arg(countText(m_names->count(), tr("token"), tr("tokens")));
    return tr("“%1” attends to “%2”: %3")
        .arg(m_names->shown(m_chosen->reading), m_names->shown(m_chosen->read),
             m_weights->weights().mayRead(m_chosen->reading, m_chosen->read)
                 ? shareText(m_weights->weights().raw(m_chosen->reading, m_chosen->read))
                 : tr("future token"));
}

void WeightMatrixPicture::setTokens(std::shared_ptr<const viz::TokenNames> names)
{
    if (m_names == names)
        return;
    m_names = std::move(names);
    m_weights.reset();
    m_chosen.reset();
    m_window = {};
    replaced();
}

void WeightMatrixPicture::setWeights(std::shared_ptr<const viz::WeightPyramid> weights)
{
    m_weights = std::move(weights);
    changed();
}

void WeightMatrixPicture::setChosen(std::optional<viz::WeightCell> cell)
{
    if (std::exchange(m_chosen, cell) == cell)
        return;
    if (cell && m_names != nullptr && !m_layout.showsAll())
        show(m_layout.showing(*cell));
    changed();
}

std::size_t WeightMatrixPicture::tokens() const
{
    return m_names != nullptr ? static_cast<std::size_t>(m_names->count()) : 0;
}

viz::WeightCell WeightMatrixPicture::cellOf(std::size_t item) const
{
    return {static_cast<std::int64_t>(item / tokens()), static_cast<std::int64_t>(item % tokens())};
}

std::size_t WeightMatrixPicture::itemOf(viz::WeightCell cell) const
{
    return static_cast<std::size_t>(cell.reading) * tokens() + static_cast<std::size_t>(cell.read);
}

std::optional<std::size_t> WeightMatrixPicture::itemAt(QPointF place) const
{
    const auto cell = m_weights != nullptr ? m_layout.cellAt(place) : std::nullopt;
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

viz::ItemText WeightMatrixPicture::textOf(std::size_t item) const
{
    const viz::WeightCell cell = cellOf(item);
    viz::ItemText text{.title =
                           tr("“%1” attends to “%2”").arg(m_names->shown(cell.reading), m_names->shown(cell.read))};
    if (m_weights == nullptr)
        return text;
    const viz::ShownWeights& weights = m_weights->weights();
    if (!weights.mayRead(cell.reading, cell.read))
        text.subtitle = tr("future token: masked in a causal model");
    else
    {
        text.value = shareText(weights.raw(cell.reading, cell.read));
        if (weights.withoutFirst() && cell.read > 0)
            text.subtitle = tr("%1 without the first token").arg(shareText(weights(cell.reading, cell.read)));
    }
    return text;
}

std::optional<std::size_t> WeightMatrixPicture::next(std::optional<std::size_t> /*from*/, viz::Step step) const
{
    if (viz::directionOf(step).isNull())
        return std::nullopt;
    return m_chosen ? viz::nextCell(itemOf(*m_chosen), step, tokens(), tokens()) : std::optional(count() - 1);
}

void WeightMatrixPicture::arrange()
{
    m_layout =
        m_names != nullptr
            ? viz::WeightMatrixLayout(*m_names, box().adjusted(kMargin, kMargin, -kMargin, -kMargin), theme(), m_window)
            : viz::WeightMatrixLayout();
}

void WeightMatrixPicture::show(const viz::MatrixWindow& window)
{
    m_window = window.cell > m_layout.fittingCell() * 1.0001 ? window : viz::MatrixWindow{};
    changed();
}

void WeightMatrixPicture::showAll()
{
    m_window = {};
    changed();
}

void WeightMatrixPicture::zoomAt(QPointF place, double factor)
{
    if (m_names != nullptr)
        show(m_layout.zoomedAt(place, factor));
}

void WeightMatrixPicture::panBy(QPointF pixels)
{
    if (m_names != nullptr)
        show(m_layout.panned(pixels));
}

void WeightMatrixPicture::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_names == nullptr || m_weights == nullptr)
        return;
    m_layout.paint(painter, *m_weights,
                   {m_chosen, marks.pointed ? std::optional(cellOf(*marks.pointed)) : std::nullopt},
                   painter.device()->devicePixelRatioF());
}

} // namespace headscope::ui
