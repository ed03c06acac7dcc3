// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>

/// What no data could make right in the texts of options that are no plain words or numbers: asked for while the
/// command line is read, before any file is opened. Each gives what is wrong as "expected ..., found ...", or nothing.
namespace headscope::commands
{

/// "last", "all" or numbers from 0, as those of a cache are chosen: "0,15".
[[nodiscard]] std::string layerFault(const std::string& text);
/// The same with ranges, as those of a model are chosen: "0,15,20-31".
[[nodiscard]] std::string layersFault(const std::string& text);
/// 1, 2, 3 and contribution, with commas between them.
[[nodiscard]] std::string stagesFault(const std::string& text);
/// The same of a cache, which may hold the sentence embedding, too.
[[nodiscard]] std::string storedStagesFault(const std::string& text);
/// Documents from 0, the end behind the last: "0:1000".
[[nodiscard]] std::string rangeFault(const std::string& text);
/// Tokens from 0, the end behind the last: "5:8".
[[nodiscard]] std::string tokensFault(const std::string& text);
/// Token ids from 0, with commas between them: "1,5,9".
[[nodiscard]] std::string idsFault(const std::string& text);
/// "all", or numbers from 1: "1-4,9".
[[nodiscard]] std::string headsFault(const std::string& text);
/// "all", rows from 0 ("0-99,120"), or "label=value".
[[nodiscard]] std::string rowsFault(const std::string& text);
/// A number from 1.
[[nodiscard]] std::string countFault(const std::string& text);
/// "auto" or a number from 1.
[[nodiscard]] std::string autoOrCountFault(const std::string& text);
/// A number of bytes: "3000000000", "2500M", "3G".
[[nodiscard]] std::string bytesFault(const std::string& text);
/// How heads become one vector: "concat", "best:4"; "all" stands for all of them.
[[nodiscard]] std::string poolFault(const std::string& text);
/// The order of a heatmap's columns: "full", a head from 1, "cluster", "none".
[[nodiscard]] std::string orderFault(const std::string& text);
/// "data", "zero", or two limits: "-0.2,0.6".
[[nodiscard]] std::string scaleFault(const std::string& text);
/// A column of the table of heads, by which it is sorted.
[[nodiscard]] std::string headColumnFault(const std::string& text);
/// A text with one "{}" in it.
[[nodiscard]] std::string templateFault(const std::string& text);
/// A part of a map: "heads:1-3", or two corners "X,Y,X,Y".
[[nodiscard]] std::string insetFault(const std::string& text);
/// The corners of one, in the order they are typed; nothing where it names heads.
[[nodiscard]] std::optional<std::array<double, 4>> insetCorners(const std::string& text);
/// "pca", "random", or an array: "FILE.h5:/path", "FILE.npy".
[[nodiscard]] std::string startFault(const std::string& text);

} // namespace headscope::commands
