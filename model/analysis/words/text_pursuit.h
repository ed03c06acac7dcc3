// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Which of a list of texts explain the vectors of a head, the best first.
struct TextPursuit
{
    std::vector<std::int64_t> chosen; ///< candidates; fewer than asked for where the rest explains nothing
    std::vector<double> share;        ///< of the sum of squares that the first 1, 2, ... of them explain
    /// Of held-out vectors, minus the mean of the others: the share of their sum of squares in the span of the first
    /// 1, 2, ... candidates; NaN without held-out vectors.
    std::vector<double> heldOut;
    // Of each held-out vector, minus the mean of the others:
    std::vector<double> heldOutAll;  ///< [N'] squared length
    std::vector<double> heldOutLeft; ///< [N'] that of what all chosen texts leave of it
};

/// How candidates are chosen.
enum class PursuitMethod
{
    TextSpan, ///< project, take the candidate of largest variance, remove its direction from vectors and candidates
    Somp,     ///< simultaneous orthogonal matching pursuit: refit all chosen ones to the vectors by least squares
};

struct PursuitOptions
{
    PursuitMethod method = PursuitMethod::TextSpan;
    std::int64_t steps = 10;
    std::int64_t rank =
        80;           ///< TextSpan: right singular vectors of the vectors that candidates are projected on, at most
    int exponent = 2; ///< SOMP: of the scores' summands, 1 or 2
};

/// Runs a pursuit. The vectors are centred; candidates are taken as they are by TextSpan, at length 1 by SOMP.
///
/// TextSpan takes the candidate with the largest sum over the vectors of <x, t>^2, and projects vectors and candidates
/// onto the rest of the space. SOMP takes the atom with the largest sum of |<residual, t>|^exponent.
/// @param rows        [N, D] finite, N at least 2
/// @param heldOut     [N', D] finite; may have no rows
/// @param candidates  [M, D] finite, at least one
/// @errors  InvalidArgument (steps or rank below 1, too few rows), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    TextSpan: D^2 (N + M) once and D (D + M) a step (the vectors count by their covariance); SOMP with exponent
///          2 the same, with exponent 1 N M D a step
/// @source  Gandelsman, Efros & Steinhardt 2024, arXiv 2310.05916 (TextSpan); Tropp, Gilbert & Strauss 2006,
///          doi 10.1016/j.sigpro.2005.05.030; Basile et al. 2025 (heads)
[[nodiscard]] Result<TextPursuit> pursueTexts(ConstMatrixView rows, ConstMatrixView heldOut, ConstMatrixView candidates,
                                              const PursuitOptions& options, int numThreads, JobContext& job);

} // namespace headscope
