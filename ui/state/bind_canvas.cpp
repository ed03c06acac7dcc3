// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/bind_canvas.h"

#include "ui/canvas/legend/color_bar.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/state/bind_controls.h"
#include "ui/state/json_values.h"

#include <QLineEdit>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMaxPixels = 100'000;
constexpr double kMaxScale = 1e9; ///< of ViewTransform
constexpr double kFar = 1e12;     ///< data lies nearer to the origin

QJsonObject scaleJson(const viz::ScaleChoice& scale)
{
    const bool diverging = scale.kind == viz::ScaleChoice::Kind::Diverging;
    return {{QStringLiteral("kind"), diverging ? QStringLiteral("diverging") : QStringLiteral("sequential")},
            {QStringLiteral("low"), scale.limits.low},
            {QStringLiteral("high"), scale.limits.high},
            {QStringLiteral("centre"), scale.centre}};
}

std::optional<viz::ScaleChoice> scaleOf(const QJsonObject& object)
{
    const QString kind = state::text(object, QStringLiteral("kind"));
    const auto low = state::number(object, QStringLiteral("low"), -kFar, kFar);
    const auto high = state::number(object, QStringLiteral("high"), -kFar, kFar);
    const auto centre = state::number(object, QStringLiteral("centre"), -kFar, kFar);
    const bool diverging = kind == QLatin1StringView("diverging");
    if (!low || !high || !centre || *low >= *high || (!diverging && kind != QLatin1StringView("sequential")) ||
        (diverging && (*centre <= *low || *centre >= *high)))
        return std::nullopt;
    return viz::ScaleChoice{
        diverging ? viz::ScaleChoice::Kind::Diverging : viz::ScaleChoice::Kind::Sequential, {*low, *high}, *centre};
}

constexpr std::int64_t kMaxLabels = 1'000'000;

QJsonObject legendJson(const LabelsShown& labels)
{
    QJsonObject legend{{QStringLiteral("title"), labels.title},
                       {QStringLiteral("hidden"), state::rangesText({labels.hidden.begin(), labels.hidden.end()})}};
    if (labels.alone)
        legend[QStringLiteral("alone")] = static_cast<qint64>(*labels.alone);
    return legend;
}

LabelsShown labelsIn(const QJsonObject& legend)
{
    LabelsShown labels;
    labels.title = state::text(legend, QStringLiteral("title"));
    if (const auto hidden = state::rangesOf(state::text(legend, QStringLiteral("hidden")), kMaxLabels))
        labels.hidden = {hidden->begin(), hidden->end()};
    if (const auto alone = state::whole(legend, QStringLiteral("alone"), 0, kMaxLabels))
        labels.alone = *alone;
    return labels;
}

void bindLegend(ViewState& state, const QString& key, ScatterWidget& canvas)
{
    const auto read = [&canvas] {
        const LabelsShown labels = canvas.labelsShown();
        return labels.all() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(legendJson(labels));
    };
    const auto set = [&canvas](LabelsShown labels) {
        if (labels != canvas.labelsShown())
            canvas.setLabelsShown(labels);
    };
    bindPlace(
        state, StatePart::Legends, key, read, [] { return true; }, // it waits for its colours
        [set](const QJsonValue& value) { set(labelsIn(value.toObject())); },
        [set, &canvas] {
            set({canvas.labelsShown().title, {}, {}});
        });
    const auto last = std::make_shared<QJsonValue>(read()); // other colours are told many times
    QObject::connect(&canvas, &ScatterWidget::colorsChanged, &state, [&state, key, read, last] {
        if (const QJsonValue now = read(); *last != now)
        {
            *last = now;
            state.tellChanged(StatePart::Legends, key);
        }
    });
    QObject::connect(&canvas, &ScatterWidget::labelsChanged, &state, [&state, key, read, last] {
        *last = read();
        state.tellEdited(StatePart::Legends, key);
    });
}

} // namespace

QJsonObject zoomJson(const viz::ViewTransform& view)
{
    return {{QStringLiteral("x"), view.centre().x()},
            {QStringLiteral("y"), view.centre().y()},
            {QStringLiteral("scale"), view.scale()},
            {QStringLiteral("width"), view.viewSize().width()},
            {QStringLiteral("height"), view.viewSize().height()}};
}

std::optional<viz::ViewTransform> zoomOf(const QJsonObject& zoom, QSizeF canvas)
{
    const auto x = state::number(zoom, QStringLiteral("x"), -kFar, kFar);
    const auto y = state::number(zoom, QStringLiteral("y"), -kFar, kFar);
    const auto scale = state::number(zoom, QStringLiteral("scale"), 1 / kMaxScale, kMaxScale);
    const auto width = state::number(zoom, QStringLiteral("width"), 1, kMaxPixels);
    const auto height = state::number(zoom, QStringLiteral("height"), 1, kMaxPixels);
    if (!x || !y || !scale || !width || !height)
        return std::nullopt;
    const viz::ViewTransform saved({*x, *y}, *scale, {*width, *height});
    return saved.viewSize() == canvas ? saved : saved.resized(canvas);
}

void bindPlace(ViewState& state, StatePart part, const QString& key, std::function<QJsonValue()> read,
               std::function<bool()> shows, std::function<void(const QJsonValue&)> write, std::function<void()> unset)
{
    StateValue value;
    value.part = part;
    value.key = key;
    value.read = std::move(read);
    value.write = [shows = std::move(shows), write = std::move(write),
                   unset = std::move(unset)](const QJsonValue& wanted) {
        if (wanted.isUndefined())
            unset();
        else if (!shows())
            return false;
        else
            write(wanted);
        return true;
    };
    state.add(std::move(value));
}

void bind(ViewState& state, const QString& key, ScatterWidget& canvas)
{
    canvas.tools()->bindTo(state);
    bindSearch(state, *canvas.legend());
    bindPlace(
        state, StatePart::Zooms, key,
        [&canvas] {
            return canvas.map() == nullptr || canvas.follows() ? QJsonValue(QJsonValue::Undefined)
                                                               : QJsonValue(zoomJson(canvas.view()));
        },
        [&canvas] { return canvas.map() != nullptr; },
        [&canvas](const QJsonValue& value) {
            if (const auto zoom = zoomOf(value.toObject(), QSizeF(canvas.size())))
                canvas.setView(*zoom);
        },
        [&canvas] {
            if (!canvas.follows())
                canvas.fit();
        });
    bindLegend(state, key, canvas);
}

void bind(ViewState& state, const QString& key, std::function<ColorBar&()> bar)
{
    const auto unset = [bar] {
        if (bar().isKept())
            bar().resetLimits();
    };
    bindPlace(
        state, StatePart::Scales, key,
        [bar] { return bar().isKept() ? QJsonValue(scaleJson(bar().choice())) : QJsonValue(QJsonValue::Undefined); },
        [] { return true; },
        [bar, unset](const QJsonValue& value) {
            const auto scale = scaleOf(value.toObject());
            if (!scale)
                unset();
            else if (!bar().isKept() || bar().choice() != *scale)
                bar().choose(*scale);
        },
        unset);
}

void bindSearch(ViewState& state, LegendWidget& legend)
{
    bind(state, QStringLiteral("legendSearch"), *legend.searchField());
}

} // namespace headscope::ui
