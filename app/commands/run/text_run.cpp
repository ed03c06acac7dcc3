// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run/text_run.h"

#include "app/commands/run/run_fields.h"
#include "model/base/fields/fields.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kPoolingWords = {FieldWord{"auto", "auto"}, FieldWord{"last", "the last token"},
                                      FieldWord{"mean", "the mean of all tokens"},
                                      FieldWord{"first", "the first token"}};
constexpr std::array kLastLayerWords = {FieldWord{"normed", "after the final norm"},
                                        FieldWord{"raw", "raw, before the final norm"}};
constexpr std::array kEmbeddingWords = {FieldWord{"auto", "where the model has modules"},
                                        FieldWord{"none", "not stored"}};

} // namespace

void TextRun::fields(Fields& table, const std::string& what)
{
    placeFields(table, what);
    inputFields(table);
}

void TextRun::placeFields(Fields& table, const std::string& what)
{
    maxTokensField(table, maxTokens, what);
    table
        .option(
            "--pooling", pooling,
            "pooling: one token, or the mean of all tokens; auto: as set in the model files, else last (BERT: mean)")
        .among(kPoolingWords)
        .label("Pooling", "How token vectors become one vector per text.");
}

void TextRun::inputFields(Fields& table)
{
    encode.declare(table);
    promptFields(table, "every document and topic name");
    deviceField(table, device);
}

void PromptChoices::promptFields(Fields& table, const std::string& before)
{
    table.option("--prompt", prompt, "text to put before " + before)
        .label("Prompt", "Prepended to every document and topic name, spaces included.")
        .leastMeans("that of Prompt by name");
    table
        .option(
            "--prompt-name", promptName,
            "a prompt of the model files by its name (inspect lists them), such as query; auto: the one that they set; "
            "none: no prompt")
        .valueName("NAME")
        .label("Prompt by name",
               "A prompt of the model files, such as query. Auto is the one that they set, none is no prompt.")
        .leastMeans("the model's default");
}

void VectorRun::fields(Fields& table, const std::string& what)
{
    placeFields(table, what);
    table
        .option("--last-layer", lastLayer,
                "stage 3 of the last layer: after the model's final norm, or raw: before it, as in all other layers")
        .among(kLastLayerWords)
        .label("Stage 3, last layer", "Taken after the final norm of a decoder; raw: before it, as stage 3 of all "
                                      "other layers. An encoder has no such norm.");
    table
        .option("--embedding", embedding,
                "the sentence embedding (the pooled hidden state after the model's modules Dense, LayerNorm, "
                "Normalize), next to stage 3 of the last layer; auto: where it has such modules")
        .among(kEmbeddingWords)
        .label("Sentence embedding",
               "The pooled hidden state after the model's modules (Dense, LayerNorm, Normalize); stored with stage 3");
    inputFields(table);
}

} // namespace headscope::commands
