// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/card_dialog.h"

#include "model/data/results/card/card_text.h"
#include "ui/canvas/picture_widget.h"
#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"
#include "ui/words/window_text.h"
#include "viz/card/card_picture.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr QSize kSize{820, 640}; ///< fits into a window of 1100 x 700

} // namespace

CardDialog::CardDialog(QWidget* parent)
    : QDialog(parent), m_state(new QLabel(this)), m_scroll(new QScrollArea(this)),
      m_page(new PictureOf<viz::CardPicture>(m_scroll))
{
    setObjectName(QStringLiteral("cardDialog"));
    setWindowTitle(tr("Head card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    m_state->setObjectName(QStringLiteral("cardState"));
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    layout->addWidget(m_state);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_page);
    layout->addWidget(m_scroll, 1);
    addButtons(*layout);
    // Before the card and the row of buttons, which have arrows of their own.
    scrollByKeys(this, m_scroll);
    for (const auto& [key, by] : {std::pair(Qt::Key_Left, -1), std::pair(Qt::Key_Right, 1)})
        connect(new QShortcut(QKeySequence(key), this), &QShortcut::activated, this,
                [this, by = by] { Q_EMIT stepRequested(by); });
    resize(kSize);
}

void CardDialog::addButtons(QVBoxLayout& layout)
{
    auto* row = new QHBoxLayout;
    layout.addLayout(row);
    const auto add = [&](const QString& text, const QString& name, const QString& tip, auto act) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, act);
        row->addWidget(button);
        return button;
    };
    add(tr("Previous head"), QStringLiteral("cardPrevious"), tr("Show the card of the head before (Left arrow)"),
        [this] { Q_EMIT stepRequested(-1); });
    add(tr("Next head"), QStringLiteral("cardNext"), tr("Show the card of the head after (Right arrow)"),
        [this] { Q_EMIT stepRequested(1); });
    row->addStretch();
    m_model = add(tr("Run the model"), QStringLiteral("cardModel"),
                  tr("Add what the head writes and reads, and its composition partners"),
                  [this] { Q_EMIT modelRequested(); });
    m_copy =
        add(tr("Copy"), QStringLiteral("cardCopy"), tr("Copy the card as text"), [this] { Q_EMIT copyRequested(); });
    m_save = add(tr("Save figure…"), QStringLiteral("cardSave"), tr("Save the card as PDF, SVG or PNG"),
                 [this] { Q_EMIT saveRequested(); });
    add(tr("Close"), QStringLiteral("cardClose"), tr("Close the card (Escape)"), [this] { close(); });
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
    m_model->setVisible(false);
}

void CardDialog::setBusy(const QString& text)
{
    m_state->setText(text);
    m_state->setVisible(true);
}

void CardDialog::setError(const QString& sentence)
{
    setBusy(sentence);
    m_page->picture().setPage(nullptr);
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
}

void CardDialog::setPage(std::shared_ptr<const viz::CardPage> page)
{
    const bool isOther = m_page->picture().page() == nullptr ||
                         m_page->picture().page()->card().layer != page->card().layer ||
                         m_page->picture().page()->card().head != page->card().head;
    setWindowTitle(tr("Head card: %1").arg(QString::fromStdString(cardTitle(page->card()))));
    m_page->picture().setPage(std::move(page));
    m_page->setMinimumHeight(m_page->heightForWidth(std::max(1, m_scroll->viewport()->width())));
    m_state->setVisible(false);
    m_copy->setEnabled(true);
    m_save->setEnabled(true);
    if (isOther)
        m_scroll->verticalScrollBar()->setValue(0);
}

void CardDialog::setModelOffered(bool offered)
{
    m_model->setVisible(offered);
}

void CardDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && m_copy->isEnabled())
        return Q_EMIT copyRequested();
    if (event->matches(QKeySequence::Save) && m_save->isEnabled())
        return Q_EMIT saveRequested();
    QDialog::keyPressEvent(event);
}

} // namespace headscope::ui
