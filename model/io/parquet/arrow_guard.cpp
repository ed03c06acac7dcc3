// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/parquet/arrow_guard.h"

#include "model/base/escape_controls.h"
#include "model/base/file.h"
#include "model/base/thrown_error.h"

#include <fmt/format.h>

#include <arrow/util/config.h>
#include <arrow/util/io_util.h>
#include <parquet/exception.h>

#include <new>
#include <stdexcept>
#include <string_view>

namespace headscope
{
namespace
{

/// The first line of what Arrow says, which may hold bytes of the file.
std::string wordsOf(std::string_view message)
{
    constexpr std::size_t kLongest = 200;
    const std::string shown = escapeControls(message.substr(0, message.find('\n')), LineBreaks::Shown);
    return shown.size() <= kLongest ? shown : escapeControls(shown.substr(0, kLongest)) + "…";
}

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

} // namespace

Error arrowError(const arrow::Status& status)
{
    const std::string message = status.message();
    if (status.IsOutOfMemory())
        return {ErrorCode::BadFormat,
                fmt::format("expected pages that unpack to at most {} MiB, found larger ones", kMaxArrowBytes >> 20),
                {},
                {}};
    if (const int number = arrow::internal::ErrnoFromStatus(status); number != 0)
        return systemError(number, {}, "reading");
    if (mentions(message, "CRC"))
        return {ErrorCode::BadFormat, "expected a page that matches its checksum, found a damaged one", {}, {}};
    if (status.IsNotImplemented() || mentions(message, "codec") || mentions(message, "Codec") ||
        mentions(message, "compression"))
        return {ErrorCode::Unsupported,
                fmt::format("expected Parquet that Arrow {} can read, found something else ({}); convert it to JSONL "
                            "or CSV, or write it again with zstd",
                            ARROW_VERSION_STRING, wordsOf(message)),
                {},
                {}};
    return {ErrorCode::BadFormat, fmt::format("the Parquet data is damaged ({})", wordsOf(message)), {}, {}};
}

Error arrowThrownError()
{
    try
    {
        throw;
    }
    catch (const parquet::ParquetStatusException& error)
    {
        return arrowError(error.status());
    }
    catch (const parquet::ParquetException& error)
    {
        return arrowError(arrow::Status::IOError(error.what()));
    }
    catch (const std::logic_error& error) // a length or place that no sound file has
    {
        return arrowError(arrow::Status::Invalid(error.what()));
    }
    catch (...)
    {
        return thrownError("reading Parquet: ");
    }
}

} // namespace headscope
