// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/extraction.h"
#include "model/net/run/step_scheduler.h"

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// Where two backends' vectors of a document are further apart than rounding makes them.
struct BackendDifference
{
    std::size_t block = 0;
    HeadIndex head;
    /// float32: the largest difference of a number, in lengths of the head's vector on the CPU. Half precision: the
    /// cosine of the two rows of all heads.
    double value = 0;
};

/// In float32 the largest difference that counts as rounding, and in half precision the smallest cosine.
constexpr double kBackendTolerance = 1e-4;
constexpr double kBackendCosine = 0.999;

/// The earliest block in which two backends differ, and there the head that differs most.
///
/// In float32 the vectors of a head are compared by their largest difference, in lengths of that vector, or of the
/// mean head where that is longer: heads that attend to nothing hold little but rounding. In half precision the row of
/// all heads is, by its cosine, because single heads round too far; the head is the one with the largest difference. A
/// row that is not finite on the CPU says nothing, nor one of half precision that is not finite on the device: that
/// half precision overflows is counted and told elsewhere.
/// @param device, cpu  values of one document: the blocks one after another
/// @return nothing where they agree
[[nodiscard]] std::optional<BackendDifference> backendDifference(const std::vector<ExtractionBlock>& blocks,
                                                                 std::span<const float> device,
                                                                 std::span<const float> cpu, Precision precision);

/// Whether a device computes what the CPU does: the first documents of a run, on both.
/// @threads any; the others wait for the first
class BackendCheck
{
public:
    /// @param reference  the same weights for our own operations on the CPU
    explicit BackendCheck(Network reference) : m_reference(std::move(reference)) {}

    /// Computes the first documents of a step on both sides, at most four of at most 16 tokens each. Once: further
    /// calls do nothing.
    /// @param ops  of the device
    /// @errors Resource (they differ: a sentence with layer, stage, head and difference), those of runStep, Cancelled
    /// @cost   a pass over the weights on the CPU; 64 tokens of a 7B model take seconds
    [[nodiscard]] Status run(Operations& ops, const StepScheduler& exchange, const Step& step);

    /// Why nothing was compared, as a sentence; empty where it was, or nothing was computed yet.
    [[nodiscard]] const std::string& notice() const { return m_notice; }
    /// What the comparison took, to the first that asks; then 0.
    [[nodiscard]] double takeSeconds() { return std::exchange(m_seconds, 0.0); }

private:
    [[nodiscard]] Status compare(Operations& ops, const StepScheduler& exchange, const Step& step);

    Network m_reference;
    std::mutex m_mutex;
    bool m_done = false;
    double m_seconds = 0;
    std::string m_notice;
};

} // namespace headscope
