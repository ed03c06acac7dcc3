// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_text.h"

#include "model/data/last_layer.h"
#include "model/data/maps/map_state.h"
#include "model/data/maps/map_text.h"
#include "viz/axis/text.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace headscope::viz
{

QString wordsOf(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

QString modelName(const ModelInfo& info)
{
    const QString name = info.name.empty() ? QStringLiteral("unnamed model") : QString::fromStdString(info.name);
    const QString changed = QString::fromStdString(info.changes.words(info.kvHeads));
    return changed.isEmpty() ? name : QStringLiteral("%1 (changed: %2)").arg(name, changed);
}

QString perplexityText(const TsneOptions& options)
{
    QStringList parts;
    for (const double perplexity : options.perplexities)
        parts << shortNumber(perplexity);
    return parts.join(QStringLiteral(", "));
}

QString iterationsText(const HeadMap& map)
{
    const QString done = QString::number(map.iteration);
    const QString text = wasStopped(map)
                             ? QStringLiteral("stopped at %1 of %2 iterations").arg(done).arg(map.options.iterations)
                             : QStringLiteral("%1 iterations").arg(done);
    return isExaggerated(map) ? text % QStringLiteral(", during early exaggeration") : text;
}

QString seedText(const HeadMap& map)
{
    return seedMatters(map) ? QString::number(map.options.seed) : QString();
}

QString counted(std::int64_t count, const QString& what)
{
    return groupedNumber(count) + QLatin1Char(' ') + what + (count == 1 ? QString() : QStringLiteral("s"));
}

QString segmentsNote(std::span<const Stage> stages)
{
    return unitName(stages) == "head"
               ? QString()
               : QStringLiteral(" Segments are parts of the layer\u2019s combined output, not outputs of heads.");
}

QString segmentColorsNote(std::span<const Stage> stages)
{
    return unitName(stages) == "head"
               ? QString()
               : QStringLiteral(
                     " Segments have the colours of the heads with the same numbers and belong to no KV group.");
}

QString finalNormSentence(const ModelInfo& info, LayerIndex layer, Stage stage)
{
    const std::string_view note = finalNormNote(info, layer, stage);
    return note.empty() ? QString() : QStringLiteral(" Stage 3 of the last layer is taken %1.").arg(wordsOf(note));
}

Figure describedFigure(Figure figure, QString caption, FigureParameters parameters)
{
    return [figure = std::move(figure), caption = std::move(caption),
            parameters = std::move(parameters)](FigureOptions options) {
        if (!caption.isEmpty())
            options.caption = caption;
        options.parameters = parameters;
        return figure(std::move(options));
    };
}

void fillIn(FigureOptions& options, const QString& caption, const FigureParameters& parameters)
{
    if (options.caption.isEmpty())
        options.caption = caption;
    for (const auto& parameter : parameters)
        if (!parameter.second.isEmpty() &&
            std::none_of(options.parameters.begin(), options.parameters.end(),
                         [&](const auto& given) { return given.first == parameter.first; }))
            options.parameters.push_back(parameter);
}

} // namespace headscope::viz
