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
#include <string>
#include <vector>

namespace headscope::ui
{

/// How the window writes the numbers of a column, where only the result tells, and not the column's description: a
/// measure may be a share or a cosine.
enum class NumberStyle
{
    Described,   ///< as the description says
    Percent,     ///< a share: "12.5%"
    Points,      ///< a difference of shares in per cent points: "+12.5"
    PointsSize,  ///< the same without its sign: an error of such a difference
    Probability, ///< "0.031"
    Whole,       ///< "3"
    Hundredths,  ///< two digits after the point: next to bars
    Short,       ///< few digits, shares in per cent: next to bars
};

/// A number of Shown::Fixed as the window writes it, with a true minus: "−0.0420"; "–" where it is not finite.
[[nodiscard]] QString fixedText(double value);
/// A number of a column; nothing where it is not finite.
[[nodiscard]] QString frameNumber(const ColumnInfo& info, Facet facet, double value,
                                  NumberStyle style = NumberStyle::Described);
/// What a facet says in a row; nothing where it is missing.
[[nodiscard]] QString facetText(const Column& column, Facet facet, std::size_t row,
                                NumberStyle style = NumberStyle::Described);
/// What else a column says of a row than the facet that a cell shows, a line each: interval, null, p, q and chance, and
/// how a shown interval was made.
[[nodiscard]] QStringList factsBeside(const Column& column, Facet shown, std::size_t row,
                                      NumberStyle style = NumberStyle::Described);
/// The definition of a column, and what has to be said next to it.
[[nodiscard]] QString columnTip(const ColumnInfo& info, const QString& caution);
[[nodiscard]] QString columnTip(const ColumnInfo& info);

/// A column of a table in the window: which facet of which column of a frame it shows.
struct FrameColumn
{
    /// Of the frame's column, or the name that it has in this result (Column::header); one that frames lack: its texts
    /// are extras of the model.
    std::string key;
    Facet facet = Facet::Value;
    QString title{}; ///< empty: that of the frame's column, of a facet that of the facet
    QString tip{};   ///< empty: its definition and caution
    NumberStyle style = NumberStyle::Described;
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
    /// Shows these columns of it.
    void setFrame(Frame frame, std::vector<FrameColumn> columns);
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

protected:
    /// What the frame says in a cell, for extras that say it otherwise.
    [[nodiscard]] QString frameText(int row, int column) const;

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
    void fill(Frame frame);

    std::vector<FrameColumn> m_columns;
    std::vector<const ColumnInfo*> m_infos; ///< [columns]; null: of none
    std::vector<QString> m_titles;          ///< [columns] that the frames give them
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
