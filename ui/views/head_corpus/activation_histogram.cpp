// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_corpus/activation_histogram.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace headscope::ui
{

ActivationHistogram::ActivationHistogram(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("activationHistogram"));
    setAccessibleName(tr("Activation of the head"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onThemeChange(this, [this] { layOut(); });
}

void ActivationHistogram::setCounts(viz::ActivationCounts counts, const QColor& color)
{
    m_counts = std::move(counts);
    m_color = color;
    m_decile.reset();
    m_marked.reset();
    setAccessibleDescription(m_counts.bounds.empty()
                                 ? QString()
                                 : tr("From %1 to %2, median %3; arrows go from decile to decile")
                                       .arg(numberText(m_counts.bounds.front()), numberText(m_counts.bounds.back()),
                                            numberText(m_counts.bounds[m_counts.bounds.size() / 2])));
    layOut();
}

void ActivationHistogram::setMarked(std::optional<double> activation)
{
    m_marked = activation;
    update();
}

void ActivationHistogram::layOut()
{
    const viz::ChartStyle style{Theme::instance().vizTheme(), static_cast<double>(Theme::smallFont().pixelSize())};
    m_chart = viz::ActivationChart(m_counts, QRectF(rect()), style, m_color);
    update();
}

QString ActivationHistogram::textOf(std::size_t decile) const
{
    return tr("Decile %1 of 10: activation %2 to %3")
        .arg(decile + 1)
        .arg(numberText(m_counts.bounds[decile]), numberText(m_counts.bounds[decile + 1]));
}

void ActivationHistogram::pointAt(std::optional<std::size_t> decile)
{
    if (decile == m_decile)
        return;
    m_decile = decile;
    setCursor(decile ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ActivationHistogram::paintEvent(QPaintEvent*)
{
    if (m_counts.counts.empty())
        return;
    QPainter painter(this);
    m_chart.paint(painter, m_marked, m_decile);
}

void ActivationHistogram::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void ActivationHistogram::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(m_chart.decileAt(event->position()));
    QString text;
    if (m_decile)
        text = textOf(*m_decile);
    if (const auto bin = m_chart.binAt(event->position()))
        text += QStringLiteral("\n") % tr("%1 to %2: %3")
                                           .arg(numberText(m_counts.edge(*bin)), numberText(m_counts.edge(*bin + 1)),
                                                countText(m_counts.counts[*bin], tr("token"), tr("tokens")));
    QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void ActivationHistogram::mousePressEvent(QMouseEvent* event)
{
    const auto decile = m_chart.decileAt(event->position());
    if (!decile || event->button() != Qt::LeftButton)
        return;
    pointAt(decile); // from which the arrow keys go on
    Q_EMIT decileChosen(*decile);
}

void ActivationHistogram::leaveEvent(QEvent* event)
{
    pointAt({});
    QWidget::leaveEvent(event);
}

void ActivationHistogram::keyPressEvent(QKeyEvent* event)
{
    const std::size_t deciles = m_counts.bounds.empty() ? 0 : m_counts.bounds.size() - 1;
    const int way = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (deciles == 0 || (way == 0 && event->key() != Qt::Key_Return && event->key() != Qt::Key_Space))
        return QWidget::keyPressEvent(event);
    if (way != 0)
    {
        pointAt(m_decile ? (*m_decile + deciles + static_cast<std::size_t>(way)) % deciles
                         : (way > 0 ? std::size_t{0} : deciles - 1));
        setAccessibleDescription(textOf(*m_decile));
    }
    if (m_decile)
        Q_EMIT decileChosen(*m_decile);
}

} // namespace headscope::ui
