// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map/map_coloring.h"

#include "app/desktop/map/set_coloring.h"
#include "model/data/documents/document_numbers.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace headscope::desktop
{
namespace
{

using Kind = ui::ColorChoice::Kind;

QString tr(const char* text)
{
    return QCoreApplication::translate("headscope::desktop::MapColoring", text);
}

/// Robust limits that a person would write, or 0..1 where no number is finite.
viz::ScaleLimits limitsOf(std::span<const float> values)
{
    return viz::roundedOutwards(viz::robustLimits(values).value_or(viz::ScaleLimits{}));
}

viz::PointColoring byStrength(const ui::Strengths& known, const PointIds& points, const viz::HeadPalette& palette,
                              const QString& unit)
{
    std::vector<float> strengths;
    strengths.reserve(static_cast<std::size_t>(points.count()));
    for (std::size_t i = 0; i < points.document.size(); ++i)
    {
        const std::int64_t document = points.document[i];
        const std::int64_t head = points.head[i];
        const bool there = document < known.values.rows() && head < known.values.cols();
        strengths.push_back(there ? known.values(document, head) : std::numeric_limits<float>::quiet_NaN());
    }
    return viz::colorByStrength(points, strengths, palette, unit);
}

viz::PointColoring byNumber(const PointIds& points, const DocumentNumbers& column, viz::Theme theme)
{
    std::vector<float> values;
    values.reserve(points.document.size());
    for (const std::int32_t document : points.document)
        values.push_back(static_cast<std::size_t>(document) < column.values.size()
                             ? column.values[static_cast<std::size_t>(document)]
                             : std::numeric_limits<float>::quiet_NaN());
    const QString name = ui::toQString(column.name);
    return viz::colorByNumber(values, viz::ColorScale(viz::sequentialMap(theme), limitsOf(column.values)),
                              name.left(1).toUpper() + name.mid(1), theme);
}

/// Few kept neighbours and much divergence stand out: what not to believe.
viz::PointColoring byTrust(const PointTrust& trust, bool kept, viz::Theme theme)
{
    const std::vector<double>& numbers = kept ? trust.kept : trust.divergence;
    std::vector<float> values(numbers.begin(), numbers.end());
    viz::PointColoring coloring;
    if (!kept) // each point's share of the divergence, so that maps of any size read alike
        if (const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0); sum > 0)
            for (float& value : values)
                value = static_cast<float>(value * static_cast<double>(values.size()) / sum);
    if (kept)
        coloring = viz::colorByNumber(values, viz::ColorScale(viz::reversed(viz::sequentialMap(theme)), {0, 1}),
                                      tr("Neighbours kept"), theme);
    else
        coloring = viz::colorByNumber(values, viz::ColorScale(viz::sequentialMap(theme), limitsOf(values)),
                                      tr("Divergence"), theme);
    coloring.legend.hint = kept ? tr("share of 10") : tr("1: the mean");
    return coloring;
}

QString waitingHint(Kind kind)
{
    switch (kind)
    {
    case Kind::Kept:
    case Kind::Divergence:
        return tr("trust is not measured yet");
    case Kind::NearestHead:
        return tr("centroids are not compared yet");
    case Kind::Density:
        return tr("density is not counted yet");
    case Kind::Strength:
        return tr("strengths are being read");
    default:
        return {};
    }
}

} // namespace

