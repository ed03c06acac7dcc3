// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/work_document.h"

#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "model/formats/json.h"
#include "ui/words/wording.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <fmt/format.h>

#include <fstream>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kVersion = 1;
constexpr std::string_view kFormat = "headscope-work-file";
constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";

QString pathOf(const std::filesystem::path& file)
{
    return QFileInfo(ui::toQString(file.string())).absoluteFilePath();
}

/// "work files of version 1"; an error names what stands there instead.
Status checkKind(const JsonView& root, std::string_view fileName)
{
    const auto fault = [fileName](ErrorCode code, std::string message, std::string place) -> Status {
        return Error{code, std::move(message), std::string(fileName), std::move(place)};
    };
    const auto format = root.find("format");
    const Result<std::string_view> name =
        format ? format->asString() : Result<std::string_view>(Error{ErrorCode::BadFormat, {}, {}, {}});
    if (!name || *name != kFormat)
        return fault(ErrorCode::BadFormat,
                     fmt::format("expected \"{}\", the signature of a project file, found {}", kFormat,
                                 name ? fmt::format("\"{}\"", name->substr(0, 40)) : std::string("none")),
                     "format");
    const auto version = root.find("version");
    const Result<std::int64_t> number =
        version ? version->asInt() : Result<std::int64_t>(Error{ErrorCode::BadFormat, "found none", {}, {}});
    if (!number || *number < 1)
        return fault(ErrorCode::BadFormat, "expected an integer of at least 1", "version");
    if (*number > kVersion)
        return fault(ErrorCode::Unsupported,
                     fmt::format("expected a project file of version {} or older, found version {}: a newer Headscope "
                                 "is needed to open it",
                                 kVersion, *number),
                     "version");
    return {};
}

/// A text of an object, "" where there is none.
Status takeText(const QJsonObject& object, const char* key, std::string_view fileName, QString& to)
{
    const QJsonValue value = object.value(QLatin1StringView(key));
    if (!value.isUndefined() && !value.isString())
        return Error{ErrorCode::BadFormat, "expected a text", std::string(fileName), key};
    to = value.toString();
    return {};
}

} // namespace

QByteArray textOfWork(const WorkDocument& document)
{
    QJsonObject root = document.others;
    root[QStringLiteral("format")] = QLatin1StringView(kFormat.data(), static_cast<qsizetype>(kFormat.size()));
    root[QStringLiteral("version")] = static_cast<qint64>(kVersion);
    root[QStringLiteral("saved")] =
        QDateTime::fromMSecsSinceEpoch(document.savedMs, Qt::UTC).toString(Qt::ISODateWithMs);
    root[QStringLiteral("cache")] = QJsonObject{{QStringLiteral("path"), document.cachePath},
                                                {QStringLiteral("relative"), document.cacheRelative},
                                                {QStringLiteral("identity"), document.identity},
                                                {QStringLiteral("origin"), document.origin}};
    root[QStringLiteral("state")] = document.state;
    return QJsonDocument(root).toJson(QJsonDocument::Indented);
}

Result<WorkDocument> parseWork(std::string_view text, std::string_view fileName)
{
    JsonOptions options;
    options.maxDepth = kMaxWorkDepth;
    options.rejectDuplicateKeys = true;
    HEADSCOPE_TRY(const JsonDocument checked, JsonDocument::parse(text, fileName, options));
    if (!checked.root().isObject())
        return Error{ErrorCode::BadFormat, "expected a project file: a JSON object", std::string(fileName), {}};
    HEADSCOPE_CHECK(checkKind(checked.root(), fileName));
    QByteArray bytes = QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
    if (bytes.startsWith("\xEF\xBB\xBF"))
        bytes = bytes.mid(3);
    QJsonParseError fault;
    QJsonObject root = QJsonDocument::fromJson(bytes, &fault).object();
    if (fault.error != QJsonParseError::NoError)
        return Error{ErrorCode::BadFormat, fault.errorString().toStdString(), std::string(fileName), {}};
    for (const char* part : {"cache", "state"})
        if (!root.value(QLatin1StringView(part)).isObject())
            return Error{ErrorCode::BadFormat, "expected an object", std::string(fileName), part};
    const QJsonObject cache = root.value(QStringLiteral("cache")).toObject();
    WorkDocument document;
    HEADSCOPE_CHECK(takeText(cache, "path", fileName, document.cachePath));
    HEADSCOPE_CHECK(takeText(cache, "relative", fileName, document.cacheRelative));
    HEADSCOPE_CHECK(takeText(cache, "identity", fileName, document.identity));
    HEADSCOPE_CHECK(takeText(cache, "origin", fileName, document.origin));
    QString saved;
    HEADSCOPE_CHECK(takeText(root, "saved", fileName, saved));
    const QDateTime when = QDateTime::fromString(saved, Qt::ISODateWithMs);
    document.savedMs = when.isValid() ? when.toMSecsSinceEpoch() : 0;
    document.state = root.value(QStringLiteral("state")).toObject();
    for (const char* known : {"format", "version", "saved", "cache", "state"})
        root.remove(QLatin1StringView(known));
    document.others = root;
    return document;
}

Result<WorkDocument> readWork(const std::filesystem::path& file)
{
    HEADSCOPE_TRY(const std::string text, readTextFile(file, kMaxWorkBytes));
    return parseWork(text, file.string());
}

Status writeWork(const std::filesystem::path& file, WorkDocument document)
{
    if (isKeptWork(file))
        return Error{ErrorCode::InvalidArgument,
                     "this file holds the autosaved analyses of a cache: choose another name",
                     file.string(),
                     {}};
    const QString relative = QFileInfo(pathOf(file)).absoluteDir().relativeFilePath(document.cachePath);
    document.cacheRelative = QDir::isRelativePath(relative) ? relative : QString();
    const QByteArray text = textOfWork(document);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored))
    {
        // First the copy, then the new one: at every moment one of the two names holds the last whole work.
        const Result<std::string> before = readTextFile(file, kMaxWorkBytes);
        if (before && *before != std::string_view(text.constData(), static_cast<std::size_t>(text.size())))
            HEADSCOPE_CHECK(writeFileAtomically(file.string() + "~", *before));
    }
    return writeFileAtomically(file, std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
}

QString findCacheOf(const WorkDocument& document, const std::filesystem::path& file)
{
    if (!document.cacheRelative.isEmpty())
        if (const QString beside = QFileInfo(pathOf(file)).absoluteDir().absoluteFilePath(document.cacheRelative);
            QFileInfo(beside).isFile())
            return QDir::cleanPath(beside);
    return QFileInfo(document.cachePath).isFile() ? document.cachePath : QString();
}

bool isKeptWork(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return false; // a pipe would be waited for
    std::ifstream stream(file, std::ios::binary);
    std::string head(kHdf5.size(), '\0');
    return stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kHdf5;
}

} // namespace headscope::desktop
