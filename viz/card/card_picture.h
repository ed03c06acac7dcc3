// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/card/card_page.h"
#include "viz/picture/picture.h"

#include <memory>

namespace headscope::viz
{

/// The page of a card in a window, as wide as there is room; its height follows. It has no items. On white in every
/// theme, as it is on paper.
class CardPicture : public Picture
{
public:
    CardPicture();

    /// @param page  null: nothing is shown
    void setPage(std::shared_ptr<const CardPage> page);
    [[nodiscard]] const CardPage* page() const { return m_page.get(); }

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return 0; }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF /*place*/) const override { return std::nullopt; }
    [[nodiscard]] QRectF placeOf(std::size_t /*item*/) const override { return {}; }
    [[nodiscard]] ItemText textOf(std::size_t /*item*/) const override { return {}; }
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

private:
    std::shared_ptr<const CardPage> m_page;
};

} // namespace headscope::viz
