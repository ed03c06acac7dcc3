// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/result_values.h"

#include "model/base/hash.h"
#include "model/data/documents/document_set.h"
#include "model/io/records/record_json.h"

#include <QJsonDocument>

#include <span>

namespace headscope
{

void fields(RecordFields& record, Interval& interval)
{
    record("low", interval.low).required();
    record("high", interval.high).required();
}

void fields(RecordFields& record, PermutationNull& null)
{
    record("mean", null.mean).required();
    record("high", null.high).required();
    record("p", null.p).required();
    record("permutations", null.permutations).required().countFrom(0);
}

} // namespace headscope

namespace headscope::desktop::state
{

QJsonObject recordObject(const RecordFields& record)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(recordJson(record))).object();
}

Status takeRecord(const QJsonObject& object, const RecordFields& record)
{
    const std::string text = QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
    JsonParser parser;
    HEADSCOPE_TRY(const JsonView view, parser.parseLine(text));
    return readRecord(view, record);
}

std::string labelDigest(const LabelColumn* column)
{
    if (column == nullptr)
        return {};
    Xxh3 hash;
    hash.update(std::as_bytes(std::span(column->codes)));
    for (const std::string& category : column->categories)
        hash.update(std::as_bytes(std::span(category.c_str(), category.size() + 1)));
    return hash.hex();
}

} // namespace headscope::desktop::state
