// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace headscope::shell
{

/// The variable that an option fills.
using OptionTarget = std::variant<bool*, std::string*, int*, std::int64_t*, std::uint64_t*, double*,
                                  std::optional<std::string>*, std::optional<std::int64_t>*, std::optional<double>*,
                                  std::vector<std::string>*, std::vector<std::int64_t>*, std::vector<double>*>;

/// The numbers that an option takes.
struct NumberLimits
{
    double least;
    double most;
    bool isLeastOut = false; ///< numbers above `least` are taken, not itself
    bool isMostOut = false;

    [[nodiscard]] bool holds(double number) const;
};

/// As many of something as anybody can mean: limit of counts that only data bound.
inline constexpr std::int64_t kMostCount = 1'000'000'000;

/// One option of a verb. The functions that say more about it return it, to be written one after another.
struct OptionRow
{
    std::vector<std::string> names; ///< "-o", "--output"; a single one without a dash: a positional
    OptionTarget target;
    std::string about;              ///< the sentence of the help, without the default
    std::string usual;              ///< the default, as text; empty: the help shows none
    std::string value;              ///< what the help calls the value ("FILE"); empty: by its type
    std::vector<std::string> words; ///< the only ones taken; empty: any
    std::optional<std::pair<std::int64_t, std::int64_t>> limits{}; ///< of a whole number
    std::optional<NumberLimits> realLimits{};                      ///< of any other number
    std::string (*fault)(const std::string& text) = nullptr;       ///< what is wrong with a text; null: nothing is
    std::string example;                                           ///< that `fault` takes
    bool isRequired = false;
    bool isHidden = false;
    char separator = 0; ///< between several values in one word; 0: one word each

    OptionRow& required();
    /// Only these words are taken.
    OptionRow& oneOf(std::vector<std::string> choices);
    /// Only whole numbers from `least` to `most` are taken.
    OptionRow& within(std::int64_t least, std::int64_t most);
    /// Only these numbers are taken.
    OptionRow& within(NumberLimits numbers);
    /// Only whole numbers from `least` up, as many as there can be of anything.
    OptionRow& countFrom(std::int64_t least) { return within(least, kMostCount); }
    /// Only texts that `check` finds nothing wrong with ("expected ..., found ..."); `taken` is one of them.
    OptionRow& checkedBy(std::string (*check)(const std::string& text), std::string taken);
    /// Several values stand in one word, with this character between them.
    OptionRow& separatedBy(char character);
    /// What the help calls the value ("FILE"), in place of its type.
    OptionRow& valueName(std::string name);
    /// What the variable's own default means ("physical cores" for 0), in its place in the help; empty: no default
    /// is told.
    OptionRow& defaultMeans(std::string meaning);
    /// Understood, but not listed in the help.
    OptionRow& hidden();

    [[nodiscard]] bool isFlag() const { return std::holds_alternative<bool*>(target); }
    [[nodiscard]] bool isPositional() const { return !names.front().starts_with('-'); }
    [[nodiscard]] bool takesSeveral() const;
    /// The name that a command line is written with: "-o".
    [[nodiscard]] const std::string& typedName() const { return names.front(); }
    /// What the help calls the value: its name, the words that are taken, or its type.
    [[nodiscard]] std::string shownValue() const;
    /// What it looks like in the help: "-o,--output FILE", "DOCS...".
    [[nodiscard]] std::string shownOption() const;
    /// Which numbers are taken: "from 1 to 4096"; empty where it is not a number.
    [[nodiscard]] std::string rangeText() const;
    /// `about` with the range and the default behind it.
    [[nodiscard]] std::string help() const;
};

/// The options of one verb, each bound to the variable it fills: the one description that the parser, the help,
/// the manual page, the completion and the command line that is copied are made from. Plain data: nothing here
/// reads or writes a command line. The variables must outlive it.
class OptionTable
{
public:
    /// @param names  "--layer", "-o,--output", or without a dash "CACHE": a positional
    /// @param value  holds the default now
    /// @return valid until the next option is declared
    template <class T>
    requires std::is_constructible_v<OptionTarget, T*> &&
        (!std::is_same_v<T, bool>)OptionRow& option(std::string_view names, T& value, std::string about = {})
    {
        return add(names, &value, std::move(about));
    }
    /// An option without a value.
    OptionRow& flag(std::string_view names, bool& value, std::string about = {});
    /// A sentence at the end of the help.
    void footer(std::string text) { m_footer = std::move(text); }

    [[nodiscard]] const std::vector<OptionRow>& rows() const { return m_rows; }
    [[nodiscard]] const std::string& footer() const { return m_footer; }
    /// The option of a name ("--layer"), to say more about it; null where there is none.
    [[nodiscard]] OptionRow* find(std::string_view name);

private:
    OptionRow& add(std::string_view names, OptionTarget target, std::string about);

    std::vector<OptionRow> m_rows;
    std::string m_footer;
};

/// The value of a variable as typed words: one, none where it is unset, several for a list. Numbers are the shortest
/// that are read back as the same.
[[nodiscard]] std::vector<std::string> valueWords(const OptionTarget& target);

} // namespace headscope::shell
