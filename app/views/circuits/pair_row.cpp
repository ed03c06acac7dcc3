// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/circuits/pair_row.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui
{

PairRow::PairRow(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kRelated);
    const auto make = [this, row](const char* name, const QString& tip) {
        auto* button = new QPushButton(this);
        button->setObjectName(QLatin1StringView(name));
        button->setToolTip(tip);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        button->installEventFilter(this);
        row->addWidget(button, 1);
        return button;
    };
    m_documents[0] = make("circuitsFirst", tr("Take the document shown in the window as the first of the pair"));
    auto* swap = new QPushButton(tr("Swap"), this);
    swap->setObjectName(QStringLiteral("circuitsSwap"));
    swap->setToolTip(tr("Exchange the documents: lines are parts of the first one"));
    row->addWidget(swap);
    m_documents[1] = make("circuitsSecond", tr("Take the document shown in the window as the second of the pair"));
    connect(m_documents[0], &QPushButton::clicked, this, &PairRow::firstRequested);
    connect(m_documents[1], &QPushButton::clicked, this, &PairRow::secondRequested);
    connect(swap, &QPushButton::clicked, this, &PairRow::swapRequested);
}

void PairRow::setTitles(const QString& first, const QString& second)
{
    m_titles = {first.isEmpty() ? tr("First document") : first, second.isEmpty() ? tr("Second document") : second};
    m_documents[0]->setAccessibleName(tr("First document: %1").arg(m_titles[0]));
    m_documents[1]->setAccessibleName(tr("Second document: %1").arg(m_titles[1]));
    fitTitles();
}

void PairRow::fitTitles()
{
    constexpr int kMargins = 24; // of a button
    for (std::size_t i = 0; i < m_documents.size(); ++i)
        m_documents[i]->setText(
            m_documents[i]->fontMetrics().elidedText(m_titles[i], Qt::ElideRight, m_documents[i]->width() - kMargins));
}

bool PairRow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && std::ranges::find(m_documents, watched) != m_documents.end())
        fitTitles();
    return QWidget::eventFilter(watched, event);
}

void PairRow::setDocumentAllowed(bool allowed)
{
    for (QPushButton* each : m_documents)
        each->setEnabled(allowed);
}

} // namespace headscope::ui
