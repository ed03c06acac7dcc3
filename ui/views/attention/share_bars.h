// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace headscope::ui
{

/// Shares as bars with their names and numbers, in blocks with a heading each.
class ShareBars : public QWidget
{
    Q_OBJECT

public:
    struct Row
    {
        QString name;
        QString value;    ///< as it is written
        double share = 0; ///< 0..1 of the bar's length; not a number: no bar
        QString tip;
        bool operator==(const Row&) const = default;
    };
    struct Block
    {
        QString title; ///< "": none
        QString note;  ///< grey, at the right of the title
        QColor color;
        std::vector<Row> rows;
        bool operator==(const Block&) const = default;
    };

    explicit ShareBars(QWidget* parent = nullptr);

    void setBlocks(std::vector<Block> blocks);
    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }
    /// All of it in words.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<Block> m_blocks;
};

} // namespace headscope::ui
