// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/regex.h"

#include "model/base/utf8.h"

#include <fmt/format.h>
#include <oniguruma.h>

#include <array>
#include <mutex>

namespace headscope::tokenize
{
namespace
{

// A pattern comes from a file that somebody downloaded. What it may cost on one search is bounded:
// a fixed allowance, and so many steps for each byte of the text. The patterns in use need about
// two a byte.
constexpr unsigned long kFreeSteps = 1'000'000;
constexpr unsigned long kStepsPerByte = 32;
constexpr std::size_t kMaxPatternBytes = 64 * 1024;

const OnigUChar* bytesOf(std::string_view text)
{
    return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string engineMessage(int code, OnigErrorInfo* info)
{
    std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
    const int length = info == nullptr ? onig_error_code_to_str(buffer.data(), code)
                                       : onig_error_code_to_str(buffer.data(), code, info);
    return {reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(length)};
}

void initializeEngine()
{
    static std::once_flag once;
    std::call_once(once, [] {
        std::array<OnigEncoding, 1> encodings{ONIG_ENCODING_UTF8};
        onig_initialize(encodings.data(), static_cast<int>(encodings.size()));
    });
}

} // namespace

struct Regex::State
{
    std::string pattern;
    regex_t* compiled = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { onig_free(compiled); }
};

struct Regex::Matches::State
{
    const Regex::State* regex = nullptr;
    std::string_view text;
    std::size_t from = 0;
    OnigRegion* region = onig_region_new();
    OnigMatchParam* limits = onig_new_match_param();

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State()
    {
        onig_region_free(region, 1);
        onig_free_match_param(limits);
    }
};

Regex::Regex(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Regex::Matches::Matches(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Regex::Matches::Matches(Matches&&) noexcept = default;
Regex::Matches::~Matches() = default;

Result<Regex> Regex::compile(std::string_view pattern)
{
    if (pattern.size() > kMaxPatternBytes)
    {
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected a regular expression of at most {} bytes, found {}", kMaxPatternBytes,
                                 pattern.size()),
                     {},
                     {}};
    }
    initializeEngine();
    auto state = std::make_unique<State>();
    state->pattern = pattern;
    OnigErrorInfo info{};
    const int code = onig_new(&state->compiled, bytesOf(pattern), bytesOf(pattern) + pattern.size(), ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8, ONIG_SYNTAX_ONIGURUMA, &info);
    if (code != ONIG_NORMAL)
    {
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected a regular expression that Oniguruma understands, found \"{}\": {}", pattern,
                                 engineMessage(code, &info)),
                     {},
                     {}};
    }
    return Regex(std::move(state));
}

Result<Regex> Regex::literal(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
    {
        if (std::string_view("\\^$.|?*+()[]{}-#&~ \t\n\r\f\v").find(c) != std::string_view::npos)
            escaped.push_back('\\');
        escaped.push_back(c);
    }
    return compile(escaped);
}

const std::string& Regex::pattern() const
{
    return m_state->pattern;
}

Regex::Matches Regex::matches(std::string_view text) const
{
    auto state = std::make_unique<Matches::State>();
    state->regex = m_state.get();
    state->text = text;
    const unsigned long steps = kFreeSteps + kStepsPerByte * static_cast<unsigned long>(text.size());
    onig_set_retry_limit_in_match_of_match_param(state->limits, steps);
    onig_set_retry_limit_in_search_of_match_param(state->limits, steps);
    onig_set_match_stack_limit_size_of_match_param(state->limits, 1U << 28);
    return Matches(std::move(state));
}

Result<std::optional<ByteRange>> Regex::Matches::next()
{
    State& s = *m_state;
    if (s.from > s.text.size())
        return std::optional<ByteRange>();
    const OnigUChar* begin = bytesOf(s.text);
    const OnigUChar* end = begin + s.text.size();
    const int found = onig_search_with_param(s.regex->compiled, begin, end, begin + s.from, end, s.region,
                                             ONIG_OPTION_NONE, s.limits);
    if (found == ONIG_MISMATCH)
    {
        s.from = s.text.size() + 1;
        return std::optional<ByteRange>();
    }
    if (found < 0)
    {
        return Error{ErrorCode::BadFormat,
                     fmt::format("the regular expression \"{}\" could not be matched against a text of {} bytes: {}",
                                 s.regex->pattern, s.text.size(), engineMessage(found, nullptr)),
                     {},
                     {}};
    }
    const ByteRange range{static_cast<std::size_t>(s.region->beg[0]), static_cast<std::size_t>(s.region->end[0])};
    s.from = range.end;
    if (range.size() == 0)
        s.from += range.end < s.text.size() ? utf8SizeFromLead(s.text[range.end]) : 1;
    return std::optional<ByteRange>(range);
}

} // namespace headscope::tokenize
