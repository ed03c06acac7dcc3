// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_list_model.h"

#include "model/base/fields/fields.h"
#include "model/data/maps/map_state.h"
#include "model/data/maps/map_text.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/export/noise_floor_text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

const QString kDot = QStringLiteral(" · ");

QString sourceText(const HeadMap& map, bool brief = false)
{
    return (brief ? RunListModel::tr("L%1, stage %2") : RunListModel::tr("Layer %1, stage %2"))
               .arg(map.layer.value())
               .arg(toQString(stageName(map.stage))) %
           kDot % RunListModel::tr("perplexity %1").arg(perplexityText(map.options));
}

QString markText(const KeptMap& kept)
{
    const QString stored = kept.stored ? RunListModel::tr("in cache") : QString();
    if (!wasStopped(*kept.map))
        return stored;
    const QString at = countText(kept.map->iteration);
    return kept.stored ? RunListModel::tr("%1 it").arg(at) % kDot % stored : RunListModel::tr("stopped at %1").arg(at);
}

QString numbersText(const KeptMap& kept)
{
    const HeadMap& map = *kept.map;
    QStringList numbers;
    if (!map.trust) // measured ones have no room for it
        numbers << countText(map.iteration, RunListModel::tr("iteration"), RunListModel::tr("it"));
    if (std::isfinite(map.kl))
        numbers << RunListModel::tr("KL %1").arg(QLocale().toString(map.kl, 'f', 2));
    if (map.trust)
        numbers << RunListModel::tr("kept %1%").arg(QLocale().toString(100 * map.trust->knn10, 'f', 0))
                << RunListModel::tr("trust %1").arg(QLocale().toString(map.trust->trustworthiness, 'f', 2));
    else if (kept.measuring)
        numbers << RunListModel::tr("measuring…");
    return numbers.join(kDot);
}

QString tipText(const KeptMap& kept)
{
    const HeadMap& map = *kept.map;
    QStringList lines;
    lines << toQString(map.name);
    lines << RunListModel::tr("Layer %1, stage %2: %3, %4")
                 .arg(map.layer.value())
                 .arg(toQString(stageName(map.stage)), stageTitle(map.stage),
                      countText(map.xy.rows(), RunListModel::tr("point"), RunListModel::tr("points")));
    lines << parametersText(map);
    if (std::isfinite(map.kl))
        lines << RunListModel::tr("KL divergence %1, estimated by the run from %2")
                     .arg(QLocale().toString(map.kl, 'f', 4), toQString(affinitiesText(map.options, map.xy.rows())));
    if (map.trust)
    {
        const MapTrust& trust = *map.trust;
        if (std::isfinite(trust.klExact))
            lines << RunListModel::tr("KL divergence %1, computed with the %2 nearest neighbours of each point, so "
                                      "that maps can be compared")
                         .arg(QLocale().toString(trust.klExact, 'f', 4),
                              countText(affinityNeighbors(map.options.perplexities, map.xy.rows())));
        lines << RunListModel::tr("%1% of the 10 nearest vectors of a point are among its 10 nearest points on the map")
                     .arg(QLocale().toString(100 * trust.knn10, 'f', 1));
        lines << RunListModel::tr("Trustworthiness %1 (1: no false neighbours among the 10 nearest points on the map)")
                     .arg(QLocale().toString(trust.trustworthiness, 'f', 3));
        lines << RunListModel::tr("Continuity %1 (1: all of the 10 nearest vectors are also nearest on the map)")
                     .arg(QLocale().toString(trust.continuity, 'f', 3));
        if (trust.sampled > 0 && trust.sampled < map.xy.rows())
            lines << RunListModel::tr("Measured on %1 points").arg(countText(trust.sampled));
    }
    if (map.floor)
        lines << viz::floorSentence(map, *map.floor);
    if (const std::string version = otherVersionText(map); kept.stored && !version.empty())
        lines << RunListModel::tr("Made by %1").arg(toQString(version));
    lines << (kept.stored ? RunListModel::tr("Stored in the cache") : RunListModel::tr("Not stored"));
    return lines.join(u'\n');
}

} // namespace

QString perplexityText(const TsneOptions& options)
{
    QStringList values;
    for (const double value : options.perplexities)
        values << QLocale().toString(value, 'g', 6);
    return values.join(QStringLiteral(" + "));
}

QString iterationsText(const HeadMap& map)
{
    if (wasStopped(map))
        return RunListModel::tr("stopped at %1 of %2")
            .arg(countText(map.iteration),
                 countText(map.options.iterations, RunListModel::tr("iteration"), RunListModel::tr("iterations")));
    return countText(map.iteration, RunListModel::tr("iteration"), RunListModel::tr("iterations"));
}

