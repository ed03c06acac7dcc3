// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/head_corpus/example_model.h"
#include "model/data/attention/head_corpus.h"

#include <QColor>
#include <QListView>
#include <QStyledItemDelegate>

#include <cstdint>

namespace headscope::ui
{

/// A line of text for each example, its tokens shaded by the head's weights; the current one shows all of it.
class ExampleDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setShade(const QColor& shade) { m_shade = shade; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    [[nodiscard]] viz::TokenTextStyle textStyle() const;
    [[nodiscard]] viz::TokenTextLayout layoutOf(const QModelIndex& index, double width, bool open) const;

    QColor m_shade;
};

/// The examples of a head as a list.
class ExampleList : public QListView
{
    Q_OBJECT

public:
    explicit ExampleList(QWidget* parent = nullptr);

    void setExamples(HeadCorpusPtr corpus, ExampleKind kind);
    /// Of the weight 1.
    void setShade(const QColor& shade);
    [[nodiscard]] ExampleModel* examples() const { return m_model; }
    /// Brings the examples of a decile into view.
    void showDecile(std::size_t decile);

Q_SIGNALS:
    /// Clicked, or Return: the token of an example.
    void tokenChosen(std::int64_t token);
    /// The example that is current; -1: none.
    void tokenCurrent(std::int64_t token);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    ExampleModel* m_model;
    ExampleDelegate* m_delegate;
};

} // namespace headscope::ui
