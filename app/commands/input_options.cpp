// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/input_options.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void InputOptions::declareCache(Fields& table, bool withTopics)
{
    table.option("CACHE", cache, "cache of head vectors (.h5), or multi-head retrieval JSON");
    table.option("--layer", layer, "layer: last, a number from 0, or all")
        .checkedBy(layerFault, "0,3")
        .valueName("LAYER");
    table
        .option("--stage", stage,
                "stage: 1, 2, 3, contribution or embedding (the model's sentence embedding); several: 1,2,3")
        .checkedBy(storedStagesFault, "1,3")
        .valueName("STAGE");
    table.option("--heads", heads, "heads to use, counted from 1, such as 1-4,9")
        .checkedBy(headsFault, "1-4,9")
        .valueName("HEADS")
        .defaultMeans("all");
    table.option("--mask", mask, "JSON file of the heads to keep, as prune --save-mask writes it").valueName("FILE");
    table.option("--documents", documents, "documents to use: rows such as 0-99,120, or label=value")
        .checkedBy(rowsFault, "label=it's a, b")
        .valueName("ROWS")
        .defaultMeans("all");
    if (withTopics)
        labelFields(table, label, labelMap);
}

void InputOptions::declareMatrix(Fields& table, bool classes)
{
    table.option("--vectors", vectors, "plain matrix [N, D] instead of a cache: FILE.h5:/path or FILE.npy")
        .valueName("MATRIX");
    if (classes)
    {
        table.option("--labels", labels, "class of each row of --vectors, as integers from 0").valueName("VALUES");
        table.option("--test-rows", testRows, "test rows of --vectors").valueName("VALUES");
    }
}

Status InputOptions::check() const
{
    if (cache.empty() == vectors.empty())
        return Error{ErrorCode::WrongUse,
                     cache.empty() ? "expected a cache or --vectors, found neither"
                                   : "expected a cache or --vectors, found both",
                     {},
                     {}};
    return {};
}

void labelFields(Fields& f, std::string& label, std::string& labelMap)
{
    f.option("--label", label, "label column that holds the topics").valueName("NAME").defaultMeans("the only one");
    f.option("--label-map", labelMap, "JSON file that maps old labels to new ones").valueName("FILE");
}

void declarePlainCsv(Fields& table, bool& plainCsv)
{
    table.flag("--plain-csv", plainCsv,
               "write texts in .csv unchanged, even if a spreadsheet would read them as a formula (= + - @)");
}

} // namespace headscope::commands
