// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_texts.h"

#include <QEvent>
#include <QLabel>
#include <QString>

namespace headscope::ui
{
namespace
{

constexpr QLatin1StringView kParagraph("<p>");

/// The label that Qt shows tips in, which it makes itself.
QLabel* tipOf(QObject* watched)
{
    auto* label = qobject_cast<QLabel*>(watched);
    return label != nullptr && label->inherits("QTipLabel") ? label : nullptr;
}

/// Gives a tip its format, and its size anew where that differs from the guess.
void settleTip(QLabel& tip)
{
    const Qt::TextFormat wanted = PlainTexts::isOurTip(tip.text()) ? Qt::RichText : Qt::PlainText;
    if (tip.textFormat() == wanted)
        return;
    tip.setTextFormat(wanted);
    tip.resize(tip.sizeHint() + QSize(1, 1)); // as Qt gives them
}

} // namespace

PlainTexts::PlainTexts(QObject* application) : QObject(application)
{
    application->installEventFilter(this);
}

bool PlainTexts::isOurTip(const QString& text)
{
    if (!text.startsWith(kParagraph))
        return false;
    qsizetype paragraphs = 0;
    for (qsizetype at = text.indexOf(kParagraph); at >= 0; at = text.indexOf(kParagraph, at + 1))
        ++paragraphs;
    return text.count(QLatin1Char('<')) == paragraphs;
}

bool PlainTexts::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type())
    {
    case QEvent::Polish:
        if (auto* label = qobject_cast<QLabel*>(watched);
            label != nullptr && label->textFormat() == Qt::AutoText && tipOf(watched) == nullptr)
            label->setTextFormat(Qt::PlainText);
        break;
    case QEvent::Show:
    case QEvent::Paint: // one that stands may be given another text
        if (QLabel* tip = tipOf(watched))
            settleTip(*tip);
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
