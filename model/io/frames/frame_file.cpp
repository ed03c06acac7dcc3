// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/frames/frame_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope
{
namespace
{

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}

std::string datasetOf(const std::string& group, const FrameCell& cell)
{
    std::string name = headerOf(cell, '_');
    std::ranges::replace(name, ' ', '_'); // of a header of its own
    return fmt::format("/{}/{}", group, name);
}

Column::Texts textsOf(const Column& column)
{
    if (column.info->shown == Shown::Flag)
        return columnValues(std::get<Column::Wholes>(column.values),
                            [](std::int64_t flag) { return std::string(flag > 0 ? "yes" : ""); });
    return std::get<Column::Texts>(column.values);
}

Status writeColumn(Hdf5Writer& file, const std::string& dataset, const FrameCell& cell)
{
    const Column& column = *cell.column;
    const std::array rows = {static_cast<std::int64_t>(column.rows())};
    if (cell.slot.facet == Facet::IntervalMethod || cell.slot.facet == Facet::NullMethod)
        return file.writeStrings(dataset,
                                 cell.slot.facet == Facet::NullMethod ? column.nullMethod : column.intervalMethod);
    if (cell.slot.facet == Facet::Value && column.isText())
        return file.writeStrings(dataset, textsOf(column));
    if (const auto* wholes = std::get_if<Column::Wholes>(&column.values);
        wholes && cell.slot.facet == Facet::Value && std::ranges::find(*wholes, kNoCount) == wholes->end())
        return file.write(dataset, rows, NumberType::I64, bytesOf(*wholes));
    Column::Reals reals(column.rows());
    for (std::size_t row = 0; row < reals.size(); ++row)
        reals[row] = column.at(cell.slot.facet, row);
    return file.write(dataset, rows, NumberType::F64, bytesOf(reals));
}

/// The values of a column as they lie in a file.
Result<Column::Values> readValues(const Hdf5Reader& file, const std::string& dataset, Shown shown)
{
    if (!isWhole(shown) && !isText(shown))
    {
        HEADSCOPE_TRY(Column::Reals reals, readNumbers<double>(file, dataset));
        return Column::Values(std::move(reals));
    }
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (info.text)
    {
        HEADSCOPE_TRY(Column::Texts texts, file.readStrings(dataset, 0, info.rows()));
        if (isText(shown))
            return Column::Values(std::move(texts));
        return Column::Values(
            columnValues(texts, [](const std::string& text) { return std::int64_t{text == "yes" ? 1 : 0}; }));
    }
    if (isText(shown))
        return Error{ErrorCode::BadFormat, fmt::format("expected texts, found {}", info.describe()), {}, dataset};
    if (info.number && isFloating(*info.number))
    {
        HEADSCOPE_TRY(const Column::Reals reals, readNumbers<double>(file, dataset));
        return Column::Values(columnValues(
            reals, [](double value) { return std::isfinite(value) ? static_cast<std::int64_t>(value) : kNoCount; }));
    }
    HEADSCOPE_TRY(Column::Wholes wholes, readNumbers<std::int64_t>(file, dataset));
    return Column::Values(std::move(wholes));
}

Status checkRows(const Frame& frame, std::size_t rows, const std::string& dataset)
{
    if (frame.columns().empty() || rows == frame.columns().front().rows())
        return {};
    return Error{ErrorCode::BadFormat,
                 fmt::format("expected {} rows as in the other columns, found {}", frame.rows(), rows),
                 {},
                 dataset};
}

/// Reads one slot into its column.
Status readSlot(const Hdf5Reader& file, const std::string& dataset, const Slot& slot, const ColumnInfo& info,
                Frame& frame)
{
    Column* column = frame.find(slot.column);
    if (slot.facet == Facet::Value)
    {
        HEADSCOPE_TRY(Column::Values values, readValues(file, dataset, info.shown));
        HEADSCOPE_CHECK(checkRows(frame, std::visit([](const auto& each) { return each.size(); }, values), dataset));
        frame.add(slot.column, std::move(values));
    }
    else if (column != nullptr)
    {
        HEADSCOPE_TRY(Column::Reals reals, readNumbers<double>(file, dataset));
        HEADSCOPE_CHECK(checkRows(frame, reals.size(), dataset));
        const bool isThere = std::ranges::any_of(reals, [](double value) { return std::isfinite(value); });
        if (isThere) // empty cells of a slot whose column has no such facet
            column->set(slot.facet, std::move(reals));
    }
    return {};
}

} // namespace

Status writeFrame(Hdf5Writer& file, const std::string& group, const Frame& frame)
{
    HEADSCOPE_CHECK(file.makeGroup("/" + group));
    if (frame.rows() == 0)
        return {};
    for (const FrameCell& cell : fileCells(frame))
        HEADSCOPE_CHECK(writeColumn(file, datasetOf(group, cell), cell));
    return {};
}

Status writeMatrix(Hdf5Writer& file, const std::string& dataset, const MatrixD& matrix)
{
    const std::array shape = {matrix.rows(), matrix.cols()};
    return file.write(dataset, shape, NumberType::F64, bytesOf(matrix.values()));
}

Status writeFacts(Hdf5Writer& file, const std::string& group, const Members& facts)
{
    const std::string object = group.starts_with('/') ? group : "/" + group;
    for (const auto& [name, node] : facts)
    {
        if (const auto* text = std::get_if<std::string>(&node.value))
            HEADSCOPE_CHECK(file.setAttribute(object, name, *text));
        else if (const auto* whole = std::get_if<std::int64_t>(&node.value))
            HEADSCOPE_CHECK(file.setAttribute(object, name, *whole));
        else if (const auto* flag = std::get_if<bool>(&node.value))
            HEADSCOPE_CHECK(file.setAttribute(object, name, std::int64_t{*flag ? 1 : 0}));
        else if (const auto* real = std::get_if<double>(&node.value))
            HEADSCOPE_CHECK(file.setAttribute(object, name, *real));
    }
    return {};
}

Result<Frame> readFrame(const Hdf5Reader& file, const std::string& group, const FrameInfo& about)
{
    if (!file.has("/" + group))
        return Error{ErrorCode::BadFormat, "expected this table, found none", file.path().string(), "/" + group};
    Frame frame(about);
    std::vector<Slot> slots = possibleFileSlots(about);
    std::stable_partition(slots.begin(), slots.end(), [](const Slot& slot) { return slot.facet == Facet::Value; });
    for (const Slot& slot : slots)
    {
        const ColumnInfo& info = *about.find(slot.column);
        Column column;
        column.info = &info;
        std::string dataset = datasetOf(group, {&column, slot});
        column.header = info.alias;
        const bool isOther = !info.alias.empty() && !file.isDataset(dataset);
        if (isOther)
            dataset = datasetOf(group, {&column, slot});
        if (!file.isDataset(dataset))
            continue;
        if (auto read = readSlot(file, dataset, slot, info, frame); !read)
            return std::move(read).error().inFile(file.path().string());
        if (isOther)
            frame.find(slot.column)->header = info.alias;
    }
    return frame;
}

} // namespace headscope
