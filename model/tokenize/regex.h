// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headscope::tokenize
{

/// Bytes of a text from `begin` up to, not including, `end`.
struct ByteRange
{
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    bool operator==(const ByteRange&) const = default;
};

/// A regular expression in Oniguruma's syntax, the one that tokenizer.json files are written in.
/// @threads search() from any number of threads at once
class Regex
{
public:
    /// @errors Unsupported, with the pattern and what the engine says about it
    [[nodiscard]] static Result<Regex> compile(std::string_view pattern);
    /// A regular expression that matches this text and nothing else.
    [[nodiscard]] static Result<Regex> literal(std::string_view text);

    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;
    ~Regex();

    /// Finds the matches of one text, one after another.
    class Matches
    {
    public:
        ~Matches();
        Matches(Matches&&) noexcept;
        Matches& operator=(Matches&&) = delete;

        /// The next match, leftmost first; nothing at the end. An empty match moves the search on
        /// by one character.
        /// @errors BadFormat when the pattern needs more than its share of steps on this text
        [[nodiscard]] Result<std::optional<ByteRange>> next();

    private:
        friend class Regex;
        struct State;
        explicit Matches(std::unique_ptr<State> state);
        std::unique_ptr<State> m_state;
    };

    /// @param text  well-formed UTF-8, which outlives the matches
    [[nodiscard]] Matches matches(std::string_view text) const;

    [[nodiscard]] const std::string& pattern() const;

private:
    struct State;
    explicit Regex(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headscope::tokenize
