// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/lesson/kv_cache.h"
#include "viz/lesson/lesson_parts.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// The KV caches of several models next to each other.
struct KvTable
{
    std::vector<KvShape> shapes;
    std::int64_t own = -1; ///< the row of the open model; -1: it is not among them
    std::int64_t tokens = 32'768;
    std::int64_t bytesPerValue = 2;
    std::int64_t memory = 80'000'000'000; ///< bytes that users share
};

/// The cells of a row: name, query heads, KV heads, head dimension, KB per token, GB at the length, users.
[[nodiscard]] QStringList kvTableCells(const KvTable& table, const KvShape& shape);

void paintKvTable(QPainter& painter, const KvTable& table, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double kvTableHeight(const KvTable& table, double width, const LessonStyle& style);
[[nodiscard]] QString kvTableWords(const KvTable& table);

} // namespace headscope::viz
