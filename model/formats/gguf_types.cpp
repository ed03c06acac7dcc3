// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope
{
namespace
{

struct Known
{
    std::uint32_t id;
    TensorType type;
};

constexpr std::array kKnown = {
    Known{0, TensorType::F32},     Known{1, TensorType::F16},      Known{2, TensorType::Q4_0},
    Known{3, TensorType::Q4_1},    Known{6, TensorType::Q5_0},     Known{7, TensorType::Q5_1},
    Known{8, TensorType::Q8_0},    Known{9, TensorType::Q8_1},     Known{10, TensorType::Q2_K},
    Known{11, TensorType::Q3_K},   Known{12, TensorType::Q4_K},    Known{13, TensorType::Q5_K},
    Known{14, TensorType::Q6_K},   Known{15, TensorType::Q8_K},    Known{24, TensorType::I8},
    Known{25, TensorType::I16},    Known{26, TensorType::I32},     Known{27, TensorType::I64},
    Known{28, TensorType::F64},    Known{30, TensorType::BF16},    Known{20, TensorType::IQ4_NL},
    Known{23, TensorType::IQ4_XS}, Known{39, TensorType::MXFP4},   Known{16, TensorType::IQ2_XXS},
    Known{17, TensorType::IQ2_XS}, Known{18, TensorType::IQ3_XXS}, Known{19, TensorType::IQ1_S},
    Known{21, TensorType::IQ3_S},  Known{22, TensorType::IQ2_S},   Known{29, TensorType::IQ1_M},
};

struct Unread
{
    std::uint32_t id;
    std::string_view name;
};

constexpr std::string_view kRemoved = "removed from the format";
constexpr std::array kUnread = {
    Unread{4, kRemoved}, Unread{5, kRemoved}, Unread{31, kRemoved}, Unread{32, kRemoved}, Unread{33, kRemoved},
    Unread{34, "TQ1_0"}, Unread{35, "TQ2_0"}, Unread{36, kRemoved}, Unread{37, kRemoved}, Unread{38, kRemoved},
    Unread{40, "NVFP4"}, Unread{41, "Q1_0"},  Unread{42, "Q2_0"},
};

} // namespace

std::optional<TensorType> tensorTypeFromGguf(std::uint32_t id)
{
    const auto* place = std::find_if(kKnown.begin(), kKnown.end(), [id](const Known& known) { return known.id == id; });
    return place != kKnown.end() ? std::optional(place->type) : std::nullopt;
}

std::string unreadGgufTypeName(std::uint32_t id)
{
    const auto* place =
        std::find_if(kUnread.begin(), kUnread.end(), [id](const Unread& unread) { return unread.id == id; });
    return place != kUnread.end() ? fmt::format("{} ({})", id, place->name) : fmt::format("{}", id);
}

} // namespace headscope
