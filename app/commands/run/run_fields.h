// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headscope
{
class Fields;
struct Field;
} // namespace headscope

/// Options that verbs which run a model share. The functions that give the field let a verb say more about it.
namespace headscope::commands
{

/// Declares the model, a positional.
Field& modelField(Fields& f, std::string& model);
/// Declares --device.
Field& deviceField(Fields& f, std::string& device);
/// Declares --layers.
Field& layersField(Fields& f, std::string& layers, std::string about);
/// Declares --max-tokens.
/// @param what  that is cut: "texts"
Field& maxTokensField(Fields& f, std::string& maxTokens, const std::string& what);
/// Declares --topic-template.
Field& topicTemplateField(Fields& f, std::string& text, std::string about);
/// Declares --text-column and --id-column.
void columnFields(Fields& f, std::string& text, std::optional<std::string>& id);
/// Declares --separator.
Field& separatorField(Fields& f, std::string& separator);
/// Declares --lines, --limit and --sample.
void chosenFields(Fields& f, bool& lines, std::int64_t& limit, std::int64_t& sample);
/// Declares --reference.
Field& referenceField(Fields& f, std::string& reference, std::string about);

} // namespace headscope::commands
