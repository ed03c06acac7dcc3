// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notice_bar.h"

#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui
{
namespace
{

QPushButton* makeButton(const QString& text, const QString& name, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoDefault(false);
    return button;
}

} // namespace

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("noticeBar"));
    setAccessibleName(tr("What went wrong"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    layout->setSpacing(Metrics::kRelated);
    m_heading = new QLabel(this);
    m_heading->setObjectName(QStringLiteral("noticeHeading"));
    m_heading->setProperty("role", QStringLiteral("warning"));
    m_heading->setFont(Theme::bodyFont(true));
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("noticeSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText); // a file's name may look like markup
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_place = makeMutedLabel({}, this);
    m_place->setObjectName(QStringLiteral("noticeCount"));
    m_place->setFont(Theme::smallFont());
    m_details = makeButton(tr("Details"), QStringLiteral("noticeDetails"),
                           tr("Show the log of all jobs, where the failure stands with what came before"), this);
    m_close = makeButton(tr("Close"), QStringLiteral("noticeClose"), tr("Take this message away (Escape)"), this);
    layout->addWidget(m_heading);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_place);
    layout->addWidget(m_details);
    layout->addWidget(m_close);
    connect(m_details, &QPushButton::clicked, this, &NoticeBar::detailsRequested);
    connect(m_close, &QPushButton::clicked, this, &NoticeBar::closeFirst);
    refresh();
}

void NoticeBar::add(const QString& heading, const QString& sentence)
{
    const Notice notice{heading, sentence};
    if (std::ranges::find(m_waiting, notice) != m_waiting.end())
        return;
    if (m_waiting.size() == kMost)
        m_waiting.erase(m_waiting.begin() + 1);
    m_waiting.push_back(notice);
    refresh();
    if (m_waiting.size() == 1)
    {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void NoticeBar::closeFirst()
{
    if (m_waiting.empty())
        return;
    m_waiting.pop_front();
    refresh();
}

void NoticeBar::clear()
{
    m_waiting.clear();
    refresh();
}

QString NoticeBar::sentence() const
{
    return m_waiting.empty() ? QString() : m_waiting.front().sentence;
}

void NoticeBar::refresh()
{
    if (m_waiting.empty())
        return hide();
    const Notice& first = m_waiting.front();
    m_heading->setText(first.heading);
    m_sentence->setText(first.sentence);
    m_place->setText(tr("1 of %1").arg(m_waiting.size()));
    m_place->setVisible(m_waiting.size() > 1);
    setAccessibleDescription(first.heading % QStringLiteral(". ") % first.sentence);
    show();
}

void NoticeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        closeFirst();
    else
        QFrame::keyPressEvent(event);
}

} // namespace headscope::ui
