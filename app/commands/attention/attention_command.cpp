// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/attention_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"
#include "model/data/ablation_spec.h"

namespace headscope::commands
{
namespace
{

std::string headFault(const std::string& text)
{
    return ablationFault(text);
}

} // namespace

void AttentionCommand::declare(Fields& table)
{
    modelField(table, model);
    table.option("text", text, "the text itself; - reads it from standard input, without a line end behind it")
        .valueName("TEXT");
    declareOptions(table);
    table
        .option("--corpus", corpus,
                "documents in place of a text, of any kind that extract reads: statistics are means over them")
        .valueName("DOCS");
    table.option("--text-column", textColumn, "column of the texts of --corpus").valueName("NAME");
    separatorField(table, separator);
    table.flag("--lines", lines, "each line of a .txt of --corpus is a document");
    table
        .option(
            "--activations", activations,
            "one head over --corpus in place of statistics: layer from 0, head from 1; what it does at every token, "
            "samples and examples")
        .checkedBy(headFault, "29:3")
        .valueName("LAYER:HEAD");
    table.option("--sample-tokens", sampleTokens, "tokens whose queries, keys and outputs are kept with --activations")
        .within(1, 200'000);
    table.flag("--no-resume", noResume,
               "begin anew; else a run with --activations that was interrupted goes on where it was");
    table.footer("One of TEXT, --ids and --corpus is needed, and one of -o, --statistics and --corpus: without -o the "
                 "statistics are printed. Weights take 4 bytes for each layer, head, query and key.");
}

void AttentionCommand::declareServed(Fields& table)
{
    modelField(table, model);
    table.option("--text", text, "the text");
    declareOptions(table);
}

void AttentionCommand::declareOptions(Fields& table)
{
    table.option("-o,--output", output, "the file to write").valueName("FILE.h5");
    table.option("--ids", ids, "token ids in place of a text, taken as they are")
        .checkedBy(idsFault, "1,5,9")
        .valueName("LIST");
    layersField(table, layers, "layers: last, all, or numbers from 0: 0,15,20-31");
    table.option("--heads", heads, "the weights of these heads alone; all else is of all heads")
        .checkedBy(headsFault, "1-4,9")
        .valueName("LIST")
        .defaultMeans("all");
    table
        .option("--thumbnails", thumbnails,
                "also small pictures of the attention of all heads, of at most N x N pixels: the mean weight in each")
        .within(1, 512)
        .valueName("N");
    table.option("--qkv", qkv, "also queries, keys, values and outputs of all heads of this layer")
        .within(0, 100'000)
        .valueName("LAYER");
    table.flag("--statistics", statistics,
               "also statistics of where each head looks on this text: entropy, first token, confidence and more");
    table.flag("--paths", paths,
               "also how tokens reach each other over the layers (rollout and flow), and Jensen-Shannon distances "
               "between heads (of rows smoothed as 0.999 a + 0.001 / T); of texts of at most 512 tokens, with all "
               "layers");
    table.flag("--no-weights", noWeights, "leave the weights out: only what else is asked for");
    table
        .option("--query", query,
                "tokens A to B-1, from 0, whose attention to --span is measured; statistics go with it")
        .checkedBy(tokensFault, "20:28")
        .valueName("A:B");
    table.option("--span", span, "tokens C to D-1, from 0, that --query may attend to")
        .checkedBy(tokensFault, "5:9")
        .valueName("C:D");
    maxTokensField(table, maxTokens, "the text");
    encode.declare(table);
    ablation.declare(table);
    deviceField(table, device);
}

} // namespace headscope::commands
