// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/widgets.h"

#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kTextWidth = 420; // of the sentence in an empty view
constexpr int kMinText = 160;   // in a narrow one
constexpr int kMinElided = 24;
constexpr int kMaxOfFirst = 160;
const QString kBetween = QStringLiteral(" · "); // two facts
const QString kMore = QStringLiteral(" …");

} // namespace

SectionLabel::SectionLabel(const QString& title, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_title = makeSectionLabel(title, this);
    m_detail = makeMutedLabel({}, this);
    m_detail->setFont(Theme::smallFont());
    m_detail->setMinimumWidth(1); // a long detail must not widen the panel
    layout->addWidget(m_title);
    layout->addWidget(m_detail, 1);
}

void SectionLabel::setTitle(const QString& title)
{
    m_title->setText(title);
}

void SectionLabel::setDetail(const QString& detail)
{
    m_detail->setText(detail);
}

QString SectionLabel::detail() const
{
    return m_detail->text();
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setFullText(text);
}

void ElidedLabel::setFullText(const QString& text)
{
    m_full = text;
    elide();
    updateGeometry(); // what is shown may be the same
}

void ElidedLabel::setTip(const QString& tip)
{
    m_tip = tip;
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    return {m_full.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_full) + 2 * margin() + 1,
            QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    if (m_full.isEmpty())
        return {0, QLabel::minimumSizeHint().height()};
    QString first = m_full.section(kBetween, 0, 0);
    if (first.size() < m_full.size())
        first += kMore;
    return {std::clamp(fontMetrics().horizontalAdvance(first) + 2 * margin() + 1, kMinElided, kMaxOfFirst),
            QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide()
{
    const QFontMetrics metrics = fontMetrics();
    // "3,947 documents · all shown · seed 1": whole facts go, from the last, before letters do.
    QStringList facts = m_full.split(kBetween);
    QString shown = m_full;
    while (facts.size() > 1 && metrics.horizontalAdvance(shown) > width())
    {
        facts.removeLast();
        shown = facts.join(kBetween) + kMore;
    }
    if (facts.size() == 1 && metrics.horizontalAdvance(shown) > width())
        shown = facts.constFirst();
    shown = metrics.elidedText(shown, Qt::ElideMiddle, width());
    setText(shown);
    // Qt breaks the lines of a tip only where it is marked up.
    constexpr int kLongTip = 80;
    const QString whole = m_full.size() > kLongTip ? QStringLiteral("<p>") % m_full.toHtmlEscaped() : m_full;
    setToolTip(!m_tip.isEmpty() ? m_tip : shown == m_full ? QString() : whole);
}

EmptyState::EmptyState(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Metrics::kRelated);
    m_title = new QLabel(this);
    m_title->setAlignment(Qt::AlignHCenter);
    QFont font = Theme::bodyFont(true);
    font.setPixelSize(15);
    m_title->setFont(font);
    m_text = makeMutedLabel({}, this);
    m_text->setAlignment(Qt::AlignHCenter);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("emptyAction"));
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addSpacing(Metrics::kRelated);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    m_button->setAccessibleName(tr("Next step"));
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionRequested);
}

void EmptyState::setMessage(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_title->setText(title);
    m_title->setProperty("role", isError ? QStringLiteral("warning") : QString());
    // Lets the style sheet see the changed property.
    m_title->style()->unpolish(m_title);
    m_title->style()->polish(m_title);
    m_text->setText(text);
    fitText();
    m_button->setText(action);
    m_button->setAccessibleName(action.isEmpty() ? tr("Next step") : action);
    m_button->setAccessibleDescription(text);
    m_button->setToolTip(title);
    m_button->setVisible(!action.isEmpty());
}

void EmptyState::fitText()
{
    const int width = std::clamp(this->width() - 2 * Metrics::kPanel, kMinText, kTextWidth);
    m_text->ensurePolished();
    // A centred label is given its size hint, which knows nothing of the lines its text breaks into.
    m_text->setFixedSize(width, std::max(0, m_text->heightForWidth(width)));
}

QSize EmptyState::minimumSizeHint() const
{
    // The sentence is as wide as it stands now: what asks for least is the sentence in its narrowest form.
    const QSize now = QWidget::minimumSizeHint();
    return {std::min(now.width(), kMinText + 2 * Metrics::kPanel), now.height()};
}

void EmptyState::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitText();
}

QString EmptyState::title() const
{
    return m_title->text();
}

QString EmptyState::text() const
{
    return m_text->text();
}

void stopAtChecked(QButtonGroup* group)
{
    const auto stop = [group] {
        if (group->checkedButton() == nullptr)
            return;
        for (QAbstractButton* each : group->buttons())
        {
            const int policy = each->focusPolicy();
            each->setFocusPolicy(
                static_cast<Qt::FocusPolicy>(each->isChecked() ? policy | Qt::TabFocus : policy & ~Qt::TabFocus));
        }
    };
    QObject::connect(group, &QButtonGroup::buttonToggled, group, stop);
    stop();
}

void placeInTabOrder(QWidget* container)
{
    QWidget* before = container;
    for (QWidget* control : container->findChildren<QWidget*>())
        if ((control->focusPolicy() & Qt::TabFocus) != 0)
        {
            QWidget::setTabOrder(before, control);
            before = control;
        }
}

QLabel* makeSectionLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(Theme::sectionFont());
    label->setProperty("role", QStringLiteral("section"));
    return label;
}

QLabel* makeMutedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QStringLiteral("muted"));
    return label;
}

QFrame* makeCard(QWidget* parent, QVBoxLayout** layout)
{
    auto* card = new QFrame(parent);
    card->setObjectName(QStringLiteral("card"));
    *layout = new QVBoxLayout(card);
    (*layout)->setContentsMargins(10, 8, 10, 8);
    (*layout)->setSpacing(2);
    return card;
}

void showRunning(QWidget& start, QWidget& stop, bool running)
{
    const bool hadFocus = start.hasFocus() || stop.hasFocus();
    start.setVisible(!running);
    stop.setVisible(running);
    if (hadFocus)
        (running ? stop : start).setFocus();
}

void clearLayout(QLayout& layout, const QWidget* kept)
{
    while (QLayoutItem* item = layout.takeAt(0))
    {
        if (QWidget* old = item->widget(); old != nullptr && old != kept)
        {
            old->hide();
            old->setObjectName({});
            for (QWidget* part : old->findChildren<QWidget*>())
                part->setObjectName({});
            old->deleteLater();
        }
        delete item;
    }
}

void addClearButton(QLineEdit& field)
{
    field.setClearButtonEnabled(true);
    if (auto* button = field.findChild<QToolButton*>())
        button->setAccessibleName(SectionLabel::tr("Clear"));
}

} // namespace headscope::ui
