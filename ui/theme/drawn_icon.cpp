// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/drawn_icon.h"

#include <QIconEngine>
#include <QPainter>

#include <memory>
#include <optional>
#include <utility>

namespace headscope::ui
{
namespace
{

/// The pictures of one icon, for all its copies.
struct Pictures
{
    std::function<QIcon()> draw;
    std::optional<QIcon> drawn;

    const QIcon& icon()
    {
        if (!drawn)
            drawn = std::exchange(draw, {})();
        return *drawn;
    }
};

class DrawnIcon : public QIconEngine
{
public:
    DrawnIcon(int largest, std::shared_ptr<Pictures> pictures) : m_largest(largest), m_pictures(std::move(pictures)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        m_pictures->icon().paint(painter, rect, Qt::AlignCenter, mode, state);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return m_pictures->icon().pixmap(size, 1.0, mode, state);
    }
    /// As of pictures, which are made smaller but never larger.
    QSize actualSize(const QSize& size, QIcon::Mode /*mode*/, QIcon::State /*state*/) override
    {
        const QSize own(m_largest, m_largest);
        return size.width() < m_largest || size.height() < m_largest ? own.scaled(size, Qt::KeepAspectRatio) : own;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new DrawnIcon(m_largest, m_pictures); }

private:
    int m_largest;
    std::shared_ptr<Pictures> m_pictures;
};

} // namespace

QIcon drawnIcon(int largest, std::function<QIcon()> draw)
{
    return QIcon(new DrawnIcon(largest, std::make_shared<Pictures>(Pictures{std::move(draw), std::nullopt})));
}

} // namespace headscope::ui
