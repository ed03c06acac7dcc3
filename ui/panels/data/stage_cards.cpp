// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/stage_cards.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QButtonGroup>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

/// Shown where it exists only.
bool isExtra(Stage stage)
{
    return stage == Stage::Contribution || stage == Stage::Embedding;
}

} // namespace

StageCard::StageCard(Stage stage, QWidget* parent) : QRadioButton(parent), m_stage(stage)
{
    setObjectName(QStringLiteral("stage") % toQString(stageName(stage)));
    setAccessibleName(stage == Stage::Embedding
                          ? stageTitle(stage)
                          : tr("Stage %1: %2").arg(toQString(stageName(stage)), stageTitle(stage)));
    setHint(stageHint(stage));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    onThemeChange(this, [this] { update(); });
}

void StageCard::setHint(const QString& hint)
{
    m_hint = hint;
    setAccessibleDescription(hint);
    update();
}

void StageCard::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (isChecked() || (underMouse() && isEnabled()) || hasFocus())
    {
        painter.setPen(hasFocus() && !isChecked() ? QPen(colors.accent) : QPen(Qt::NoPen));
        painter.setBrush(isChecked() ? colors.accentPale : colors.hover);
        painter.drawRoundedRect(box, Metrics::kRadius, Metrics::kRadius);
    }
    // The ring of a radio button: these exclude each other.
    const QPointF centre(14, 13);
    painter.setPen(QPen(isChecked() ? colors.accent : colors.muted, isChecked() ? 4 : 1));
    painter.setBrush(colors.canvas);
    painter.setOpacity(isEnabled() ? 1.0 : 0.45);
    painter.drawEllipse(centre, isChecked() ? 4.0 : 5.5, isChecked() ? 4.0 : 5.5);

    const QString number = isExtra(m_stage) ? QStringLiteral("+") : toQString(stageName(m_stage));
    const QRectF firstLine(30, 3, width() - 34, 18);
    painter.setPen(colors.text);
    painter.setFont(Theme::bodyFont(true));
    painter.drawText(firstLine, Qt::AlignLeft | Qt::AlignVCenter, number);
    painter.setFont(Theme::bodyFont());
    const QFontMetrics metrics(painter.font());
    const QRectF title = firstLine.adjusted(14, 0, 0, 0);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(stageTitle(m_stage), Qt::ElideMiddle, static_cast<int>(title.width())));
    painter.setPen(colors.muted);
    painter.setFont(Theme::smallFont());
    const QString hint = isEnabled() ? m_hint : tr("not in this cache");
    const QRectF second(30, 20, width() - 34, 17);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(painter.font()).elidedText(hint, Qt::ElideMiddle, static_cast<int>(second.width())));
}

StageCards::StageCards(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_group = new QButtonGroup(this);
    m_group->setExclusive(true);
    for (const Stage stage :
         {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution, Stage::Embedding})
    {
        auto* card = new StageCard(stage, this);
        m_cards.push_back(card);
        m_group->addButton(card);
        layout->addWidget(card);
        connect(card, &QAbstractButton::clicked, this, [this, stage] {
            if (m_current == stage)
                return;
            m_current = stage;
            Q_EMIT stageChosen(stage);
        });
    }
    stopAtChecked(m_group);
    setAvailable({});
}

void StageCards::setAvailable(const std::vector<Stage>& stages)
{
    for (StageCard* card : m_cards)
    {
        const bool held = std::find(stages.begin(), stages.end(), card->stage()) != stages.end();
        card->setEnabled(held);
        card->setVisible(held || !isExtra(card->stage()));
    }
}

void StageCards::setPlace(const ModelInfo& info, LayerIndex layer)
{
    for (StageCard* card : m_cards)
    {
        card->setHint(stageHint(info, layer, card->stage()));
        card->setToolTip(stageTip(info, layer, card->stage()));
    }
}

void StageCards::setCurrent(Stage stage)
{
    m_current = stage;
    card(stage)->setChecked(true);
}

StageCard* StageCards::card(Stage stage) const
{
    return *std::find_if(m_cards.begin(), m_cards.end(), [stage](const StageCard* c) { return c->stage() == stage; });
}

} // namespace headscope::ui
