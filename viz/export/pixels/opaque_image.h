// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

namespace headscope::viz
{

/// A picture without holes, as RGB32: small in a PDF. Qt's own conversion is not asked: it starts threads, waits for
/// ever where the system gives none, and crashes where it gets no memory in between.
/// @param image  premultiplied ARGB; its alpha counts as 255 everywhere; one that got no memory stays null
/// @threads any
/// @cost 0.3 ms a million pixels, and as much memory as the picture
[[nodiscard]] QImage opaqueImage(const QImage& image);

} // namespace headscope::viz
