// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

class QWidget;

/// What a view remembers without a line of its own: its named controls, and what its canvases show.
namespace headscope::desktop
{

/// The controls of a view by their object names: the words of boxes, numbers, what is switched on, sizes of panes, what
/// tables are sorted by.
[[nodiscard]] QJsonObject controlsOf(const QWidget& view);
/// Sets those that are there and can take the value, as the user would: their signals are emitted.
void setControls(QWidget& view, const QJsonObject& controls);

/// The zoom of its canvases; those that follow what they show, or show all, are left out.
[[nodiscard]] QJsonObject zoomsOf(const QWidget& view);
/// Sets them where something is shown.
/// @param later  those for which nothing is shown yet
void setZooms(QWidget& view, const QJsonObject& zooms, QJsonObject& later);
/// All canvases show all they have.
void fitAll(QWidget& view);

/// The colour scales of its bars, in their order, by names: "scale0". A scale stays the same while layers and stages
/// change, so that what is shown does not say where it came from.
[[nodiscard]] QJsonObject scalesOf(const QWidget& view);
/// Sets them, as if their handles had been moved there; bars that are not named take the limits of their data.
void setScales(QWidget& view, const QJsonObject& scales);

/// Which labels the legends of its canvases show; those that show all are left out.
[[nodiscard]] QJsonObject legendsOf(const QWidget& view);
/// Sets them: now, or when the colours that they are of are there. Legends that are not named show all.
void setLegends(QWidget& view, const QJsonObject& legends);

} // namespace headscope::desktop
