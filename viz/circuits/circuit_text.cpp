// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/circuit_text.h"

#include "model/base/text/one_line.h"
#include "viz/axis/text.h"

#include <cmath>

namespace headscope::viz
{

QString signedNumber(double value, int decimals)
{
    const QString number = fixedNumber(value, decimals);
    const bool isZero = std::abs(value) < 0.5 * std::pow(10.0, -decimals);
    return std::isfinite(value) && value > 0 && !isZero ? QStringLiteral("+") + number : number;
}

QString headText(std::int64_t layer, std::int64_t head)
{
    return QStringLiteral("Layer %1, head %2").arg(layer).arg(head + 1);
}

QString partText(const VectorPart& part)
{
    switch (part.kind)
    {
    case PartKind::Token:
        return QStringLiteral("token");
    case PartKind::Head:
        break;
    case PartKind::OutputBias:
        return QStringLiteral("output bias");
    case PartKind::Mlp:
        return QStringLiteral("MLP");
    case PartKind::NormBiasAttention:
        return QStringLiteral("norm bias (attention)");
    case PartKind::NormBiasMlp:
        return QStringLiteral("norm bias (MLP)");
    }
    return QStringLiteral("head %1").arg(part.head + 1);
}

QString documentText(const std::string& id, const std::string& text)
{
    constexpr std::size_t kCharacters = 48;
    const QString name = QString::fromStdString(id);
    return text.empty() ? name
                        : QStringLiteral("\u201c%1\u201d (%2)")
                              .arg(QString::fromStdString(beginningOnOneLine(text, kCharacters)), name);
}

QString spelledToken(const std::string& token)
{
    const QString text = QString::fromStdString(headscope::spelledToken(token));
    QString shown;
    for (const QChar letter : text)
        if (letter.isPrint() || letter.isSurrogate())
            shown += letter;
        else // a control character, or one without a glyph of its own
            shown += QStringLiteral("<U+%1>").arg(static_cast<int>(letter.unicode()), 4, 16, QLatin1Char('0'));
    return shown;
}

} // namespace headscope::viz
