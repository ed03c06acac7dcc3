// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/confusion_picture.h"

#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"

#include <QLocale>
#include <QPainter>

namespace headscope::ui
{

ConfusionPicture::ConfusionPicture()
    : Picture({.name = "confusion",
               .saying = viz::Saying::Card,
               .room = viz::Room::Grows,
               .wanted = {420, 400},
               .least = {150, 140}})
{}

std::size_t ConfusionPicture::count() const
{
    return static_cast<std::size_t>(m_layout.classes() * m_layout.classes());
}

ConfusionPicture::Cell ConfusionPicture::cellOf(std::size_t item) const
{
    const auto number = static_cast<std::int64_t>(item);
    return {number / m_layout.classes(), number % m_layout.classes()};
}

std::size_t ConfusionPicture::itemOf(Cell cell) const
{
    return static_cast<std::size_t>(cell.first * m_layout.classes() + cell.second);
}

void ConfusionPicture::setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info)
{
    m_result = std::move(result);
    m_info = info;
    m_chosen.reset();
    replaced();
}

QString ConfusionPicture::summary() const
{
    if (m_result == nullptr)
        return {};
    return tr("Rows are true classes, columns are predicted classes. %1% of %2 are classified correctly.")
        .arg(QLocale().toString(100 * m_result->accuracy, 'f', 1),
             countText(m_result->testRows, tr("test vector"), tr("test vectors")));
}

void ConfusionPicture::setValues(viz::ConfusionValues values)
{
    m_style.values = values;
    changed();
}

void ConfusionPicture::setShades(viz::ShadeScale scale)
{
    m_style.scale = scale;
    changed();
}

void ConfusionPicture::setHoveredHead(std::optional<HeadIndex> head)
{
    if (head == m_hoveredHead)
        return;
    m_hoveredHead = head;
    marked();
}

void ConfusionPicture::arrange()
{
    m_style.chart = {theme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    m_layout = m_result == nullptr ? viz::ConfusionLayout()
                                   : viz::ConfusionLayout(*m_result, m_info, box().adjusted(0, 2, 0, 0), m_style);
}

QString ConfusionPicture::cellTitle(Cell cell) const
{
    if (m_result == nullptr)
        return {};
    const Stage stage = m_result->stage.value_or(Stage::HeadOutput);
    const QString truth = unitText(stage, m_layout.headOf(cell.first));
    if (cell.first == cell.second)
        return tr("%1 recognised").arg(truth);
    return tr("%1 classified as %2").arg(truth).arg(shownNumber(m_layout.headOf(cell.second)));
}

viz::ItemText ConfusionPicture::textOf(std::size_t item) const
{
    const Cell cell = cellOf(item);
    const HeadIndex truth = m_layout.headOf(cell.first);
    const HeadIndex predicted = m_layout.headOf(cell.second);
    const std::int64_t count = m_result->confusion(cell.first, cell.second);
    std::int64_t rows = 0;
    for (const std::int64_t each : m_result->confusion.row(cell.first))
        rows += each;
    viz::ItemText content;
    content.color = viz::HeadPalette(m_info, theme()).color(truth);
    content.title = cellTitle(cell);
    content.value = QLocale().toString(100 * m_layout.shareOf(cell), 'f', 1) % QStringLiteral("%");
    content.subtitle = tr("%1 of the %2 test vectors in this row").arg(countText(count), countText(rows));
    if (m_result->stage && hasKvGroups(m_info, *m_result->stage))
    {
        const auto from = m_info.groupOf(truth);
        const auto to = m_info.groupOf(predicted);
        content.subtitle += from == to ? tr(" · both in KV%1").arg(shownNumber(from))
                                       : tr(" · KV%1 to KV%2").arg(shownNumber(from)).arg(shownNumber(to));
    }
    return content;
}

std::optional<std::size_t> ConfusionPicture::itemAt(QPointF place) const
{
    const auto cell = m_layout.cellAt(place);
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

std::optional<std::size_t> ConfusionPicture::next(std::optional<std::size_t> from, viz::Step step) const
{
    if (step == viz::Step::First)
        return 0;
    if (step == viz::Step::Last)
        return count() - 1;
    const auto classes = static_cast<std::size_t>(m_layout.classes());
    return from ? viz::nextCell(*from, step, classes, classes) : itemOf(m_chosen.value_or(Cell(0, 0)));
}

/// Row and column of a head that another view points at.
void ConfusionPicture::paintHead(QPainter& painter, HeadIndex head) const
{
    painter.setPen(QPen(Theme::instance().colors().accent, 1));
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t i = 0; i < m_layout.classes(); ++i)
    {
        if (m_layout.headOf(i) != head)
            continue;
        const QRectF own = m_layout.cellRect({i, i});
        painter.drawRect(QRectF(m_layout.plot().left(), own.top(), m_layout.plot().width(), own.height()));
        painter.drawRect(QRectF(own.left(), m_layout.plot().top(), own.width(), m_layout.plot().height()));
    }
}

void ConfusionPicture::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    m_layout.paint(painter, painter.device()->devicePixelRatioF());
    if (m_hoveredHead && !marks.pointed)
        paintHead(painter, *m_hoveredHead);
    if (marks.hasFocus && !marks.pointed && count() > 0)
    {
        painter.setPen(QPen(Theme::instance().colors().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_layout.plot());
    }
    if (m_chosen)
        m_layout.paintFrame(painter, *m_chosen);
    if (marks.pointed)
        m_layout.paintFrame(painter, cellOf(*marks.pointed));
}

} // namespace headscope::ui
