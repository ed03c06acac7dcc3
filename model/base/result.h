// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/assert.h"
#include "model/base/error.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace headscope
{

/// A value, or the Error that prevented it. The members carry the names of std::expected, which
/// C++20 does not have yet.
template <class T>
class [[nodiscard]] Result
{
public:
    using value_type = T;

    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}     // NOLINT(google-explicit-constructor)
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() &
    {
        HEADSCOPE_ASSERT(has_value());
        return *std::get_if<0>(&m_state);
    }
    [[nodiscard]] const T& value() const&
    {
        HEADSCOPE_ASSERT(has_value());
        return *std::get_if<0>(&m_state);
    }
    [[nodiscard]] T&& value() &&
    {
        HEADSCOPE_ASSERT(has_value());
        return std::move(*std::get_if<0>(&m_state));
    }
    [[nodiscard]] T value_or(T other) &&
    {
        return has_value() ? std::move(*std::get_if<0>(&m_state)) : std::move(other);
    }

    [[nodiscard]] Error& error() &
    {
        HEADSCOPE_ASSERT(!has_value());
        return *std::get_if<1>(&m_state);
    }
    [[nodiscard]] const Error& error() const&
    {
        HEADSCOPE_ASSERT(!has_value());
        return *std::get_if<1>(&m_state);
    }
    [[nodiscard]] Error&& error() &&
    {
        HEADSCOPE_ASSERT(!has_value());
        return std::move(*std::get_if<1>(&m_state));
    }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

/// Success, or the Error that prevented it.
template <>
class [[nodiscard]] Result<void>
{
public:
    using value_type = void;

    Result() = default;
    Result(Error error) : m_error(std::move(error)) {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const { return !m_error.has_value(); }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] const Error& error() const&
    {
        HEADSCOPE_ASSERT(!has_value());
        return *m_error;
    }
    [[nodiscard]] Error&& error() &&
    {
        HEADSCOPE_ASSERT(!has_value());
        return std::move(*m_error);
    }

private:
    std::optional<Error> m_error;
};

using Status = Result<void>;

} // namespace headscope

#define HEADSCOPE_CONCAT_INNER(a, b) a##b
#define HEADSCOPE_CONCAT(a, b) HEADSCOPE_CONCAT_INNER(a, b)

/// HEADSCOPE_TRY(auto x, expression): x becomes the value of the Result, or the enclosing function
/// returns its Error.
#define HEADSCOPE_TRY(declaration, ...) \
    auto HEADSCOPE_CONCAT(resultOf, __LINE__) = (__VA_ARGS__); \
    if (!HEADSCOPE_CONCAT(resultOf, __LINE__).has_value()) \
        return std::move(HEADSCOPE_CONCAT(resultOf, __LINE__)).error(); \
    declaration = std::move(HEADSCOPE_CONCAT(resultOf, __LINE__)).value()

/// HEADSCOPE_CHECK(expression): the enclosing function returns the Error of a failed Status.
#define HEADSCOPE_CHECK(...) \
    do \
    { \
        if (auto statusOfCheck = (__VA_ARGS__); !statusOfCheck.has_value()) \
            return std::move(statusOfCheck).error(); \
    } while (false)
