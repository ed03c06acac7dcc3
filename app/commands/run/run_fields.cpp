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

constexpr std::array kPoolingWords = {FieldWord{"auto", "auto"}, FieldWord{"last", "the last token"},
                                      FieldWord{"mean", "the mean of all tokens"},
                                      FieldWord{"first", "the first token"}};
constexpr std::array kSeparatorWords = {FieldWord{"auto", "auto: found in the first rows"},
                                        FieldWord{"comma", "commas"}, FieldWord{"semicolon", "semicolons"},
                                        FieldWord{"tab", "tabs"}, FieldWord{"pipe", "vertical bars"}};

} // namespace

Field& modelField(Fields& f, std::string& model)
{
    return f.option("model", model, "a model folder, one of its files, or a .gguf file").required().valueName("MODEL");
}

Field& deviceField(Fields& f, std::string& device)
{
    return f.option("--device", device, "where to compute")
        .valueName("auto|cpu|cuda[:N]")
        .label("Device", "auto, cpu, cuda, or cuda:1 for the second GPU.")
        .leastMeans("auto: a GPU where there is one");
}

Field& layersField(Fields& f, std::string& layers, std::string about)
{
    return f.option("--layers,--layer", layers, std::move(about)).checkedBy(layersFault, "0,20-31").valueName("LIST");
}

Field& maxTokensField(Fields& f, std::string& maxTokens, const std::string& what)
{
    return f
        .option("--max-tokens", maxTokens,
                "cut " + what + " to so many tokens; auto: the maximum in the model's files, else 4096")
        .checkedBy(autoOrCountFault, "77")
        .valueName("auto|N")
        .label("Maximum length", "Longer texts are cut to so many tokens, and marked.");
}

Field& poolingField(Fields& f, std::string& pooling)
{
    return f
        .option("--pooling", pooling,
                "the token that is kept, or the mean of all; auto: as the model's files say, else last (BERT: mean)")
        .among(kPoolingWords)
        .label("Pooling", "Where in the text the vectors are taken.");
}

Field& promptField(Fields& f, std::string& prompt)
{
    return f.option("--prompt", prompt, "text to put before every document and topic name")
        .label("Prompt", "Stands before every document and topic name, blanks included.")
        .leastMeans("none");
}

Field& topicTemplateField(Fields& f, std::string& text, std::string about)
{
    return f.option("--topic-template", text, std::move(about))
        .checkedBy(templateFault, "Text about {}.")
        .valueName("TEXT")
        .defaultMeans("the name alone")
        .label("Topic template", "A text that each topic name stands in, {} is the name, as Text about {}. A decoder’s "
                                 "state at a text of one token says little of it.");
}

void columnFields(Fields& f, std::string& text, std::optional<std::string>& id)
{
    f.option("--text-column", text, "column of the texts; of nested JSON such as body.text").valueName("NAME");
    f.option("--id-column", id, "column of the ids; '': documents are numbered")
        .valueName("NAME")
        .defaultMeans("id, or the row number");
}

Field& separatorField(Fields& f, std::string& separator)
{
    return f
        .option("--separator", separator,
                "what separates the columns of a .csv or .tsv; auto: what fits its first rows, of .tsv the tab")
        .among(kSeparatorWords)
        .label("Separator", "What separates the columns of a .csv or .tsv file.");
}

void chosenFields(Fields& f, bool& lines, std::int64_t& limit, std::int64_t& sample)
{
    f.flag("--lines", lines, "each line of a .txt is a document")
        .label("Each line is a document", "Of a .txt file; otherwise the whole file is one document.");
    f.option("--limit", limit, "only the first N documents")
        .countFrom(1)
        .defaultMeans("all")
        .label("First documents", "Only the first so many are read: a quick try of a large file.");
    f.option("--sample", sample, "N of the documents, chosen by the seed")
        .countFrom(1)
        .defaultMeans("all")
        .label("Sample", "So many of these are drawn at random.");
}

Field& referenceField(Fields& f, std::string& reference, std::string about)
{
    return f.option("--reference", reference, std::move(about))
        .valueName("DOCS")
        .defaultMeans("the first 1000 documents of the run")
        .label("Reference", "Documents that these means are taken over.")
        .leastMeans("the first 1,000 documents")
        .file();
}

} // namespace headscope::commands
