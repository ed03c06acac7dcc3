// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope
{

/// What kind of failure it was. The command line turns each into an exit code (exitCode below),
/// the window into a heading.
enum class ErrorCode
{
    FileNotFound,    ///< a named file or folder does not exist
    BadFormat,       ///< data is malformed or contradicts itself
    Unsupported,     ///< data is well formed, but needs something that is not built in
    ShapeMismatch,   ///< two things that must fit together do not
    InvalidArgument, ///< a value that this data cannot satisfy
    WrongUse,        ///< a value or option that no data could make right
    Resource,        ///< disk full, no permission, device lost
    OutOfMemory,
    Cancelled, ///< the user asked to stop; never shown as an error
    Internal,  ///< a bug in Headscope
};

/// The code's name as `--json` prints it, for example "bad_format".
[[nodiscard]] std::string_view errorCodeName(ErrorCode code);

/// An expected failure, with everything a person needs to mend it.
///
/// `message` says what was expected and what was found; `file` and `place` (a tensor, a line, a
/// field) may be empty. Callers that know more fill the empty fields and do not rephrase.
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string file;
    std::string place;

    /// "FILE: PLACE: message", with the empty parts left out.
    [[nodiscard]] std::string sentence() const;

    /// The same error with `file` filled in where it was empty.
    [[nodiscard]] Error inFile(std::string_view name) &&;
    /// The same error with `place` filled in where it was empty.
    [[nodiscard]] Error atPlace(std::string_view where) &&;
};

/// Process exit code of a command that ended with this error: 2 wrong use, 3 bad data, 4 resource,
/// 70 a bug, 130 interrupted.
[[nodiscard]] int exitCode(ErrorCode code);

} // namespace headscope
