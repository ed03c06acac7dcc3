// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/lesson/kv_cache.h"
#include "viz/lesson/lesson_parts.h"

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// Bytes of the KV cache of a decoder, against the length of the context.
struct CacheBytes
{
    KvShape shape;
    std::int64_t tokens = 4'096; ///< that the numbers are of
    std::int64_t most = 131'072; ///< at the right end
    std::int64_t bytesPerNumber = 2;
    std::int64_t groups = 0; ///< a number of KV heads to try besides the model's own; 0: none
};

/// The curve of one number of KV heads.
struct CacheCurve
{
    QString name; ///< "32 KV heads, one per query head (MHA)"
    std::int64_t kvHeads = 0;
    bool own = false; ///< as the model is
};

/// The curves of a picture, the largest first, each number of KV heads once.
[[nodiscard]] std::vector<CacheCurve> cacheCurves(const CacheBytes& bytes);

void paintCacheBytes(QPainter& painter, const CacheBytes& bytes, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double cacheBytesHeight(const CacheBytes& bytes, double width, const LessonStyle& style);
[[nodiscard]] QString cacheBytesWords(const CacheBytes& bytes);

} // namespace headscope::viz
