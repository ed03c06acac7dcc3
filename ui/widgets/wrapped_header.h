// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace headscope::ui
{

/// The header of a table of numbers: a title much wider than they are is in two lines, so that columns are as
/// wide as their cells and more of them fit.
class WrappedHeader : public QHeaderView
{
    Q_OBJECT

public:
    explicit WrappedHeader(QWidget* parent);

    /// One line or two; with one, columns are wider and the table higher by a line less. Two at first.
    void setWrapped(bool wrapped);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override;
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;

private:
    [[nodiscard]] QString lines(const QString& title) const;

    bool m_wrapped = true;
};

} // namespace headscope::ui
