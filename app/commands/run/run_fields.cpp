// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run/run_fields.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

#include <array>
#include <utility>

namespace headscope::commands
{
namespace
{

constexpr std::array kSeparatorWords = {FieldWord{"auto", "auto: detected from the first rows"},
                                        FieldWord{"comma", "commas"}, FieldWord{"semicolon", "semicolons"},
                                        FieldWord{"tab", "tabs"}, FieldWord{"pipe", "vertical bars"}};

} // namespace

Field& modelField(Fields& f, std::string& model)
{
    return f.option("model", model, "a model folder, one of its files, or a .gguf file").required().valueName("MODEL");
}

Field& deviceField(Fields& f, std::string& device)
{
    return f.option("--device", device, "device to compute on")
        .valueName("auto|cpu|cuda[:N]")
        .label("Device", "auto, cpu, cuda, or cuda:1 for the second GPU.")
        .leastMeans("auto: a GPU if there is one");
}

Field& layersField(Fields& f, std::string& layers, std::string about)
{
    return f.option("--layers,--layer", layers, std::move(about)).checkedBy(layersFault, "0,20-31").valueName("LIST");
}

Field& maxTokensField(Fields& f, std::string& maxTokens, const std::string& what)
{
    return f
        .option("--max-tokens", maxTokens,
                "truncate " + what + " to this number of tokens; auto: the maximum in the model files, else 4096")
        .checkedBy(autoOrCountFault, "77")
        .valueName("auto|N")
        .label("Maximum length", "Longer texts are truncated to this number of tokens and marked.");
}

Field& topicTemplateField(Fields& f, std::string& text, std::string about)
{
    return f.option("--topic-template", text, std::move(about))
        .checkedBy(templateFault, "Text about {}.")
        .valueName("TEXT")
        .defaultMeans("only the name")
        .label("Topic template", "{} is the topic name, as in Text about {}. In a decoder, the state at a one-token "
                                 "name shows little about the topic.");
}

void columnFields(Fields& f, std::string& text, std::optional<std::string>& id)
{
    f.option("--text-column", text, "column that holds the texts; body.text names a field of nested JSON")
        .valueName("NAME");
    f.option("--id-column", id, "column that holds the ids; '': documents are numbered")
        .valueName("NAME")
        .defaultMeans("id, or the row number");
}

Field& separatorField(Fields& f, std::string& separator)
{
    return f
        .option("--separator", separator,
                "column separator of a .csv or .tsv file; auto: a tab in a .tsv file, otherwise detected from the "
                "first rows")
        .among(kSeparatorWords)
        .label("Separator", "Column separator of a .csv or .tsv file.");
}

void chosenFields(Fields& f, bool& lines, std::int64_t& limit, std::int64_t& sample)
{
    f.flag("--lines", lines, "treat each line of a .txt file as a document")
        .label("Each line is a document", "For .txt files. Otherwise the whole file is one document.");
    f.option("--limit", limit, "only the first N documents")
        .countFrom(1)
        .defaultMeans("all")
        .label("First documents", "Read only the first documents, to try a large file.");
    f.option("--sample", sample, "only N documents, sampled at random with the seed")
        .countFrom(1)
        .defaultMeans("all")
        .label("Sample", "Use only this number of documents, sampled at random.");
}

Field& referenceField(Fields& f, std::string& reference, std::string about)
{
    return f.option("--reference", reference, std::move(about))
        .documents()
        .defaultMeans("the first 1000 documents of the run")
        .label("Reference", "Documents over which the means are computed.")
        .leastMeans("the first 1,000 documents")
        .file();
}

} // namespace headscope::commands
