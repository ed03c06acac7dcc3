// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/circuits/contributions_command.h"

#include "app/commands/run/run_fields.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{
namespace
{

std::string pairFault(const std::string& text)
{
    if (const auto comma = text.find(','); comma != std::string::npos && comma > 0 && comma + 1 < text.size())
        return {};
    return "expected two document ids separated by a comma, found \"" + text + '"';
}

} // namespace

void ContributionsCommand::declare(Fields& table)
{
    modelField(table, model);
    inputsField(table).required();
    table
        .option("-o,--output", output,
                "output file: the table (.csv), the numbers of every document (.h5), or the JSON that --json prints")
        .valueName("FILE.csv|.h5|.json");
    table.option("--pair", pair, "ids of two documents; their cosine is split into what each part adds to it")
        .checkedBy(pairFault, "d1,d2")
        .valueName("ID,ID");
    table.flag("--center", center,
               "with --pair: subtract the mean over all documents from both vectors and their parts");
    table.flag("--parts", parts, "also save in the .h5 file what every head adds to every document's vector");
    documentFields(table);
    table.footer("A document's vector is the sum of the token embeddings, the outputs of all heads, the biases and the "
                 "outputs of the MLPs. The norms scale each part by the factor that they apply to this document. With "
                 "--pair and no -o, only the two documents are run.");
}

} // namespace headscope::commands
