// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/formats/json.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// What is done with a key of a configuration file.
enum class KeyUse
{
    Read,       ///< something depends on it
    Irrelevant, ///< vectors do not depend on it: training, text generation, file names, padding
    NotApplied, ///< would change vectors; said where it is more than null, false, 0 or empty
};

struct KnownKey
{
    std::string_view key;
    KeyUse use;
};

/// The configuration files of a model, or the part of one, that have keys of their own.
enum class KeyTable
{
    Config,    ///< config.json
    Rope,      ///< rope_scaling and rope_parameters in it
    Tokenizer, ///< tokenizer_config.json
    Sentence,  ///< sentence_bert_config.json
    Prompts,   ///< config_sentence_transformers.json
    Pooling,   ///< config.json of the Pooling module
    Module,    ///< an entry of modules.json
    Step,      ///< config.json of a module behind the pooling: Dense, LayerNorm
    Adapter,   ///< adapter_config.json of a LoRA adapter
};
constexpr std::size_t kNumKeyTables = static_cast<std::size_t>(KeyTable::Adapter) + 1;

/// Every key of a table that is known, once.
[[nodiscard]] std::span<const KnownKey> knownKeys(KeyTable table);

/// Whether this key of a table is one that is read.
[[nodiscard]] bool isReadKey(KeyTable table, std::string_view key);

/// Whether the value of a key asks for something.
/// @param harmless  a text that does not
[[nodiscard]] bool asksFor(const JsonView& value, std::string_view harmless = {});

/// What an object asks for and is not done, in sentences: keys that are not known, and those that are not applied.
/// @param file  its name, for the sentences
[[nodiscard]] std::vector<std::string> keyNotices(KeyTable table, JsonView object, std::string_view file);

} // namespace headscope
