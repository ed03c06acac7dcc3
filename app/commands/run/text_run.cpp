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
constexpr std::array kEmbeddingWords = {FieldWord{"auto", "if the model has modules"}, FieldWord{"none", "not stored"}};

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
        .leastMeans("as set by Prompt by name");
    table
        .option("--prompt-name", promptName,
                "name of a prompt in the model files, such as query (inspect lists all); auto: the prompt that the "
                "model files set; none: no prompt")
        .valueName("NAME")
        .label("Prompt by name", "Name of a prompt in the model files, such as query. Auto uses the default prompt "
                                 "of the files; none adds no prompt.")
        .leastMeans("the model's default");
}

void VectorRun::fields(Fields& table, const std::string& what)
{
    placeFields(table, what);
    table
        .option("--last-layer", lastLayer,
                "where stage 3 of the last layer is taken: normed (after the model's final norm) or raw (before it, as "
                "in all other layers)")
        .among(kLastLayerWords)
        .label("Stage 3, last layer", "Take it after a decoder's final norm, or raw (before this norm, as in all other "
                                      "layers). Most encoders have no final norm.");
    table
        .option("--embedding", embedding,
                "also store the sentence embedding (the pooled hidden state after the model's modules Dense, "
                "LayerNorm, Normalize) with stage 3 of the last layer; auto: if the model has such modules")
        .among(kEmbeddingWords)
        .label("Sentence embedding", "The pooled hidden state after the model's modules (Dense, LayerNorm, Normalize). "
                                     "It is stored with stage 3.");
    inputFields(table);
}

} // namespace headscope::commands
