// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/card/card_picture.h"

#include "model/data/results/card/card_text.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kPointWidth = 540; ///< of the page in points, to which the width of the window is scaled
constexpr double kMargin = 18;      ///< points

constexpr PictureManners kManners = {
    .name = "headCardPage", .takesClicks = false, .room = Room::Line, .wanted = {760, 1000}, .least = {420, 200}};

} // namespace

CardPicture::CardPicture() : Picture(kManners) {}

void CardPicture::setPage(std::shared_ptr<const CardPage> page)
{
    m_page = std::move(page);
    replaced();
}

void CardPicture::paint(QPainter& painter, const PictureMarks& /*marks*/) const
{
    painter.fillRect(box(), inks(InkTheme::Light).background);
    if (m_page == nullptr)
        return;
    const double scale = box().width() / kPointWidth;
    painter.save();
    painter.translate(box().topLeft());
    painter.scale(scale, scale);
    m_page->paint(painter, {kMargin, kMargin, kPointWidth - 2 * kMargin, box().height() / scale - 2 * kMargin});
    painter.restore();
}

QString CardPicture::title() const
{
    return m_page != nullptr ? QString::fromStdString(cardTitle(m_page->card())) : QString();
}

QString CardPicture::summary() const
{
    return m_page != nullptr ? QString::fromStdString(cardText(m_page->card())) : QString();
}

int CardPicture::heightForWidth(int width) const
{
    if (m_page == nullptr)
        return 0;
    const double height = m_page->height(kPointWidth - 2 * kMargin) + 2 * kMargin;
    return static_cast<int>(std::ceil(height * width / kPointWidth));
}

} // namespace headscope::viz
