// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/example_list.h"

#include "app/views/head_corpus/token_words.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"

#include <QPainter>
#include <QScrollBar>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLine = 24;
constexpr int kHeading = 32;
constexpr int kMaxLines = 10;
constexpr double kNumber = 44; ///< width of the activation
constexpr double kGap = Metrics::kRelated;

bool isOpen(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto* list = qobject_cast<const QListView*>(option.widget);
    return list != nullptr && list->currentIndex() == index;
}

const ExampleModel& modelOf(const QModelIndex& index)
{
    return *static_cast<const ExampleModel*>(index.model());
}

/// Where the text of a row stands.
QRectF textRoom(const QRectF& row)
{
    return row.adjusted(Metrics::kPanel + kNumber + kGap, 0, -Metrics::kPanel, 0);
}

double rowWidth(const QStyleOptionViewItem& option)
{
    const auto* list = qobject_cast<const QListView*>(option.widget);
    return list != nullptr ? list->viewport()->width() : option.rect.width();
}

} // namespace

viz::TokenTextStyle ExampleDelegate::textStyle() const
{
    viz::TokenTextStyle style;
    style.theme = Theme::instance().vizTheme();
    style.font = Theme::bodyFont();
    style.lineHeight = kLine;
    style.shade = m_shade;
    return style;
}

viz::TokenTextLayout ExampleDelegate::layoutOf(const QModelIndex& index, double width, bool open) const
{
    const viz::ShadedText& text = modelOf(index).textOf(index.row());
    return open ? viz::TokenTextLayout::lines(text, textStyle(), width, kMaxLines)
                : viz::TokenTextLayout::line(text, textStyle(), width);
}

void ExampleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Colors& colors = Theme::instance().colors();
    const ExampleModel& model = modelOf(index);
    const QRectF row = option.rect;
    painter->save();
    if (model.isHeading(index.row()))
    {
        viz::drawLine(*painter, row.adjusted(Metrics::kPanel, Metrics::kRelated, -Metrics::kPanel, 0),
                      index.data().toString(), Theme::smallFont(true), colors.muted);
        return painter->restore();
    }
    const bool open = isOpen(option, index);
    if (open || option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(row, open ? colors.accentPale : colors.hover);
    const std::int64_t token = model.exampleOf(index.row())->token;
    viz::drawLine(*painter, QRectF(row.left() + Metrics::kPanel, row.top(), kNumber, kLine),
                  numberText(model.corpus()->activations[static_cast<std::size_t>(token)]), Theme::bodyFont(),
                  open ? colors.accentText : colors.muted, Qt::AlignRight | Qt::AlignVCenter);
    const QRectF room = textRoom(row);
    const viz::TokenTextLayout layout = layoutOf(index, room.width(), open);
    painter->setClipRect(row);
    layout.paint(*painter, room.topLeft(), model.textOf(index.row()), textStyle());
    if (open)
    {
        double y = room.top() + layout.height();
        for (const QString& line :
             viz::wrappedLines(tokenLine(*model.corpus(), token), Theme::smallFont(), room.width(), 3))
        {
            viz::drawLine(*painter, QRectF(room.left(), y, room.width(), 18), line, Theme::smallFont(), colors.muted);
            y += 18;
        }
    }
    painter->restore();
}

QSize ExampleDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ExampleModel& model = modelOf(index);
    const double width = rowWidth(option);
    if (model.isHeading(index.row()))
        return {static_cast<int>(width), kHeading};
    if (!isOpen(option, index))
        return {static_cast<int>(width), kLine};
    const QRectF room = textRoom(QRectF(0, 0, width, kLine));
    const auto lines = viz::wrappedLines(tokenLine(*model.corpus(), model.exampleOf(index.row())->token),
                                         Theme::smallFont(), room.width(), 3);
    return {static_cast<int>(width), static_cast<int>(layoutOf(index, room.width(), true).height()) +
                                         18 * static_cast<int>(lines.size()) + Metrics::kGrid};
}

ExampleList::ExampleList(QWidget* parent)
    : QListView(parent), m_model(new ExampleModel(this)), m_delegate(new ExampleDelegate(this))
{
    setObjectName(QStringLiteral("headExamples"));
    setAccessibleName(tr("Examples of the head"));
    setModel(m_model);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setUniformItemSizes(false);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListView::activated, this, [this](const QModelIndex& index) {
        if (const HeadExample* example = m_model->exampleOf(index.row()))
            Q_EMIT tokenChosen(example->token);
    });
    onThemeChange(this, [this] { viewport()->update(); });
}

void ExampleList::setExamples(HeadCorpusPtr corpus, ExampleKind kind)
{
    m_model->setExamples(std::move(corpus), kind);
    scrollToTop();
    Q_EMIT tokenCurrent(-1);
}

void ExampleList::setShade(const QColor& shade)
{
    m_delegate->setShade(shade);
    viewport()->update();
}

void ExampleList::showDecile(std::size_t decile)
{
    if (const auto row = m_model->rowOfDecile(decile))
        scrollTo(m_model->index(*row), PositionAtTop);
}

void ExampleList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    scheduleDelayedItemsLayout();
}

void ExampleList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    scheduleDelayedItemsLayout();
    const HeadExample* const example = current.isValid() ? m_model->exampleOf(current.row()) : nullptr;
    Q_EMIT tokenCurrent(example != nullptr ? example->token : -1);
}

} // namespace headscope::ui
