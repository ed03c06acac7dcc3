// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_layout.h"

#include <QDataStream>
#include <QIODevice>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr quint32 kMagic = 0x48534C59; // "HSLY"
constexpr quint32 kVersion = 2;
constexpr int kMaxPixels = 1 << 16;
constexpr QSize kFrame(12, 44); ///< title and borders: before a window stands nobody says how large they are
constexpr int kBorder = kFrame.width() / 2;

} // namespace

QSize firstWindowSize(QSize available)
{
    constexpr QSize kBuiltIn(1440, 900);
    return kBuiltIn.boundedTo(available - kFrame).expandedTo({320, 240});
}

QRect firstWindowPlace(const QRect& available)
{
    const QSize size = firstWindowSize(available.size());
    const QSize left = (available.size() - size - kFrame).expandedTo({0, 0}); // over
    const int title = kFrame.height() - kBorder;
    return {available.topLeft() + QPoint(left.width() / 2 + kBorder, left.height() / 2 + title), size};
}

QByteArray toBytes(const WindowLayout& layout)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << kMagic << kVersion << layout.widths << layout.shown << layout.jobsHeight << layout.view
           << layout.sidePanel;
    return bytes;
}

std::optional<WindowLayout> layoutFromBytes(const QByteArray& bytes)
{
    QDataStream stream(bytes);
    stream.setVersion(QDataStream::Qt_6_4);
    quint32 magic = 0;
    quint32 version = 0;
    stream >> magic >> version;
    if (magic != kMagic || version != kVersion)
        return std::nullopt;
    WindowLayout layout;
    stream >> layout.widths >> layout.shown >> layout.jobsHeight >> layout.view >> layout.sidePanel;
    const auto isWidth = [](int width) { return width >= 0 && width < kMaxPixels; };
    if (stream.status() != QDataStream::Ok || !stream.atEnd() || !isWidth(layout.jobsHeight) ||
        !std::ranges::all_of(layout.widths, isWidth))
        return std::nullopt;
    return layout;
}

} // namespace headscope::ui
