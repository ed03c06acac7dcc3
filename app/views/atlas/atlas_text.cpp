// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_text.h"

#include "ui/words/decimal_text.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/atlas/head_colors.h"

#include <QLocale>
#include <QStringList>

#include <cmath>
#include <optional>

namespace headscope::ui
{
namespace
{

/// "p 0.004, q 0.03" of a head.
QString testText(const HeadMeasure& measure, const HeadPlace& head)
{
    if (measure.p.empty() || !std::isfinite(measure.p(head.layer, head.head)))
        return {};
    QString text = tr("p %1").arg(probabilityText(measure.p(head.layer, head.head)));
    if (!measure.q.empty() && std::isfinite(measure.q(head.layer, head.head)))
        text += tr(", q %1").arg(probabilityText(measure.q(head.layer, head.head)));
    return text;
}

} // namespace

QString headPlaceText(Stage stage, const HeadPlace& head)
{
    return tr("Layer %1, %2 %3").arg(head.layer).arg(unitText(stage)).arg(head.head + 1);
}

QString measureText(const HeadMeasure& measure, double value)
{
    if (!std::isfinite(value))
        return missingText();
    if (measure.kind == MeasureKind::Place || measure.groups)
        return QString::number(static_cast<std::int64_t>(value));
    return numberText(value);
}

QString intervalText(const HeadMeasure& measure, const HeadPlace& head)
{
    const Interval interval = measure.intervalAt(head.layer, head.head);
    if (!std::isfinite(interval.low) || !std::isfinite(interval.high))
        return {};
    return tr("%1 to %2").arg(numberText(interval.low), numberText(interval.high));
}

QString countedText(const HeadMeasure& measure)
{
    if (measure.count <= 0)
        return {};
    const QString counted = toQString(measure.counted);
    const QString one = counted.endsWith(u's') ? counted.chopped(1) : counted;
    if (measure.allCount > measure.count)
        return tr("%1 of %2").arg(countText(measure.count), countText(measure.allCount, one, counted));
    return countText(measure.count, one, counted);
}

QString definitionText(const HeadMeasure& measure)
{
    QStringList company;
    if (const QString counted = countedText(measure); !counted.isEmpty())
        company << tr("n = %1").arg(counted);
    if (!measure.intervalMethod.empty())
        company << tr("95% CI: %1").arg(toQString(measure.intervalMethod));
    if (std::isfinite(measure.chance))
        company << tr("chance %1").arg(QLocale().toString(measure.chance, 'g', 3));
    if (!measure.nullMethod.empty())
        company << tr("p: %1; q: p adjusted for all heads tested").arg(toQString(measure.nullMethod));
    if (!measure.source.empty() && measure.kind != MeasureKind::Place)
        company << toQString(measure.source);
    const QString sentence = viz::measureTitle(measure) % QStringLiteral(": ") % toQString(measure.definition);
    if (company.isEmpty())
        return sentence;
    return sentence % u' ' % company.join(QStringLiteral("; ")) % u'.';
}

std::vector<CardLine> cardLines(const HeadMeasures& measures, const HeadPlace& head)
{
    std::vector<CardLine> lines;
    std::optional<MeasureKind> kind;
    QString counted;
    for (const HeadMeasure& measure : measures.measures)
    {
        if (measure.kind == MeasureKind::Place || !measure.has(head.layer, head.head))
            continue;
        if (kind != measure.kind || counted != countedText(measure))
        {
            kind = measure.kind;
            counted = countedText(measure);
            lines.push_back({toQString(measureKindTitle(measure.kind)), counted, {}, true});
        }
        CardLine line{viz::measureTitle(measure), measureText(measure, measure.at(head.layer, head.head)),
                      intervalText(measure, head), false};
        if (const QString test = testText(measure, head); !test.isEmpty())
            line.interval += (line.interval.isEmpty() ? QString() : QStringLiteral(" · ")) % test;
        lines.push_back(std::move(line));
    }
    return lines;
}

QString cardText(const HeadMeasures& measures, const HeadPlace& head)
{
    QStringList parts{headPlaceText(measures.stage, head)};
    for (const CardLine& line : cardLines(measures, head))
    {
        if (line.heading)
            continue;
        QString part = line.name % u' ' % line.value;
        if (!line.interval.isEmpty())
            part += QStringLiteral(" (") % line.interval % u')';
        parts << part;
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace headscope::ui
