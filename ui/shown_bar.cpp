// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shown_bar.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headscope::ui
{

ShownBar::ShownBar(QWidget* parent) : QFrame(parent)
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
    m_sentence->setToolTip(tr("Map, grid, comparison, heatmap, retrieval and the nearest documents leave the others "
                              "out, and the heads’ statistics are of these. Probe and layers use all documents."));
    const auto button = [this](const QString& text, const QString& name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoDefault(false);
        return made;
    };
    m_fit = button(tr("Fit map"), QStringLiteral("shownFit"), tr("Show the points that are left, large"));
    m_end = button(tr("Show all  ×"), QStringLiteral("shownEnd"), tr("Show all documents again"));
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_fit);
    layout->addWidget(m_end);
    connect(m_fit, &QPushButton::clicked, this, &ShownBar::fitRequested);
    connect(m_end, &QPushButton::clicked, this, &ShownBar::endRequested);
    hide();
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
