// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{

/// One declared option, to say more about it: a handle as light as a pointer, good as long as its Command.
class Option
{
public:
    explicit Option(void* option) : m_option(option) {}

    Option required();
    /// Only these words are taken.
    Option oneOf(std::vector<std::string> words);
    /// Only whole numbers from `least` to `most` are taken.
    Option within(std::int64_t least, std::int64_t most);
    /// Only numbers above 0 are taken.
    Option positive();
    /// Several values stand in one word, with this character between them.
    Option separatedBy(char separator);
    /// What the help calls the value ("FILE"), in place of its type.
    Option valueName(const std::string& name);
    /// What the help writes behind the option, in place of type and allowed values.
    Option helpText(const std::string& text);
    /// Understood, but not listed in the help.
    Option hidden();

private:
    void* m_option; ///< of the library that reads command lines, which no other file sees
};

/// How reading the words of a command ended, if not in an error.
enum class Reading
{
    Done,
    Help, ///< --help was asked for: nothing was checked
};

/// The options of one verb: each is bound to the variable it fills, whose value stays unless it is typed.
/// Numbers are decimal and finite. Not thread-safe. The variables must outlive parse().
class Command
{
public:
    /// @param name  as the usage line writes it: "headscope tsne"
    Command(std::string summary, std::string name);
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    /// @param names  "--layer", "-o,--output", or without a dash "CACHE": a positional
    Option option(const std::string& names, std::string& value, const std::string& help = {});
    Option option(const std::string& names, int& value, const std::string& help = {});
    Option option(const std::string& names, std::int64_t& value, const std::string& help = {});
    Option option(const std::string& names, std::uint64_t& value, const std::string& help = {});
    Option option(const std::string& names, double& value, const std::string& help = {});
    Option option(const std::string& names, std::optional<std::int64_t>& value, const std::string& help = {});
    Option option(const std::string& names, std::optional<double>& value, const std::string& help = {});
    Option option(const std::string& names, std::vector<std::string>& value, const std::string& help = {});
    Option option(const std::string& names, std::vector<std::int64_t>& value, const std::string& help = {});
    Option option(const std::string& names, std::vector<double>& value, const std::string& help = {});
    Option flag(const std::string& names, bool& value, const std::string& help = {});
    /// A sentence at the end of the help.
    void footer(const std::string& text);

    /// Reads the words behind the verb into the variables.
    /// @errors WrongUse: a word that is not expected, a value that does not fit, a missing one
    [[nodiscard]] Result<Reading> parse(std::span<const std::string> words);
    /// Whether an option ("--layer") was typed; after parse().
    [[nodiscard]] bool given(const std::string& option) const;
    [[nodiscard]] std::string help() const;

private:
    struct Parser;
    std::unique_ptr<Parser> m_parser;
};

} // namespace headscope::shell
