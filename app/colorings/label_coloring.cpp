// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"
#include "model/data/documents/document_numbers.h"

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered& of)
{
    std::vector<Offer> columns;
    for (const LabelColumn& column : of.documents.labels)
        if (isGroups(column))
            columns.push_back({column.name, tr("Label: %1").arg(viz::columnTitle(column)), text(column.name), {}});
    return columns;
}

bool isColumn(const DocumentSet& documents, std::string_view name)
{
    return documents.label(name) != nullptr;
}

Task make(const ColoringInput& input)
{
    if (input.documents == nullptr || input.documents->label(input.column) == nullptr)
        return {};
    return [points = input.points, documents = input.documents, column = input.column, theme = input.theme,
            order = input.order] {
        return viz::colorByLabel(*points, *documents->label(column), theme, order);
    };
}

} // namespace

Coloring labelColoring()
{
    return {.key = "label",
            .needs = Needs::Documents,
            .offers = offers,
            .make = make,
            .shellWord = "the name of a label",
            .isColumn = isColumn,
            .namesRegions = true};
}

} // namespace headscope::colorings