QString parametersText(const HeadMap& map)
{
    TsneOptions options = map.options;
    TsneOptions usual;
    // Those that have sentences of their own here.
    usual.perplexities = options.perplexities;
    usual.affinities = options.affinities;
    usual.iterations = options.iterations;
    usual.start = options.start;
    usual.seed = options.seed;
    const auto number = [](double value) { return QLocale().toString(value, 'g', 6); };
    QStringList parts;
    parts << RunListModel::tr("perplexity %1").arg(perplexityText(options));
    parts << toQString(affinitiesText(options, map.xy.rows()));
    parts << iterationsText(map);
    Fields made;
    Fields usually;
    fields(made, options);
    fields(usually, usual);
    for (const FieldDifference& each : differences(made, usually, kFormUse))
        parts << toQString(each.field->labelInside()) %
                     (each.field->isFlag() ? QString() : u' ' + toQString(each.first));
    parts << toQString(startText(map));
    for (const MapTurn& turn : map.turns)
    {
        if (turn.kind == MapTurn::Kind::Noise)
            parts << RunListModel::tr("noise %1% at %2").arg(number(100 * turn.value)).arg(turn.iteration);
        else if (turn.kind == MapTurn::Kind::Exaggeration && turn.iteration > 0)
            parts << RunListModel::tr("exaggeration %1 from %2").arg(number(turn.value)).arg(turn.iteration);
    }
    return parts.join(kDot);
}

RunListModel::RunListModel(MapLibrary& library, QObject* parent) : QAbstractListModel(parent), m_library(&library)
{
    for (const KeptMap& kept : library.entries())
        m_ids.insert(m_ids.begin(), kept.id);
    connect(&library, &MapLibrary::added, this, [this](quint64 id) {
        beginInsertRows({}, 0, 0);
        m_ids.insert(m_ids.begin(), id);
        endInsertRows();
    });
    connect(&library, &MapLibrary::removed, this, [this](quint64 id) {
        const int row = rowOf(id);
        if (row < 0)
            return;
        beginRemoveRows({}, row, row);
        m_ids.erase(m_ids.begin() + row);
        endRemoveRows();
    });
    connect(&library, &MapLibrary::changed, this, [this](quint64 id) {
        if (const int row = rowOf(id); row >= 0)
            Q_EMIT dataChanged(index(row), index(row));
    });
}

void RunListModel::setShown(std::optional<std::uint64_t> id)
{
    const auto before = std::exchange(m_shown, id);
    if (before == id)
        return;
    for (const auto& changed : {before, id})
    {
        if (const int row = changed ? rowOf(*changed) : -1; row >= 0)
            Q_EMIT dataChanged(index(row), index(row), {ShownRole});
    }
}

std::uint64_t RunListModel::idAt(int row) const
{
    return row >= 0 && row < static_cast<int>(m_ids.size()) ? m_ids[static_cast<std::size_t>(row)] : 0;
}

int RunListModel::rowOf(std::uint64_t id) const
{
    const auto at = std::ranges::find(m_ids, id);
    return at == m_ids.end() ? -1 : static_cast<int>(at - m_ids.begin());
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const KeptMap* kept = m_library != nullptr ? m_library->find(idAt(index.row())) : nullptr;
    if (kept == nullptr) // about to go
        return {};
    switch (role)
    {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return toQString(kept->map->name);
    case Qt::DecorationRole:
        return kept->thumbnail;
    case Qt::ToolTipRole:
        return tipText(*kept);
    case Qt::AccessibleTextRole:
    {
        QStringList parts = {toQString(kept->map->name), sourceText(*kept->map), numbersText(*kept), markText(*kept)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    case IdRole:
        return QVariant::fromValue<quint64>(kept->id);
    case SourceRole:
        return sourceText(*kept->map);
    case ShortSourceRole:
        return sourceText(*kept->map, true);
    case MarkRole:
        return markText(*kept);
    case NumbersRole:
        return numbersText(*kept);
    case StoredRole:
        return kept->stored;
    case ShownRole:
        return m_shown == kept->id;
    default:
        return {};
    }
}

bool RunListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || m_library == nullptr || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const QString name = value.toString().simplified();
    if (name.isEmpty())
        return false;
    m_library->rename(idAt(index.row()), name);
    return true;
}

Qt::ItemFlags RunListModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return QAbstractListModel::flags(index);
    return QAbstractListModel::flags(index) | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

} // namespace headscope::ui
