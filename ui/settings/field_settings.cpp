// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/field_settings.h"

#include "model/base/assert.h"
#include "model/data/figures/figure_paper.h"
#include "model/data/maps/tsne_options.h"
#include "ui/settings/run_steps.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace headscope::ui
{
namespace
{

/// Rows of settings, and the texts that they refer to.
class SettingTable
{
public:
    SettingTable()
    {
        TsneOptions map;
        Fields ofMaps;
        fields(ofMaps, map);
        add("map/", ofMaps, true);
        RunSteps steps;
        Fields ofSteps;
        fields(ofSteps, steps);
        add("map/", ofSteps, true);
        FigurePaper paper;
        Fields ofFigures;
        fields(ofFigures, paper);
        add(std::string(kFigureGroup), ofFigures, false);
        m_rows.insert(m_rows.end(), kSettings.begin(), kSettings.end());
    }
    [[nodiscard]] std::span<const SettingRow> rows() const { return m_rows; }

private:
    /// @param isInDialog  whether the settings dialog shows them
    void add(const std::string& group, const Fields& fields, bool isInDialog)
    {
        for (const Field& field : fields.used(kFormUse))
        {
            SettingRow& row = m_rows.emplace_back();
            row.key = static_cast<SettingKey>(kSettings.size() + m_rows.size());
            row.name = keep(group + toStdString(keptName(field)));
            row.label = field.title;
            if (isInDialog)
                row.help = field.explanation;
            row.special = field.leastWord;
            fillIn(row, field);
        }
    }
    void fillIn(SettingRow& row, const Field& field)
    {
        if (field.isFlag())
        {
            row.type = SettingType::Flag;
            row.most = 1;
            row.defaultNumber = *std::get<bool*>(field.target) ? 1 : 0;
            return;
        }
        if (const auto* choice = std::get_if<FieldChoice>(&field.target))
        {
            row.type = SettingType::Text;
            row.defaultText = choice->word().inSettings();
            std::string choices;
            std::string names;
            for (const FieldWord& word : choice->words)
            {
                choices.append(choices.empty() ? "" : "|").append(word.inSettings());
                names.append(names.empty() ? "" : "|").append(word.label);
            }
            row.choices = keep(std::move(choices));
            row.choiceNames = keep(std::move(names));
            return;
        }
        if (const std::string* text = field.text(); text != nullptr)
        {
            row.type = SettingType::Text;
            row.defaultText = keep(*text);
            return;
        }
        const NumberRange range = field.offered ? *field.offered : *field.limits;
        const double usual = toQString(field.valueText()).toDouble();
        row.type = field.isCounted() ? SettingType::Integer : SettingType::Real;
        row.defaultReal = usual;
        row.leastReal = range.least;
        row.mostReal = range.most;
        if (row.type != SettingType::Integer)
            return;
        row.defaultNumber = static_cast<int>(usual);
        row.least = static_cast<int>(range.least);
        row.most = static_cast<int>(range.most);
    }
    std::string_view keep(std::string text) { return m_texts.emplace_back(std::move(text)); }

    std::deque<std::string> m_texts;
    std::vector<SettingRow> m_rows;
};

} // namespace

void fields(Fields& f, RunSteps& o)
{
    f("more_iterations", o.moreIterations)
        .label("More iterations", "How many iterations Continue adds to a finished map.")
        .within(10, 100'000)
        .offers(10, 100'000);
    f("noise", o.noise)
        .label("Perturb noise", "How far Perturb moves the points, in percent of the map’s spread.")
        .unit("%")
        .within(1, 200)
        .offers(1, 200);
}

std::span<const SettingRow> settingRows()
{
    static const SettingTable table;
    return table.rows();
}

const SettingRow& settingRow(SettingKey key)
{
    const auto rows = settingRows();
    const auto row = std::ranges::find(rows, key, &SettingRow::key);
    HEADSCOPE_ASSERT(row != rows.end());
    return *row;
}

SettingKey settingNamed(std::string_view name)
{
    const auto rows = settingRows();
    const auto row = std::ranges::find(rows, name, &SettingRow::name);
    HEADSCOPE_ASSERT(row != rows.end());
    return row->key;
}

QString keptName(const Field& field)
{
    if (!field.settingName.empty())
        return toQString(field.settingName);
    QString name;
    for (const QString& word : toQString(field.key).split(u'_'))
        name += name.isEmpty() ? word : word.left(1).toUpper() + word.mid(1);
    return name;
}

std::string keptText(const Field& field)
{
    const auto* choice = std::get_if<FieldChoice>(&field.target);
    return choice == nullptr ? field.valueText() : std::string(choice->word().inSettings());
}

std::string wordOfKept(const Field& field, const std::string& kept)
{
    const auto* choice = std::get_if<FieldChoice>(&field.target);
    if (choice == nullptr)
        return kept;
    const auto word = std::ranges::find(choice->words, kept, &FieldWord::inSettings);
    return word == choice->words.end() ? kept : std::string(word->word);
}

QJsonObject valuesJson(const Fields& fields)
{
    QJsonObject object;
    for (const Field& field : fields.rows())
        object[toQString(field.key)] = field.isFlag()              ? QJsonValue(field.number() == 1)
                                       : field.rangeText().empty() ? QJsonValue(toQString(field.valueText()))
                                                                   : QJsonValue(field.number());
    return object;
}

bool takeValues(const QJsonObject& object, const Fields& fields)
{
    bool areAllTaken = true;
    for (const Field& field : fields.rows())
    {
        const QJsonValue value = object.value(toQString(field.key));
        const bool isTaken = field.isFlag() ? value.isBool() && field.setNumber(value.toBool() ? 1 : 0)
                             : field.rangeText().empty()
                                 ? value.isString() && field.set(toStdString(value.toString())).empty()
                                 : value.isDouble() && field.setNumber(value.toDouble());
        areAllTaken = areAllTaken && (isTaken || !field.isRequired);
    }
    return areAllTaken;
}

} // namespace headscope::ui
