// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/json.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

/// Values of files that strangers write, each checked, with its place in the error.
namespace headscope::lesson_json
{

/// A place in a file: "steps[2].picture".
class Place
{
public:
    explicit Place(std::string_view file) : m_file(file) {}

    [[nodiscard]] Place at(std::string_view key) const;
    [[nodiscard]] Place at(std::size_t index) const;
    /// BadFormat here.
    [[nodiscard]] Error error(std::string message) const;
    [[nodiscard]] Error error(ErrorCode code, std::string message) const;

private:
    std::string m_file;
    std::string m_path;
};

/// Refuses what is no object of this format, or of a newer version.
/// @param what  "lesson"
[[nodiscard]] Status checkKind(const JsonView& root, const Place& place, std::string_view format, std::int64_t newest,
                               std::string_view what);
/// Refuses what is no object, and keys that are not among these.
[[nodiscard]] Status checkKeys(const JsonView& value, const Place& place, std::initializer_list<std::string_view> keys);

/// A text for people: not empty, no control characters but line ends, at most `most` bytes.
[[nodiscard]] Result<std::string> text(const JsonView& value, const Place& place, std::size_t most);
/// The same of a key that must be there.
[[nodiscard]] Result<std::string> textIn(const JsonView& object, std::string_view key, const Place& place,
                                         std::size_t most);
/// A name of small letters, digits and dashes, at most 64 of them.
[[nodiscard]] Result<std::string> nameIn(const JsonView& object, std::string_view key, const Place& place);
/// A number of this range.
[[nodiscard]] Result<double> number(const JsonView& value, const Place& place, double low, double high);

} // namespace headscope::lesson_json
