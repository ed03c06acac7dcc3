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
    return "expected two ids of documents with a comma between them, found \"" + text + '"';
}

} // namespace

void ContributionsCommand::declare(Fields& table)
{
    modelField(table, model);
    inputsField(table).required();
    table
        .option("-o,--output", output,
                "output file: the table, the numbers of every document, or the JSON that --json prints")
        .valueName("FILE.csv|.h5|.json");
    table.option("--pair", pair, "ids of two documents whose cosine is split into what each part adds to it")
        .checkedBy(pairFault, "d1,d2")
        .valueName("ID,ID");
    table.flag("--parts", parts, "also save the part of every head in every document's vector in the .h5 file");
    documentFields(table);
    table.footer("A document's vector is a sum: the token's embedding, the output of every head, biases and MLPs, all "
                 "scaled as the norms scale this document. With --pair and no -o, only the two documents are run.");
}

} // namespace headscope::commands
