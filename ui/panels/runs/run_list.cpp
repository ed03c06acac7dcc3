// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/run_list.h"

#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>

namespace headscope::ui
{
namespace
{

constexpr int kPadding = 4;
constexpr int kRow = RunList::kThumbnail + 2 * kPadding;
constexpr int kLine = 16;

/// Picture, name and two grey lines.
class RunDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {kRow + 120, kRow};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Colors& colors = Theme::instance().colors();
        const QRect row = option.rect.adjusted(0, 1, 0, -1);
        const bool shown = index.data(RunListModel::ShownRole).toBool();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool current = option.state.testFlag(QStyle::State_HasFocus);
        if (shown || current || option.state.testFlag(QStyle::State_MouseOver))
        {
            painter->setPen(current ? QPen(colors.accent) : QPen(Qt::NoPen));
            painter->setBrush(shown ? colors.accentPale : colors.hover);
            painter->drawRoundedRect(QRectF(row).adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kRadius, Metrics::kRadius);
        }
        const QRect picture(row.left() + kPadding, row.top() + (row.height() - RunList::kThumbnail) / 2,
                            RunList::kThumbnail, RunList::kThumbnail);
        painter->setPen(colors.hairline);
        painter->setBrush(colors.canvas);
        painter->drawRoundedRect(QRectF(picture).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        if (const auto image = index.data(Qt::DecorationRole).value<QImage>(); !image.isNull())
            painter->drawImage(picture.adjusted(1, 1, -1, -1), image);

        const QRect words = textRect(row);
        const int top = words.top() + (words.height() - 3 * kLine) / 2;
        const auto line = [&](int number, int width, const QFont& font, const QColor& color, const QString& text) {
            painter->setFont(font);
            painter->setPen(color);
            const QRect place(words.left(), top + number * kLine, width, kLine);
            painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                              QFontMetrics(font).elidedText(text, Qt::ElideRight, width));
        };
        int nameWidth = words.width();
        if (const QString stored = index.data(RunListModel::MarkRole).toString(); !stored.isEmpty())
        {
            const int width = QFontMetrics(Theme::smallFont()).horizontalAdvance(stored);
            nameWidth -= width + Metrics::kRelated;
            painter->setFont(Theme::smallFont());
            painter->setPen(colors.muted);
            painter->drawText(QRect(words.right() - width, top, width + 1, kLine), Qt::AlignRight | Qt::AlignVCenter,
                              stored);
        }
        line(0, nameWidth, Theme::bodyFont(true), shown ? colors.accentText : colors.text,
             index.data(Qt::DisplayRole).toString());
        QString source = index.data(RunListModel::SourceRole).toString();
        if (QFontMetrics(Theme::smallFont()).horizontalAdvance(source) > words.width())
            source = index.data(RunListModel::ShortSourceRole).toString();
        line(1, words.width(), Theme::smallFont(), colors.muted, source);
        line(2, words.width(), Theme::smallFont(), colors.muted, index.data(RunListModel::NumbersRole).toString());
        painter->restore();
    }

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        auto* field = new QLineEdit(parent);
        field->setObjectName(QStringLiteral("runNameEditor"));
        field->setAccessibleName(RunList::tr("Name of the map"));
        return field;
    }

    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        const QRect words = textRect(option.rect.adjusted(0, 1, 0, -1));
        editor->setGeometry(words.left() - Metrics::kRelated, words.top(), words.width() + Metrics::kRelated,
                            Metrics::kControl);
    }

private:
    [[nodiscard]] static QRect textRect(const QRect& row)
    {
        return row.adjusted(kPadding + RunList::kThumbnail + Metrics::kRelated, 0, -kPadding, 0);
    }
};

} // namespace

RunList::RunList(MapLibrary& library, QWidget* parent) : QListView(parent)
{
    setObjectName(QStringLiteral("runList"));
    setAccessibleName(tr("Saved maps"));
    setAccessibleDescription(tr("Select a map to show it"));
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::EditKeyPressed);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setItemDelegate(new RunDelegate(this));
    m_model = new RunListModel(library, this);
    setModel(m_model);
    const auto resized = [this] { updateGeometry(); };
    connect(m_model, &QAbstractItemModel::rowsInserted, this, resized);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, resized);
    connect(this, &QListView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT showRequested(m_model->idAt(index.row())); });
    onThemeChange(this, [this] { viewport()->update(); });
}

std::optional<std::uint64_t> RunList::currentId() const
{
    const std::uint64_t id = m_model->idAt(currentIndex().row());
    return id == 0 ? std::nullopt : std::optional(id);
}

void RunList::setCurrentId(std::uint64_t id)
{
    if (const int row = m_model->rowOf(id); row >= 0)
        setCurrentIndex(m_model->index(row));
}

QSize RunList::sizeHint() const
{
    return {kRow + 120, std::max(1, m_model->rowCount()) * kRow};
}

QSize RunList::minimumSizeHint() const
{
    return {kRow + 120, sizeHint().height()};
}

void RunList::keyPressEvent(QKeyEvent* event)
{
    const auto id = currentId();
    if (id && state() != QAbstractItemView::EditingState)
    {
        switch (event->key())
        {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return Q_EMIT showRequested(*id);
        case Qt::Key_Delete:
            return Q_EMIT removeRequested(*id);
        default:
            break;
        }
    }
    QListView::keyPressEvent(event);
}

void RunList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    Q_EMIT currentIdChanged();
}

} // namespace headscope::ui
