// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/field_target.h"

#include <functional>
#include <type_traits>
#include <utility>

namespace headscope
{

/// Who looks at a field.
enum FieldUse : unsigned
{
    kCommandUse = 1,  ///< typed: it has the name of an option
    kFormUse = 2,     ///< forms and settings of the window
    kRecordUse = 4,   ///< what a result says of how it was made
    kIdentityUse = 8, ///< decides whether two runs are the same, so that one can go on with the other's state
    kEveryUse = 15,
};

/// One field of a value, bound to the variable it is: an option of a verb, a row of a form, an attribute of a file.
/// The functions that say more about it return it, to be written one after another. Rows are cheap: they are built
/// again after every change, so that what is offered may depend on other fields and on data.
struct Field
{
    std::string key;                ///< in files: "degrees_of_freedom"; empty: of the command alone
    std::vector<std::string> names; ///< "-o", "--output"; a single one without a dash: a positional; none: not typed
    FieldTarget target;
    std::string about;                    ///< the sentence of the help, without the default
    std::string usual;                    ///< the default, as text; empty: the help shows none
    std::string value;                    ///< what the help calls the value ("FILE"); empty: by its type
    std::vector<std::string> words;       ///< the only ones taken; empty: any
    std::optional<NumberRange> limits{};  ///< the numbers that are taken
    std::optional<NumberRange> offered{}; ///< the numbers that a form offers; none: those that are taken
    std::string (*fault)(const std::string& text) = nullptr; ///< what is wrong with a text; null: nothing is
    std::string example;                                     ///< that `fault` takes
    std::string_view title{};                                ///< in forms, differences and labels of undo
    std::string_view explanation{};                          ///< the sentence of forms
    std::string_view unitWord{};                             ///< behind a number in forms: "per topic"
    std::string_view leastWord{};                            ///< what the least number means: "automatic"
    std::string_view settingName{};                          ///< in settings, where it is another than `key`
    std::span<const FieldWord> choices{};                    ///< of a text: those that a form offers, the default first
    bool isRequired = false;
    bool isFile = false;      ///< a form asks for a file
    bool isDocuments = false; ///< the text names documents that are read; "-" stands for standard input
    bool isHidden = false;
    bool isWhole = false;    ///< a form counts it in whole numbers
    bool isPercent = false;  ///< a form shows a share in whole per cent
    bool isNumbered = false; ///< a choice that files keep as the number of its word
    bool isChecked = false; ///< a file that holds another value than is taken is damaged; else it is of another version
    bool isNaNTaken = false;
    bool isOmittedEmpty = false; ///< an empty text and 0 are not stored
    bool isEnabled = true;       ///< whether it has a part in what the other fields choose
    char separator = 0;          ///< between several values in one word; 0: one word each
    unsigned uses = kEveryUse;