std::function<viz::PointColoring()> mapColoring(const Study& study, const std::shared_ptr<const HeadMap>& map,
                                                viz::Theme theme, const MapFindings& findings,
                                                const std::vector<std::int32_t>& order)
{
    const std::shared_ptr<const PointIds> points = map->points;
    const QString unit = ui::toQString(unitName(map->stage));
    const auto documents = study.cache()->overview->documents;
    const viz::HeadPalette palette(study.cache()->overview->model, theme);
    const ui::ColorChoice choice = study.choices().now().color;
    const bool elsewhere = map->layer != study.layer() || map->stage != study.stage();
    const auto byHead = [points, palette, unit, elsewhere, kind = choice.kind] {
        viz::PointColoring coloring = viz::colorByHead(*points, palette, unit);
        coloring.legend.hint =
            kind == Kind::Strength && elsewhere ? tr("no strengths: of another layer or stage") : waitingHint(kind);
        return coloring;
    };
    switch (choice.kind)
    {
    case Kind::Head:
        break;
    case Kind::Label:
        if (documents->label(choice.column) != nullptr)
            return [points, documents, column = choice.column, theme, order,
                    colors = ui::Theme::instance().labelPalette()] {
                return viz::colorByLabel(*points, *documents->label(column), theme, order, colors);
            };
        break;
    case Kind::Set:
        return [points, sets = setColors(study.window().selection().sets(), documents->count()), theme] {
            return colorBySets(*points, sets, theme);
        };
    case Kind::Number:
        return [points, documents, column = choice.column, theme, byHead] {
            const auto numbers = documentNumbers(*documents, column);
            return numbers ? byNumber(*points, *numbers, theme) : byHead();
        };
    case Kind::Strength:
        // Those of the chosen layer and stage alone are known.
        if (study.source().strengths != nullptr && !elsewhere)
            return [points, strengths = study.source().strengths, palette, unit] {
                return byStrength(*strengths, *points, palette, unit);
            };
        break;
    case Kind::Density:
        if (findings.density != nullptr)
            return [density = findings.density, theme] {
                return viz::colorByNumber(*density, viz::ColorScale(viz::sequentialMap(theme), {0, 1}), tr("Density"),
                                          theme);
            };
        break;
    case Kind::NearestHead:
        if (findings.centroids != nullptr)
            return [points, centroids = findings.centroids, palette, unit] {
                return viz::colorByNearestHead(*points, centroids->head, palette, unit);
            };
        break;
    case Kind::Kept:
    case Kind::Divergence:
        if (findings.trust != nullptr)
            return [trust = findings.trust, kept = choice.kind == Kind::Kept, theme] {
                return byTrust(*trust, kept, theme);
            };
        break;
    }
    return byHead;
}

QString whyByHead(const Study& study, LayerIndex layer, Stage stage)
{
    switch (study.choices().now().color.kind)
    {
    case Kind::Density:
    case Kind::NearestHead:
    case Kind::Kept:
    case Kind::Divergence:
        return tr("the chosen colours are of one map: see Map");
    case Kind::Strength:
        if (study.source().strengths == nullptr)
            return waitingHint(Kind::Strength);
        return layer == study.layer() && stage == study.stage()
                   ? QString()
                   : tr("strengths are of layer %1, stage %2")
                         .arg(QString::number(study.layer().value()), ui::toQString(stageName(study.stage())));
    default:
        return {};
    }
}

viz::PointColoring panelColoring(const Study& study, const std::shared_ptr<const PointIds>& points, LayerIndex layer,
                                 Stage stage, viz::Theme theme)
{
    if (const QString why = whyByHead(study, layer, stage); !why.isEmpty())
    {
        const viz::HeadPalette palette(study.cache()->overview->model, theme);
        viz::PointColoring coloring = viz::colorByHead(*points, palette, ui::toQString(unitName(stage)));
        coloring.legend.hint = why;
        return coloring;
    }
    auto map = std::make_shared<HeadMap>();
    map->points = points;
    map->layer = layer;
    map->stage = stage;
    return mapColoring(study, map, theme)();
}

QString coloredValue(const Study& study, const HeadMap& map, const MapFindings& findings, std::int64_t point)
{
    const auto i = static_cast<std::size_t>(point);
    const ui::ColorChoice choice = study.choices().now().color;
    const QLocale locale;
    switch (choice.kind)
    {
    case Kind::Number:
    {
        // One document's number alone: the column is cheap to read, but not for every hover.
        const DocumentSet& documents = *study.cache()->overview->documents;
        const auto document = static_cast<std::size_t>(map.points->document[i]);
        if (choice.column == "tokens" && documents.label("tokens") == nullptr && document < documents.tokens.size())
            return tr("%1 tokens").arg(locale.toString(documents.tokens[document]));
        if (const LabelColumn* column = documents.label(choice.column))
            return ui::toQString(column->category(document));
        return {};
    }
    case Kind::Density:
        if (findings.density != nullptr && std::isfinite((*findings.density)[i]))
            return tr("denser than %1 %")
                .arg(locale.toString(100.0 * static_cast<double>((*findings.density)[i]), 'f', 0));
        return {};
    case Kind::NearestHead:
        if (findings.centroids != nullptr && findings.centroids->head[i] >= 0)
            return tr("nearest: %1").arg(ui::unitText(map.stage, HeadIndex(findings.centroids->head[i])));
        return {};
    case Kind::Kept:
        if (findings.trust != nullptr && std::isfinite(findings.trust->kept[i]))
            return tr("%1 of 10 kept").arg(std::lround(10 * findings.trust->kept[i]));
        return {};
    case Kind::Divergence:
        if (findings.trust != nullptr && std::isfinite(findings.trust->divergence[i]))
            return tr("KL %1").arg(locale.toString(findings.trust->divergence[i], 'g', 3));
        return {};
    case Kind::Head:
    case Kind::Strength:
    case Kind::Label:
    case Kind::Set:
        break;
    }
    return {};
}

} // namespace headscope::desktop
