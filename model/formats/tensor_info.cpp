// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/tensor_info.h"

#include "model/base/assert.h"
#include "model/base/utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope
{

std::uint64_t TensorInfo::elements() const
{
    return checkedProduct(shape).value_or(0);
}

const TensorInfo* TensorDirectory::find(std::string_view name) const
{
    const auto place =
        std::lower_bound(tensors.begin(), tensors.end(), name,
                         [](const TensorInfo& tensor, std::string_view wanted) { return tensor.name < wanted; });
    return place != tensors.end() && place->name == name ? &*place : nullptr;
}

std::string TensorDirectory::fileName(const TensorInfo& tensor) const
{
    return files[static_cast<std::size_t>(tensor.file)].path.filename().string();
}

std::uint64_t TensorDirectory::totalBytes() const
{
    std::uint64_t sum = 0;
    for (const auto& tensor : tensors)
        sum += tensor.bytes;
    return sum;
}

std::uint64_t TensorDirectory::totalElements() const
{
    std::uint64_t sum = 0;
    for (const auto& tensor : tensors)
        sum += tensor.elements();
    return sum;
}

std::string shapeText(std::span<const std::int64_t> shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string printableName(std::string_view name)
{
    constexpr std::size_t kLongest = 120;
    constexpr std::size_t kPiece = 50;
    std::string text;
    if (name.size() <= kLongest)
        text = name;
    else
        text = fmt::format("{}...{}", name.substr(0, kPiece), name.substr(name.size() - kPiece));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            c = '?';
    static_cast<void>(repairUtf8(text)); // whether it had to be repaired does not matter here
    return text;
}

Error combinedError(std::span<const Error> problems, std::string_view file)
{
    HEADSCOPE_ASSERT(!problems.empty());
    if (problems.size() == 1)
        return Error(problems.front()).inFile(file);
    std::string list = fmt::format("{} problems", problems.size());
    for (std::size_t i = 0; i < problems.size(); ++i)
        list += fmt::format("\n  {}. {}", i + 1, problems[i].sentence());
    return {problems.front().code, std::move(list), std::string(file), {}};
}

} // namespace headscope
