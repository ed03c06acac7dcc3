// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace headscope::ui
{

/// What may stand in the field of an option.
enum class OptionKind
{
    Flag,
    Count,  ///< a whole number from `least` to `most`
    Tokens, ///< the same, or auto
    Choice, ///< of `choices`; the first is the default
    Text,
    File,
    Device,
    Bytes,
    Heads,    ///< "29:1-3;12:g2"
    Template, ///< a text with {} in it
};

/// One option of `headscope-engine extract`.
struct OptionRow
{
    std::string_view group;
    std::string_view option; ///< as the command line names it
    OptionKind kind = OptionKind::Text;
    const char* label = "";
    const char* help = "";
    const char* unset = "";            ///< the default, in words
    std::string_view choices = {};     ///< separated by '|'
    const char* choiceNames = nullptr; ///< of the choices after the first, for people; null: the choices themselves
    std::int64_t least = 1;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

inline constexpr const char* kGroupDocuments = QT_TRANSLATE_NOOP("ExtractOptions", "Documents");
inline constexpr const char* kGroupModel = QT_TRANSLATE_NOOP("ExtractOptions", "From text to vector");
inline constexpr const char* kGroupChanges = QT_TRANSLATE_NOOP("ExtractOptions", "Changes in the model");
inline constexpr const char* kGroupComputing = QT_TRANSLATE_NOOP("ExtractOptions", "Computing");
inline constexpr const char* kGroupCache = QT_TRANSLATE_NOOP("ExtractOptions", "Cache");

#define HEADSCOPE_WORDS(text) QT_TRANSLATE_NOOP("ExtractOptions", text)
/// Every available option except those the dialog asks for above: model, texts and their columns, layers, stages,
/// cache.
inline constexpr std::array kExtractOptions{
    OptionRow{kGroupDocuments, "--lines", OptionKind::Flag, HEADSCOPE_WORDS("Each line is a document"),
              HEADSCOPE_WORDS("Of a .txt file; otherwise the whole file is one document.")},
    OptionRow{kGroupDocuments, "--separator", OptionKind::Choice, HEADSCOPE_WORDS("Separator"),
              HEADSCOPE_WORDS("What separates the columns of a .csv or .tsv file."),
              HEADSCOPE_WORDS("auto: found in the first rows"), "auto|comma|semicolon|tab|pipe",
              HEADSCOPE_WORDS("commas|semicolons|tabs|vertical bars")},
    OptionRow{kGroupDocuments, "--limit", OptionKind::Count, HEADSCOPE_WORDS("First documents"),
              HEADSCOPE_WORDS("Only the first so many are read: a quick try of a large file."), HEADSCOPE_WORDS("all")},
    OptionRow{kGroupDocuments, "--sample", OptionKind::Count, HEADSCOPE_WORDS("Sample"),
              HEADSCOPE_WORDS("So many of these are drawn at random."), HEADSCOPE_WORDS("all")},
    OptionRow{kGroupDocuments,
              "--seed",
              OptionKind::Count,
              HEADSCOPE_WORDS("Seed of the sample"),
              HEADSCOPE_WORDS("The same seed draws the same documents."),
              "1",
              {},
              nullptr,
              0},
    OptionRow{kGroupDocuments, "--duplicate-ids", OptionKind::Choice, HEADSCOPE_WORDS("Repeated ids"),
              HEADSCOPE_WORDS("An id that an earlier document has ends the extraction, or gets -2, -3 and so on."),
              HEADSCOPE_WORDS("an error"), "error|suffix", HEADSCOPE_WORDS("are numbered")},
    OptionRow{kGroupDocuments, "--label-lists", OptionKind::Choice, HEADSCOPE_WORDS("Lists of labels"),
              HEADSCOPE_WORDS("Where a label is a list of texts: the first of them, or all as one label."),
              HEADSCOPE_WORDS("the first"), "first|joined", HEADSCOPE_WORDS("all, joined")},
    OptionRow{kGroupDocuments, "--topics", OptionKind::File, HEADSCOPE_WORDS("Topic names"),
              HEADSCOPE_WORDS("A file of names, one a line or JSON; the model runs over them as over documents."),
              HEADSCOPE_WORDS("from the labels")},
    OptionRow{
        kGroupDocuments, "--topic-template", OptionKind::Template, HEADSCOPE_WORDS("Topic template"),
        HEADSCOPE_WORDS("A text that each topic name stands in, {} is the name, as Text about {}. A decoder’s state "
                        "at a text of one token says little of it."),
        HEADSCOPE_WORDS("the name alone")},
    OptionRow{kGroupDocuments, "--label", OptionKind::Text, HEADSCOPE_WORDS("Topics belong to"),
              HEADSCOPE_WORDS("The label column of the topic names, where there are several."),
              HEADSCOPE_WORDS("the only label column")},
    OptionRow{kGroupDocuments, "--label-map", OptionKind::File, HEADSCOPE_WORDS("Rename labels"),
              HEADSCOPE_WORDS("A JSON object of old label to new; null makes a label none."),
              HEADSCOPE_WORDS("as they are")},
    OptionRow{kGroupModel, "--max-tokens", OptionKind::Tokens, HEADSCOPE_WORDS("Maximum length"),
              HEADSCOPE_WORDS("Longer texts are cut to so many tokens, and marked."), HEADSCOPE_WORDS("auto")},
    OptionRow{kGroupModel, "--pooling", OptionKind::Choice, HEADSCOPE_WORDS("Pooling"),
              HEADSCOPE_WORDS("Where in the text the vectors are taken."), HEADSCOPE_WORDS("auto"),
              "auto|last|mean|first", HEADSCOPE_WORDS("the last token|the mean of all tokens|the first token")},
    OptionRow{kGroupModel, "--last-layer", OptionKind::Choice, HEADSCOPE_WORDS("Stage 3, last layer"),
              HEADSCOPE_WORDS("A decoder norms its last layer’s output once more: raw is before that, like the stage 3 "
                              "of all other layers. An encoder has no such norm."),
              HEADSCOPE_WORDS("after the final norm"), "normed|raw", HEADSCOPE_WORDS("raw, before the final norm")},
    OptionRow{kGroupModel, "--prompt", OptionKind::Text, HEADSCOPE_WORDS("Prompt"),
              HEADSCOPE_WORDS("Stands before every document and topic name, blanks included."),
              HEADSCOPE_WORDS("none")},
    OptionRow{kGroupModel, "--eos", OptionKind::Choice, HEADSCOPE_WORDS("End token"),
              HEADSCOPE_WORDS("Whether it follows every text."), HEADSCOPE_WORDS("as the model's files say"),
              "config|always|never", HEADSCOPE_WORDS("always|never")},
    OptionRow{kGroupModel, "--special-tokens", OptionKind::Choice, HEADSCOPE_WORDS("Special tokens"),
              HEADSCOPE_WORDS("What their names mean inside of a text."), HEADSCOPE_WORDS("they are these tokens"),
              "parse|text", HEADSCOPE_WORDS("they are plain text")},
    OptionRow{
        kGroupChanges, "--ablate", OptionKind::Heads, HEADSCOPE_WORDS("Heads off"),
        HEADSCOPE_WORDS("At every token: layers from 0, heads from 1, gN a KV group, all every head of a layer, as "
                        "29:1-3;12:g2. The cache says so."),
        HEADSCOPE_WORDS("none")},
    OptionRow{kGroupChanges, "--ablation", OptionKind::Choice, HEADSCOPE_WORDS("Set to"),
              HEADSCOPE_WORDS("What the outputs of heads that are off are set to."), HEADSCOPE_WORDS("zero"),
              "zero|mean", HEADSCOPE_WORDS("each one’s mean over a reference")},
    OptionRow{kGroupChanges, "--reference", OptionKind::File, HEADSCOPE_WORDS("Reference"),
              HEADSCOPE_WORDS("Documents that these means are taken over."),
              HEADSCOPE_WORDS("the first 1,000 documents")},
    OptionRow{kGroupChanges, "--regroup", OptionKind::Count, HEADSCOPE_WORDS("KV groups"),
              HEADSCOPE_WORDS("Keys and values of neighbouring groups are averaged to so many; more than the model has "
                              "repeat them, which changes nothing."),
              HEADSCOPE_WORDS("those of the model")},
    OptionRow{kGroupComputing, "--device", OptionKind::Device, HEADSCOPE_WORDS("Device"),
              HEADSCOPE_WORDS("auto, cpu, cuda, or cuda:1 for the second GPU."),
              HEADSCOPE_WORDS("auto: a GPU where there is one")},
    OptionRow{kGroupComputing, "--dtype", OptionKind::Choice, HEADSCOPE_WORDS("Numbers"),
              HEADSCOPE_WORDS("What is computed with."), HEADSCOPE_WORDS("auto: f32"), "auto|f32", nullptr},
    OptionRow{kGroupComputing, "--memory", OptionKind::Bytes, HEADSCOPE_WORDS("Memory limit"),
              HEADSCOPE_WORDS("Such as 2500M or 3G: layers are read from disk in turn. On the CPU alone."),
              HEADSCOPE_WORDS("none")},
    OptionRow{kGroupComputing,
              "--threads",
              OptionKind::Count,
              HEADSCOPE_WORDS("Threads"),
              HEADSCOPE_WORDS("How many cores work."),
              HEADSCOPE_WORDS("as in the settings"),
              {},
              nullptr,
              1,
              4096},
    OptionRow{kGroupCache, "--store", OptionKind::Choice, HEADSCOPE_WORDS("Stored numbers"),
              HEADSCOPE_WORDS("Half the size with 16 bits; f16 has finer steps, bf16 the larger range."),
              HEADSCOPE_WORDS("f32"), "f32|f16|bf16", nullptr},
    OptionRow{kGroupCache,
              "--shard-mb",
              OptionKind::Count,
              HEADSCOPE_WORDS("Shard"),
              HEADSCOPE_WORDS("Megabytes that are written at once on the way to the cache."),
              "64",
              {},
              nullptr,
              1,
              1 << 20},
};
#undef HEADSCOPE_WORDS

} // namespace headscope::ui
