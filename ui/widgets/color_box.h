// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QString>

#include <vector>

namespace headscope::ui
{

/// A way to colour the documents of a view.
struct ColorOption
{
    QString id; ///< what the controller knows it by
    QString title;
};

/// The choice of one of them; currentIndexChanged says when it is another.
class ColorBox : public QComboBox
{
public:
    using QComboBox::QComboBox;

    /// Offers these without a signal; what is chosen stays where it is among them, else the first is.
    void setColors(const std::vector<ColorOption>& colors);
    /// The id of what is chosen; "" where nothing is offered.
    [[nodiscard]] QString color() const;
    /// Ignored where it is not offered.
    void setColor(const QString& id);
};

} // namespace headscope::ui
