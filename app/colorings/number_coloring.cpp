// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/scales.h"
#include "app/colorings/words.h"
#include "model/data/documents/document_numbers.h"

#include <QLocale>

#include <algorithm>
#include <limits>

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered& of)
{
    std::vector<Offer> columns;
    for (const std::string& name : documentNumberNames(of.documents))
        columns.push_back({name, tr("Number: %1").arg(text(name)), tr("number %1").arg(text(name)), {}});
    return columns;
}

viz::PointColoring byNumber(const PointIds& points, const DocumentNumbers& column, viz::InkTheme theme)
{
    std::vector<float> values;
    values.reserve(points.document.size());
    for (const std::int32_t document : points.document)
        values.push_back(static_cast<std::size_t>(document) < column.values.size()
                             ? column.values[static_cast<std::size_t>(document)]
                             : std::numeric_limits<float>::quiet_NaN());
    return viz::colorByNumber(values, viz::ColorScale(viz::sequentialMap(theme), limitsOf(column.values)),
                              capitalised(text(column.name)), theme);
}

Task make(const ColoringInput& input)
{
    if (input.documents == nullptr)
        return {};
    return [input] { // the column is read where the colours are made
        const auto numbers = documentNumbers(*input.documents, input.column);
        return numbers ? byNumber(*input.points, *numbers, input.theme) : byHead(input)();
    };
}

bool isColumn(const DocumentSet& documents, std::string_view name)
{
    const std::vector<std::string> names = documentNumberNames(documents);
    return std::ranges::find(names, name) != names.end();
}

QString value(const ColoredPoints& of, std::size_t point)
{
    if (of.documents == nullptr)
        return {};
    // One document's number alone: the column is cheap to read, but not for every hover.
    const DocumentSet& documents = *of.documents;
    const auto document = static_cast<std::size_t>(of.points->document[point]);
    if (of.column == "tokens" && documents.label("tokens") == nullptr && document < documents.tokens.size())
        return tr("%1 tokens").arg(QLocale().toString(documents.tokens[document]));
    if (const LabelColumn* column = documents.label(of.column))
        return text(column->category(document));
    return {};
}

} // namespace

Coloring numberColoring()
{
    return {.key = "number",
            .needs = Needs::Documents,
            .offers = offers,
            .make = make,
            .value = value,
            .shellWord = "of numbers (number:NAME)",
            .isColumn = isColumn};
}

} // namespace headscope::colorings
