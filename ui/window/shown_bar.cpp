// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shown_bar.h"

#include "ui/state/choices.h"
#include "ui/state/selection_hub.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headscope::ui
{

ShownBar::ShownBar(SelectionHub& hub, Choices& choices, QWidget* parent)
    : QFrame(parent), m_hub(hub), m_choices(choices)
{
    setObjectName(QStringLiteral("shownBar"));
    setAccessibleName(tr("Documents shown"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    layout->setSpacing(Metrics::kRelated);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("shownSentence"));
    m_sentence->setTextFormat(Qt::PlainText); // a set may be named like markup
    m_sentence->setMinimumWidth(1);
    m_sentence->setToolTip(
        tr("All views hide the other documents. Statistics, probes and layer measures use only the documents shown."));
    const auto button = [this](const QString& text, const QString& name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoDefault(false);
        return made;
    };
    m_fit = button(tr("Fit map"), QStringLiteral("shownFit"), tr("Zoom to the points shown"));
    m_end = button(tr("Show all  ×"), QStringLiteral("shownEnd"), tr("Show all documents again"));
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_fit);
    layout->addWidget(m_end);
    connect(m_fit, &QPushButton::clicked, this, &ShownBar::fitRequested);
    connect(m_end, &QPushButton::clicked, &m_hub, &SelectionHub::showAll);
    connect(&m_hub, &SelectionHub::shownChanged, this, &ShownBar::refresh);
    connect(&m_choices, &Choices::opened, this, &ShownBar::refresh);
    hide();
}

void ShownBar::refresh()
{
    const auto shown = m_hub.shownOnly();
    const auto& overview = m_choices.overview();
    if (shown == nullptr || overview == nullptr)
        return setShown({});
    const QString which = shown->name.isEmpty() ? tr("Showing only an earlier selection")
                                                : tr("Showing only “%1”").arg(firstLine(toStdString(shown->name), 40));
    setShown(tr("%1: %2 of %3")
                 .arg(which, countText(std::ssize(shown->documents)),
                      countText(overview->documents->count(), tr("document"), tr("documents"))));
}

void ShownBar::setShown(const QString& sentence)
{
    m_sentence->setText(sentence);
    setAccessibleDescription(sentence);
    setVisible(!sentence.isEmpty());
}

QString ShownBar::sentence() const
{
    return m_sentence->text();
}

} // namespace headscope::ui
