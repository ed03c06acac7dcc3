// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/viz/golden_image.h"

#include "tests/support/test_paths.h"

#include <algorithm>
#include <cstdlib>

namespace headscope::test
{

QString differsFromGolden(const QImage& picture, const QString& name, int tolerance, double allowed)
{
    const QString path =
        QString::fromStdString(headscope::test::source("tests/viz/golden/" + name.toStdString() + ".png").string());
    const QImage actual = picture.convertToFormat(QImage::Format_ARGB32);
    if (qEnvironmentVariableIntValue("HEADSCOPE_UPDATE_GOLDEN") == 1)
        return actual.save(path) ? QString() : QStringLiteral("cannot write %1").arg(path);
    const QImage golden = QImage(path).convertToFormat(QImage::Format_ARGB32);
    const auto fail = [&](const QString& why) {
        const QString left = name + QStringLiteral(".actual.png");
        actual.save(left);
        return QStringLiteral("%1: %2; the picture is in %3").arg(path, why, left);
    };
    if (golden.size() != actual.size())
        return fail(QStringLiteral("expected %1 x %2 pixels, found %3 x %4")
                        .arg(golden.width())
                        .arg(golden.height())
                        .arg(actual.width())
                        .arg(actual.height()));
    qint64 different = 0;
    for (int y = 0; y < golden.height(); ++y)
        for (int x = 0; x < golden.width(); ++x)
        {
            const QRgb a = golden.pixel(x, y);
            const QRgb b = actual.pixel(x, y);
            const int most = std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                       std::abs(qBlue(a) - qBlue(b)), std::abs(qAlpha(a) - qAlpha(b))});
            different += most > tolerance ? 1 : 0;
        }
    const double share = static_cast<double>(different) / std::max(1, golden.width() * golden.height());
    return share <= allowed ? QString() : fail(QStringLiteral("%1 pixels differ").arg(different));
}

} // namespace headscope::test