    Field& required();
    /// Only these words are taken.
    Field& oneOf(std::vector<std::string> all);
    /// Only these words are taken, and forms offer them by their labels.
    Field& among(std::span<const FieldWord> all);
    /// Forms offer these words of a text; others are taken, too.
    Field& offersWords(std::span<const FieldWord> some);
    /// The text is the name of a file.
    Field& file();
    /// The text names documents that are read: DOCS in the help.
    Field& documents();
    /// Only numbers from `least` to `most` are taken.
    Field& within(double least, double most) { return within(NumberRange{least, most}); }
    /// Only these numbers are taken.
    Field& within(NumberRange numbers);
    /// Only whole numbers from `least` up, as many as there can be of anything.
    Field& countFrom(std::int64_t least);
    /// Forms offer these numbers. They lie within those that are taken, which are named before.
    Field& offers(double least, double most);
    /// Forms offer whole numbers from `least` to `most`; of a list one.
    Field& offersWhole(double least, double most);
    /// Forms offer a share from `least` to `most` per cent.
    Field& offersPercent(int least, int most);
    /// Files keep the number of the word, from 0.
    Field& numbered();
    /// NaN is taken, too: not known.
    Field& orNaN();
    /// An empty text, 0 and a flag that is not set are not stored.
    Field& omitEmpty();
    /// Only texts that `check` finds no fault in ("expected ..., found ..."); `taken` is one of them.
    Field& checkedBy(std::string (*check)(const std::string& text), std::string taken);
    /// Of a choice: any text but its words stands for the last of them, and is kept there.
    Field& orText(std::string& other);
    /// Several values stand in one word, with this character between them.
    Field& separatedBy(char character);
    /// What the help calls the value ("FILE"), in place of its type.
    Field& valueName(std::string name);
    /// What the variable's own default means ("physical cores" for 0), in its place in the help; empty: no default
    /// is told.
    Field& defaultMeans(std::string meaning);
    /// Understood, but not listed in the help.
    Field& hidden();
    /// What forms, differences and labels of undo call it ("Learning rate"), and the sentence beside it in a form.
    Field& label(std::string_view text, std::string_view sentence = {});
    /// What a form shows behind the number.
    Field& unit(std::string_view word);
    /// What a form shows in place of the least number, and where nothing stands.
    Field& leastMeans(std::string_view word);
    /// What settings and widgets call it, where that is not its key.
    Field& keptAs(std::string_view name);
    /// Whether it has a part in anything, by what the other fields are now.
    Field& when(bool applies);
    /// Who looks at it, and nobody else.
    Field& only(unsigned who);
    /// Who does not look at it.
    Field& but(unsigned who);

    [[nodiscard]] bool isFor(unsigned who) const { return (uses & who) != 0; }
    [[nodiscard]] bool isFlag() const { return std::holds_alternative<bool*>(target); }
    [[nodiscard]] bool isPositional() const { return !names.front().starts_with('-'); }
    [[nodiscard]] bool takesSeveral() const;
    /// The name that a command line is written with: "-o".
    [[nodiscard]] const std::string& typedName() const { return names.front(); }
    /// What the help calls the value: its name, the words that are taken, or its type.
    [[nodiscard]] std::string shownValue() const;
    /// What it looks like in the help: "-o,--output FILE", "DOCS...".
    [[nodiscard]] std::string shownOption() const;
    /// The label within a sentence: "longest step".
    [[nodiscard]] std::string labelInside() const;
    /// What somebody who typed it knows it by: the name of the option ("jitter"), else the label.
    [[nodiscard]] std::string spokenName() const;
    /// What results call it: the name of the option ("per_topic", "cache"), else its key.
    [[nodiscard]] std::string recordName() const;
    /// The value as results say it, a list as one text, a flag that is set as "true"; none where it is unset or empty.
    [[nodiscard]] std::optional<FieldRecord> recordValue() const;
    /// Which numbers are taken: "from 1 to 4096"; empty where it is not a number.
    [[nodiscard]] std::string rangeText() const;
    /// `about` with the range and the default behind it.
    [[nodiscard]] std::string help() const;
    /// The text that it is: of a text, and of a choice for which another text stands; null of all else.
    [[nodiscard]] std::string* text() const;
    /// The value as one text, read back by set(): "30,300", "cosine", "1" of a flag that is set.
    [[nodiscard]] std::string valueText() const;
    /// Whether forms count it in whole numbers.
    [[nodiscard]] bool isCounted() const;
    /// What is wrong with a text that stands for its value, or for one of several: decimal numbers alone, finite,
    /// within the type and the limits; one of the words. Empty: nothing.
    [[nodiscard]] std::string faultOf(const std::string& one) const;
    /// Whether it is an empty text, 0, a flag that is not set, or nothing at all.
    [[nodiscard]] bool isEmpty() const;
    /// The value as a number: of a flag 0 or 1, of a choice the number of its word; NaN of what is no number or unset.
    [[nodiscard]] double number() const;
    /// Takes a number, where it is one of its type and within the limits.
    /// @return false: it is not, and nothing is changed
    [[nodiscard]] bool setNumber(double number) const;
    /// What is wrong with the value that it has; empty: nothing.
    [[nodiscard]] std::string valueFault() const;
    /// Takes a value from a text, where no fault is found in it.
    /// @return what was expected and what was found; empty: it is taken
    std::string set(const std::string& text) const;
};

/// The fields of a value: the one description that parser, help, manual page, completion, copied command lines, forms,
/// settings and attributes of files are made from. A declaration is an ordinary function that collects rows. Plain
/// data: nothing here reads or writes a command line. The variables must outlive it.
class Fields
{
public:
    /// A field that is typed, shown and kept.
    /// @param key  in files
    /// @param value  holds the default now
    /// @param names  of the option: "--dof", "-o,--output"; empty: it is not typed
    /// @return valid until the next field is declared
    template <class T>
    requires std::is_constructible_v<FieldTarget, T*> Field&
    operator()(std::string_view key, T& value, std::string_view names = {}, std::string about = {})
    {
        return add(key, names, &value, std::move(about));
    }
    /// An enumeration whose values are the numbers of the words, from 0.
    template <class E>
    requires std::is_enum_v<E> || std::is_same_v<E, bool> Field& operator()(std::string_view key, E& value,
                                                                            std::span<const FieldWord> words,
                                                                            std::string_view names = {},
                                                                            std::string about = {})
    {
        return add(key, names, choiceOf(value, words), std::move(about));
    }
    /// An option of the command alone.
    /// @param names  "--layer", "-o,--output", or without a dash "CACHE": a positional
    template <class T>
    requires std::is_constructible_v<FieldTarget, T*> &&
        (!std::is_same_v<T, bool>)Field& option(std::string_view names, T& value, std::string about = {})
    {
        return add({}, names, &value, std::move(about)).only(kCommandUse);
    }
    template <class E>
    requires std::is_enum_v<E> Field& option(std::string_view names, E& value, std::span<const FieldWord> words,
                                             std::string about = {})
    {
        return add({}, names, choiceOf(value, words), std::move(about)).only(kCommandUse);
    }
    /// An option of the command alone, without a value.
    Field& flag(std::string_view names, bool& value, std::string about = {});
    /// A sentence at the end of the help.
    void footer(std::string text) { m_footer = std::move(text); }

