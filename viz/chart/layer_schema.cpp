// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/layer_schema.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"

namespace headscope::viz
{
namespace
{

QString plainCount(std::int64_t value)
{
    return groupedNumber(value);
}

/// "9 × 64", or "9" where the size is not known.
QString countTimes(std::int64_t count, std::int64_t size)
{
    return size > 0 ? QStringLiteral("%1 \u00D7 %2").arg(plainCount(count), plainCount(size)) : plainCount(count);
}

QString headsDetail(const ModelInfo& info)
{
    if (info.headDim <= 0)
        return QStringLiteral("%1 heads").arg(plainCount(info.heads));
    return QStringLiteral("%1 = %2 numbers")
        .arg(countTimes(info.heads, info.headDim), plainCount(info.heads * info.headDim));
}

/// Whether the model's numbers can be cut into a segment a head.
bool cutsEvenly(const ModelInfo& info)
{
    return info.modelDim <= 0 || info.modelDim % info.heads == 0;
}

QString segmentsDetail(const ModelInfo& info)
{
    if (info.modelDim <= 0)
        return QStringLiteral("split into %1 segments").arg(plainCount(info.heads));
    if (!cutsEvenly(info))
        return QStringLiteral("%1 dimensions, not split").arg(plainCount(info.modelDim));
    return QStringLiteral("%1 = %2 numbers")
        .arg(plainCount(info.modelDim), countTimes(info.heads, info.modelDim / info.heads));
}

QString modelNumbers(const ModelInfo& info)
{
    return info.modelDim > 0 ? QStringLiteral("%1 numbers").arg(plainCount(info.modelDim)) : QString();
}

QString projectionDetail(const ModelInfo& info)
{
    if (info.headDim <= 0 || info.modelDim <= 0)
        return QStringLiteral("combines all heads");
    return QStringLiteral("%1 to %2 dimensions, combines all heads")
        .arg(plainCount(info.heads * info.headDim), plainCount(info.modelDim));
}

bool isLast(const LayerSchema& schema)
{
    return schema.info.layers > 0 && schema.layer == schema.info.layers - 1;
}

void addTaps(LayerSchema& schema)
{
    const ModelInfo& info = schema.info;
    const QString cut = cutsEvenly(info)
                            ? QStringLiteral("split into %1 segments, which are not heads").arg(plainCount(info.heads))
                            : QStringLiteral("not split: %1 dimensions are not a multiple of %2 heads")
                                  .arg(plainCount(info.modelDim), plainCount(info.heads));
    schema.taps = {QStringLiteral("Head outputs, the input of o_proj: one vector per head, before heads are combined."),
                   (schema.traits != nullptr && schema.traits->hasOutNorms()
                        ? QStringLiteral("Output of o_proj, before its norm and the sum: %1.")
                        : QStringLiteral("Output of o_proj, before the sum: %1."))
                       .arg(cut),
                   (isLast(schema) && schema.traits != nullptr && schema.traits->hasFinalNorm()
                        ? QStringLiteral("Output of the last layer, after the final norm: %1.")
                        : QStringLiteral("Output of the layer: %1."))
                       .arg(cut)};
}

} // namespace

LayerSchema layerSchema(const ModelInfo& info, std::int64_t layer)
{
    using Cells = LayerSchema::Cells;
    LayerSchema schema;
    schema.info = info;
    schema.layer = layer;
    schema.traits = familyNamed(info.family);
    const FamilyTraits* const traits = schema.traits;
    const bool pre = traits != nullptr && traits->hasNormsBefore();
    const bool post = traits != nullptr && traits->normPlacement == NormPlacement::Post;
    const bool out = traits != nullptr && traits->hasOutNorms();
    const bool last = isLast(schema);
    auto& rows = schema.rows;
    const auto add = [&rows](const char* title, const QString& detail = {}, Cells cells = Cells::None, int stage = 0,
                             bool sum = false) {
        rows.push_back({QString::fromUtf8(title), detail, cells, stage, sum});
    };
    const QString input = QStringLiteral("Input of layer %1").arg(layer);
    add(input.toUtf8().constData(), modelNumbers(info));
    if (pre && (layer > 0 || !traits->firstNormLacking))
        add("Norm");
    add("Queries", countTimes(info.heads, info.headDim), Cells::Queries);
    if (info.kvHeads > 0)
        add("Keys and values", countTimes(info.kvHeads, info.headDim), Cells::Keys);
    else
        add("Keys and values");
    add("Attention", traits == nullptr                        ? QString()
                     : traits->direction == Direction::Causal ? QStringLiteral("over this token and the earlier ones")
                                                              : QStringLiteral("over all tokens"));
    add("Head outputs", headsDetail(info), Cells::Heads, 1);
    add("Output projection (o_proj)", projectionDetail(info));
    const Cells cut = cutsEvenly(info) ? Cells::Segments : Cells::None;
    add("Attention output", segmentsDetail(info), cut, 2);
    if (out)
        add("Norm");
    add("plus the input", {}, Cells::None, 0, true);
    if (pre || post)
        add("Norm", traits->parallelResidual ? QStringLiteral("of the layer's input, in parallel") : QString());
    add("MLP");
    if (out)
        add("Norm");
    add(pre ? "plus the input of the norm" : "plus the input of the MLP", {}, Cells::None, 0, true);
    if (post)
        add("Norm");
    if (last && traits != nullptr && traits->hasFinalNorm())
        add("Final norm");
    add(last ? "Output of the last layer" : "Output of the layer", segmentsDetail(info), cut, 3);
    addTaps(schema);
    return schema;
}

QString schemaCaption(const LayerSchema& schema)
{
    const ModelInfo& info = schema.info;
    QString caption = QStringLiteral("Layer %1 of %2 (%3 layers, %4")
                          .arg(QString::number(schema.layer),
                               info.name.empty() ? QStringLiteral("unnamed model") : QString::fromStdString(info.name))
                          .arg(info.layers)
                          .arg(QString::fromStdString(headsAndGroups(info)));
    if (info.headDim > 0)
        caption += QStringLiteral(", head dimension %1").arg(info.headDim);
    if (info.modelDim > 0)
        caption += QStringLiteral(", hidden size %1").arg(info.modelDim);
    caption += QStringLiteral(") and where its vectors are measured.");
    for (std::size_t i = 0; i < schema.taps.size(); ++i)
        caption += QStringLiteral(" Stage %1: %2").arg(i + 1).arg(schema.taps[i]);
    return caption + (schema.traits == nullptr
                          ? QStringLiteral(
                                " Norms, positions and biases are not drawn, because the cache does not describe them.")
                          : QStringLiteral(" Positions and biases are not drawn."));
}

} // namespace headscope::viz
