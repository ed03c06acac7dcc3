// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tokenize_command.h"
#include "app/engine/encode_options.h"
#include "app/engine/engine_verb.h"
#include "app/engine/options.h"
#include "app/engine/serve/serving.h"
#include "app/shell/console.h"
#include "model/formats/json.h"
#include "model/io/texts/byte_source.h"
#include "model/io/texts/standard_input.h"
#include "model/net/config/model_files.h"
#include "model/tokenize/tokenizer.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace headscope::engine
{
namespace
{

using commands::TokenizeCommand;

/// Standard input as it comes, so that another program can send a line and wait for its answer.
class StandardInput : public ByteSource
{
public:
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> into) override { return readStandardInput(into); }
};

Result<std::string> encodedLine(const Tokenizer& tokenizer, const JsonView& line, const std::string& column,
                                const EncodeOptions& options)
{
    if (!line.isObject())
        return Error{
            ErrorCode::BadFormat, fmt::format("expected an object, found {}", jsonKindName(line.kind())), {}, {}};
    const auto field = line.find(column);
    if (!field)
        return Error{ErrorCode::BadFormat, fmt::format("the field \"{}\" is missing", column), {}, {}};
    const auto text = field->asString();
    if (!text)
        return Error{ErrorCode::BadFormat, fmt::format("{}: {}", column, text.error().message), {}, {}};
    HEADSCOPE_TRY(const auto encoding, tokenizer.encode(*text, options));
    return fmt::format("{{\"ids\":[{}]{}}}\n", fmt::join(encoding.ids, ","),
                       encoding.truncated ? ",\"truncated\":true" : "");
}

Result<EncodeOptions> optionsOf(const TokenizeCommand& command)
{
    HEADSCOPE_TRY(auto options, encodeOptions(command.encode));
    if (!command.maxTokens.empty())
    {
        HEADSCOPE_TRY(const auto most, parseCount(command.maxTokens, "--max-tokens"));
        options.maxTokens = static_cast<std::size_t>(most);
    }
    return options;
}

/// Of `serve`: a text in place of lines.
Result<std::string> tokenizeText(const TokenizeCommand& command, Serving& serving, VerbContext& /*context*/)
{
    HEADSCOPE_TRY(const auto options, optionsOf(command));
    std::optional<Tokenizer> own;
    const OpenedModel* opened = serving.model.find(command.model);
    if (opened == nullptr)
    {
        HEADSCOPE_TRY(own, Tokenizer::open(command.model));
    }
    const Tokenizer& tokenizer = opened != nullptr ? opened->tokenizer : *own;
    HEADSCOPE_CHECK(toStatus(tokenizer.suffix(options.eos)));
    HEADSCOPE_TRY(const auto encoding, tokenizer.encode(command.text, options));
    return fmt::format("{{\"ids\":[{}],\"truncated\":{}}}", fmt::join(encoding.ids, ","), encoding.truncated);
}

Status runTokenize(const TokenizeCommand& options, VerbContext& context)
{
    HEADSCOPE_TRY(const auto encode, optionsOf(options));
    HEADSCOPE_TRY(const auto tokenizer, Tokenizer::open(networkFolder(options.model)));
    if (encode.eos == EosPolicy::Always)
        HEADSCOPE_CHECK(toStatus(tokenizer.suffix(encode.eos)));
    const bool standardInput = options.input == "-";
    std::unique_ptr<ByteSource> source = std::make_unique<StandardInput>();
    if (!standardInput)
    {
        HEADSCOPE_TRY(source, openByteSource(options.input));
    }
    ByteReader reader(std::move(source), standardInput ? "standard input" : options.input);
    JsonOptions json;
    json.repairText = true;
    json.rejectDuplicateKeys = true;
    JsonParser parser(json);
    std::string line;
    while (true)
    {
        HEADSCOPE_CHECK(context.job.checkStop());
        const auto number = reader.lineNumber();
        if (!reader.line(line))
            break;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const auto place = fmt::format("line {}", number);
        auto parsed = parser.parseLine(line);
        if (!parsed)
            return std::move(parsed).error().atPlace(place).inFile(reader.name());
        auto encoded = encodedLine(tokenizer, *parsed, options.textColumn, encode);
        if (!encoded)
            return std::move(encoded).error().atPlace(place).inFile(reader.name());
        context.console.print(*encoded);
        // Who waits for the answer of a line gets it; nobody reads on where nobody listens.
        if (standardInput ? !context.console.delivered() : !context.console.isOpen())
            return {};
    }
    return reader.status();
}

} // namespace

RunVerb declareTokenize(Fields& table)
{
    return verbOf(table, runTokenize);
}

RunVerb declareServedTokenize(Fields& table, Serving& serving)
{
    return formOf(table, serving, &TokenizeCommand::declareServed, tokenizeText);
}

} // namespace headscope::engine