    /// All fields, in the order of their declaration.
    [[nodiscard]] const std::vector<Field>& rows() const { return m_rows; }
    /// Those that are typed.
    [[nodiscard]] std::vector<std::reference_wrapper<const Field>> options() const& { return used(kCommandUse); }
    std::vector<std::reference_wrapper<const Field>> options() const&& = delete; ///< they would not outlive it
    /// Those that somebody looks at.
    /// @return valid until the next field is declared
    [[nodiscard]] std::vector<std::reference_wrapper<const Field>> used(unsigned who) const&;
    std::vector<std::reference_wrapper<const Field>> used(unsigned who) const&& = delete;
    [[nodiscard]] const std::string& footer() const { return m_footer; }
    /// The option of a name ("--layer"), to say more about it; null where there is none.
    [[nodiscard]] Field* find(std::string_view name);
    /// The field of this key is required.
    void require(std::string_view key);
    /// All of them are required.
    void requireAll();
    /// The field of a key; null where there is none.
    [[nodiscard]] const Field* ofKey(std::string_view key) const;

private:
    template <class E>
    static FieldChoice choiceOf(E& value, std::span<const FieldWord> words)
    {
        return {&value, [](const void* at) { return static_cast<int>(*static_cast<const E*>(at)); },
                [](void* at, int word) { *static_cast<E*>(at) = static_cast<E>(word); }, words, nullptr};
    }
    Field& add(std::string_view key, std::string_view names, FieldTarget target, std::string about);

    std::vector<Field> m_rows;
    std::string m_footer;
};

/// Gives one field the value of another of the same declaration.
void copyValue(const Field& from, const Field& to);
[[nodiscard]] bool haveSameValue(const Field& a, const Field& b);

/// Two values of one field that differ, as texts.
struct FieldDifference
{
    const Field* field = nullptr; ///< of the first declaration
    std::string first;
    std::string second;
};

/// Where two values of one type differ, by the same declaration of both.
/// @param who  fields that nobody of these looks at are passed over
[[nodiscard]] std::vector<FieldDifference> differences(const Fields& first, const Fields& second, unsigned who);

} // namespace headscope
