// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace headscope::ui
{

/// Which colour is which head: a dot and a number each, in one line.
class HeadChips : public QWidget
{
    Q_OBJECT

public:
    explicit HeadChips(QWidget* parent = nullptr);

    void setChips(std::vector<std::pair<QColor, QString>> chips);
    [[nodiscard]] const std::vector<std::pair<QColor, QString>>& chips() const { return m_chips; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::pair<QColor, QString>> m_chips;
};

} // namespace headscope::ui
