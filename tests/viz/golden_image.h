// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace headscope::test
{

/// Compares a picture with tests/viz/golden/NAME.png: every channel within `tolerance`, but for a
/// share of `allowed` of the pixels. On a difference it leaves NAME.actual.png in the working
/// folder. With HEADSCOPE_UPDATE_GOLDEN=1 it writes the picture as the new truth.
/// @return "" when they agree, else a sentence
[[nodiscard]] QString differsFromGolden(const QImage& picture, const QString& name, int tolerance = 2,
                                        double allowed = 0.001);

} // namespace headscope::test
