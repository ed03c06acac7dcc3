// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/topic_key.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/heatmap/heatmap_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kLine = 18;
constexpr int kMaxLines = 4;
constexpr int kMinColumn = 132; ///< names that are longer are cut in their middle before lines are hidden
constexpr int kLetterGap = 6;
constexpr int kPad = 16;
constexpr int kLetterRole = Qt::UserRole + 1;

/// A bold letter and a grey name.
class KeyDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Colors& colors = Theme::instance().colors();
        painter->save();
        if (option.state.testFlag(QStyle::State_MouseOver) ||
            (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange)))
        {
            painter->setPen(Qt::NoPen);
            painter->setBrush(colors.hover);
            painter->drawRoundedRect(option.rect.adjusted(-2, 0, -8, 0), 3, 3);
        }
        const QString letter = index.data(kLetterRole).toString();
        const int letters = index.model()->property("letterWidth").toInt();
        painter->setPen(colors.text);
        painter->setFont(Theme::smallFont(true));
        painter->drawText(option.rect, Qt::AlignLeft | Qt::AlignVCenter, letter);
        painter->setPen(colors.muted);
        painter->setFont(Theme::smallFont());
        QRect rest = option.rect.adjusted(letters + kLetterGap, 0, -kPad + 4, 0);
        // An item may be wider than what is seen of it.
        if (const auto* list = qobject_cast<const QListWidget*>(option.widget))
            rest.setRight(std::min(rest.right(), list->viewport()->rect().right()));
        painter->drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(Theme::smallFont()).elidedText(index.data().toString(), Qt::ElideMiddle, rest.width()));
        painter->restore();
    }
};

} // namespace

TopicKey::TopicKey(QWidget* parent) : QListWidget(parent)
{
    setObjectName(QStringLiteral("topicKey"));
    setAccessibleName(tr("Letters of the topics"));
    setFrameShape(QFrame::NoFrame);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setItemDelegate(new KeyDelegate(this));
    setToolTip(tr("Click to select the documents of a topic; double-click to zoom to it"));
    connect(this, &QListWidget::itemDoubleClicked, this,
            [this](QListWidgetItem* item) { Q_EMIT topicActivated(row(item)); });
    onThemeChange(this, [this] {
        setStyleSheet(QStringLiteral("QListWidget { background: %1; border: none; outline: none; }")
                          .arg(Theme::instance().colors().canvas.name()));
    });
}

void TopicKey::setTopics(const std::vector<std::string>& names)
{
    clear();
    const QFontMetrics bold(Theme::smallFont(true));
    const QFontMetrics plain(Theme::smallFont());
    int letters = 0;
    m_widest = 1;
    for (std::size_t topic = 0; topic < names.size(); ++topic)
    {
        const QString letter = viz::topicLetter(static_cast<std::int64_t>(topic));
        auto* item = new QListWidgetItem(toQString(names[topic]), this);
        item->setData(kLetterRole, letter);
        item->setToolTip(letter + QStringLiteral("  ") + item->text());
        letters = std::max(letters, bold.horizontalAdvance(letter));
        m_widest = std::max(m_widest, plain.horizontalAdvance(item->text()));
    }
    model()->setProperty("letterWidth", letters);
    m_widest += letters + kLetterGap + kPad;
    for (int topic = 0; topic < count(); ++topic) // all alike: the view takes the first one's size for every item
        item(topic)->setSizeHint(QSize(m_widest, kLine));
    fitHeight();
}

void TopicKey::fitHeight()
{
    constexpr int kScrollBar = 12;
    const int needed = std::max(1, (count() + kMaxLines - 1) / kMaxLines);
    const auto columnsIn = [&](int room) {
        const int whole = std::max(1, room / std::min(m_widest, std::max(1, room)));
        return std::max(whole, std::min(needed, room / kMinColumn));
    };
    int room = std::max(1, width() - 2);
    if (columnsIn(room) * kMaxLines < count())
        room = std::max(1, room - kScrollBar);
    const int columns = columnsIn(room);
    const int lines = std::clamp((count() + columns - 1) / columns, 1, kMaxLines);
    // A list keeps room for a bar that may come, and would break its lines before it.
    setVerticalScrollBarPolicy(columns * kMaxLines < count() ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    setGridSize(QSize(std::min(m_widest, room / columns), kLine));
    setFixedHeight(lines * kLine + 2);
    doItemsLayout(); // at once: the view would wait a moment, with the letters in wrong places
}

void TopicKey::resizeEvent(QResizeEvent* event)
{
    QListWidget::resizeEvent(event);
    fitHeight();
}

void TopicKey::mouseReleaseEvent(QMouseEvent* event)
{
    QListWidget::mouseReleaseEvent(event);
    if (const QListWidgetItem* item = itemAt(event->position().toPoint());
        item != nullptr && event->button() == Qt::LeftButton)
        Q_EMIT topicClicked(row(item), event->modifiers());
}

void TopicKey::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && currentRow() >= 0)
        return Q_EMIT topicClicked(currentRow(), event->modifiers());
    QListWidget::keyPressEvent(event);
}

} // namespace headscope::ui
