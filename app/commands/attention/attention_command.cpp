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
    table.option("text", text, "the text; - reads it from standard input and drops the final line break")
        .valueName("TEXT");
    declareOptions(table);
    declareCorpus(table);
    table.footer("One of TEXT, --ids and --corpus is required. TEXT and --ids also require -o or --statistics; without "
                 "-o, the statistics are printed. Weights take 4 bytes per layer, head, query token and key token.");
}

void AttentionCommand::declareServed(Fields& table)
{
    modelField(table, model);
    table.option("--text", text, "the text");
    declareOptions(table);
    declareCorpus(table);
}

void AttentionCommand::declareCorpus(Fields& table)
{
    table
        .option(
            "--corpus", corpus,
            "documents instead of one text, in any format that extract reads; statistics are means over the documents")
        .documents();
    table.option("--text-column", textColumn, "column of --corpus that holds the texts").valueName("NAME");
    separatorField(table, separator);
    table.flag("--lines", lines, "treat each line of a .txt file of --corpus as a document");
    table
        .option("--activations", activations,
                "record one head over --corpus (layer from 0, head from 1): its activation at every token, samples and "
                "examples")
        .checkedBy(headFault, "29:3")
        .valueName("LAYER:HEAD");
    table
        .option("--sample-tokens", sampleTokens,
                "number of sampled tokens whose queries, keys and outputs are saved with --activations")
        .within(1, 200'000);
    table.flag("--no-resume", noResume, "start over; otherwise an interrupted run with --activations continues");
}

void AttentionCommand::declareOptions(Fields& table)
{
    table.option("-o,--output", output, "the file to write").valueName("FILE.h5");
    table.option("--ids", ids, "token ids instead of a text, used unchanged")
        .checkedBy(idsFault, "1,5,9")
        .valueName("LIST");
    layersField(table, layers, "layers: last, all, or numbers from 0 such as 0,15,20-31");
    table.option("--heads", heads, "save the weights of only these heads; everything else covers all heads")
        .checkedBy(headsFault, "1-4,9")
        .valueName("LIST")
        .defaultMeans("all");
    table
        .option(
            "--thumbnails", thumbnails,
            "also save a thumbnail of the attention of every head, at most N x N pixels; each pixel is a mean weight")
        .within(1, 512)
        .valueName("N");
    table.option("--qkv", qkv, "also save queries, keys, values and outputs of all heads of this layer")
        .within(0, 100'000)
        .valueName("LAYER");
    table.flag("--statistics", statistics,
               "also compute statistics of the attention of each head on this text, such as entropy, confidence and "
               "weight on the first token");
    table.flag("--paths", paths,
               "also compute attention rollout and attention flow over the layers, and Jensen-Shannon distances "
               "between heads (each weight a in a text of T tokens is first smoothed to 0.999 a + 0.001 / T); needs "
               "all layers and a text of at most 512 tokens");
    table.flag("--no-weights", noWeights, "omit the weights: write only what other options request");
    table
        .option("--query", query,
                "query tokens A to B-1, counted from 0, whose attention to --span is measured; implies --statistics")
        .checkedBy(tokensFault, "20:28")
        .valueName("A:B");
    table.option("--span", span, "key tokens C to D-1, counted from 0, to which the attention of --query is measured")
        .checkedBy(tokensFault, "5:9")
        .valueName("C:D");
    maxTokensField(table, maxTokens, "the text");
    encode.declare(table);
    promptFields(table, "the text, or every document");
    ablation.declare(table);
    deviceField(table, device);
}

} // namespace headscope::commands
