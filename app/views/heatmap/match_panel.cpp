// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/match_panel.h"

#include "ui/canvas/picture_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{

MatchPanel::MatchPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("matchPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Metrics::kPanel, Metrics::kPanel, Metrics::kRelated);
    layout->setSpacing(Metrics::kGrid);
    m_title = makeSectionLabel(tr("Match"), this);
    layout->addWidget(m_title);
    m_hint = makeMutedLabel({}, this);
    m_hint->setObjectName(QStringLiteral("matchHint"));
    m_hint->setFont(Theme::smallFont());
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    m_chart = new PictureOf<MatchChart>(this);
    m_hint->setText(m_chart->picture().hint());
    layout->addWidget(m_chart, 1);
    connect(m_chart, &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> bar) {
        Q_EMIT headHovered(bar ? m_chart->picture().headOf(*bar) : std::nullopt);
    });
    connect(m_chart, &PictureWidget::itemClicked, this,
            [this](std::size_t bar) { Q_EMIT headClicked(*m_chart->picture().headOf(bar)); });
}

void MatchPanel::setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette)
{
    const QString full = match == nullptr ? QString() : toQString(match->result.fullSource);
    m_chart->picture().setMatch(std::move(match), palette);
    m_title->setText(m_chart->picture().title());
    // The full row is not of the stage that the title names.
    m_hint->setText(m_chart->picture().hint() % (full.isEmpty() ? QString() : tr("\nfull: %1").arg(full)));
}

} // namespace headscope::ui
