// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QRect>
#include <QSize>
#include <QString>

#include <optional>

namespace headscope::ui
{

/// The layout of the window's parts, as it is saved between two sessions. Size and place of the window itself are
/// Qt's own (SettingKey::WindowGeometry).
struct WindowLayout
{
    QList<int> widths;         ///< of data panel, views and side panel; empty = the built-in ones
    QMap<QString, bool> shown; ///< of each command that is on or off and kept, by its id: as built in where missing
    int jobsHeight = 0;        ///< of the panel of jobs; 0 = the built-in one
    QString view;              ///< key of the view in front; empty = the first
    QString sidePanel;         ///< id of the open page of the side panel

    friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

/// How large the first window is: the built-in size, or what a screen has room for when the frame that
/// the desktop puts around windows is taken off.
/// @param available  of the screen, without its panels, in logical pixels
[[nodiscard]] QSize firstWindowSize(QSize available);
/// Where it is, without its frame: in the middle, with room for the frame around it.
/// @param available  of the screen, as it lies on the desktop
[[nodiscard]] QRect firstWindowPlace(const QRect& available);

/// @return  bytes for the settings, versioned
[[nodiscard]] QByteArray toBytes(const WindowLayout& layout);
/// Nothing for bytes of another version, or damaged ones: then the built-in layout is used.
[[nodiscard]] std::optional<WindowLayout> layoutFromBytes(const QByteArray& bytes);

} // namespace headscope::ui
