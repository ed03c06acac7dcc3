// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace headscope::ui
{

/// How a table writes a number of a column.
using NumberText = QString (*)(const ColumnInfo& info, Facet facet, double value);
/// Three digits after the point, whole numbers with their separators, probabilities with two digits that count.
[[nodiscard]] QString frameNumber(const ColumnInfo& info, Facet facet, double value);
/// What a facet says in a row; empty where it is missing.
[[nodiscard]] QString facetText(const Column& column, Facet facet, std::size_t row, NumberText number = frameNumber);
/// What else a column says of a row than the facet that a cell shows, a line each: interval, null, p, q and chance.
[[nodiscard]] QStringList factsBeside(const Column& column, Facet shown, std::size_t row,
                                      NumberText number = frameNumber);
/// The definition of a column, and what has to be said beside it.
[[nodiscard]] QString columnTip(const ColumnInfo& info, const QString& caution);

/// A column of a table in the window: which facet of which column of a frame it shows.
struct FrameColumn
{
    std::string_view key; ///< of the frame's column; one that frames lack: its texts are extras of the model
    Facet facet = Facet::Value;
    QString title{}; ///< empty: that of the frame's column
    QString tip{};   ///< empty: its definition and caution
};

/// Results as a table of the window: titles, tips, alignment and the text of every number follow from the columns of
/// the frames that it is given. A row may come with a frame of its own.
/// @threads GUI thread
class FrameModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// What the frames do not say of a cell: a colour, a name. Not valid: what they say.
    using Extra = std::function<QVariant(int row, int column, int role)>;

    FrameModel(std::vector<FrameColumn> columns, Extra extra, QObject* parent = nullptr);

    /// Shows the rows of this frame alone.
    void setFrame(Frame frame);
    /// Shows no rows; headings stay.
    void clear();
    /// Puts the rows of a frame before a row.
    void insertFrame(int before, Frame frame);
    /// Puts another frame of one row in place of one that came with one.
    void replaceFrame(int row, Frame frame);
    /// The extras of all cells are others now.
    void refresh();
    void setTitle(int column, const QString& title);
    /// The number of a cell; NaN where it is missing or a text.
    [[nodiscard]] double number(int row, int column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// A row of a frame.
    struct Place
    {
        std::shared_ptr<const Frame> frame;
        std::size_t row = 0;
    };

    [[nodiscard]] const Column* columnAt(int row, int column) const;
    [[nodiscard]] QString text(int row, int column, Facet facet) const;
    [[nodiscard]] QString tip(int row, int column) const;
    [[nodiscard]] QString headTip(int column) const;
    [[nodiscard]] QVariant sortValue(int row, int column) const;
    /// How the frames describe their columns, which stays when the rows go.
    void learn(const Frame& frame);

    std::vector<FrameColumn> m_columns;
    std::vector<const ColumnInfo*> m_infos; ///< [columns]; null: of none
    std::vector<Place> m_rows;
    Extra m_extra;
};

/// Sorts by SortRole: numbers by their value, texts by naturalOrder(); what is missing comes last in either order.
class FrameOrder : public QSortFilterProxyModel
{
public:
    FrameOrder(QAbstractItemModel* source, QObject* parent);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace headscope::ui
