// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/block_preconditioner.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/gemm.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace headscope
{
namespace
{

constexpr std::int64_t kRowBlock = 256;
/// A row less uncertain than this about the classes of a group is left out of its block: many such
/// rows together weigh little, and conjugate gradients put right what is missing.
constexpr float kCertain = 0.01F;

/// Joins the classes that rows are uncertain between most, as long as `most` go together.
std::vector<std::vector<std::int64_t>> groupClasses(std::span<const double> classOverlap, std::int64_t classes,
                                                    std::int64_t stride, std::int64_t most)
{
    std::vector<std::tuple<double, std::int64_t, std::int64_t>> pairs;
    for (std::int64_t k = 0; k < classes; ++k)
    {
        for (std::int64_t l = 0; l < k; ++l)
            pairs.emplace_back(-classOverlap[sizeOf(k * stride + l)], l, k);
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::int64_t> groupOf(sizeOf(classes));
    std::iota(groupOf.begin(), groupOf.end(), 0);
    std::vector<std::int64_t> sizes(sizeOf(classes), 1);
    for (const auto& [weight, l, k] : pairs)
    {
        const std::int64_t a = groupOf[sizeOf(l)];
        const std::int64_t b = groupOf[sizeOf(k)];
        if (a == b || sizes[sizeOf(a)] + sizes[sizeOf(b)] > most || weight >= 0)
            continue;
        sizes[sizeOf(a)] += sizes[sizeOf(b)];
        std::replace(groupOf.begin(), groupOf.end(), b, a);
    }
    std::vector<std::vector<std::int64_t>> groups(sizeOf(classes));
    for (std::int64_t k = 0; k < classes; ++k)
        groups[sizeOf(groupOf[sizeOf(k)])].push_back(k);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
}

} // namespace

struct BlockPreconditioner::Group
{
    std::vector<std::int64_t> classes;
    std::vector<std::int64_t> rows; ///< that are uncertain about them
    Eigen::MatrixXd block;          ///< [g (D + 1), g (D + 1)], class outer; then its lower Cholesky factor
};

BlockPreconditioner::~BlockPreconditioner() = default;

double BlockPreconditioner::bytes(std::int64_t dims, std::int64_t classes, int numThreads)
{
    const std::int64_t width = dims + 1;
    const auto unknowns = static_cast<double>(std::min(classes, kMaxUnknowns / width) * width);
    constexpr double kCopies = 2; // of the block that is factored
    return 8 * unknowns * (static_cast<double>(classes * width) + kCopies * numThreads * unknowns);
}

/// The rows that are uncertain about some classes, with room for the block of these classes.
BlockPreconditioner::Group BlockPreconditioner::makeGroup(const SoftmaxObjective& objective,
                                                          std::vector<std::int64_t> classes)
{
    const std::int64_t width = objective.dims() + 1;
    Group group;
    const auto unknowns = static_cast<std::int64_t>(classes.size()) * width;
    group.classes = std::move(classes);
    group.block = Eigen::MatrixXd::Zero(unknowns, unknowns);
    for (std::int64_t i = 0; i < objective.rows(); ++i)
    {
        const auto p = objective.probabilities().row(i);
        float uncertainty = 0;
        for (const std::int64_t k : group.classes)
            uncertainty += p[sizeOf(k)] * (1.0F - p[sizeOf(k)]);
        if (uncertainty > kCertain)
            group.rows.push_back(i);
    }
    return group;
}

/// The part of a group's block that two of its classes have in common, by their places in the group.
void BlockPreconditioner::addPair(const SoftmaxObjective& objective, Group& group, std::size_t first,
                                  std::size_t second)
{
    const std::int64_t width = objective.dims() + 1;
    const auto k = sizeOf(group.classes[first]);
    const auto l = sizeOf(group.classes[second]);
    const std::vector<float> shift(objective.floatShift().begin(), objective.floatShift().end());
    MatrixF centred(kRowBlock, width); // rows about the mean, with a 1 for the intercept
    std::vector<float> weighted(sizeOf(kRowBlock * width));
    std::vector<float> product(sizeOf(width * width));
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(width, width);
    for (std::size_t begin = 0; begin < group.rows.size(); begin += kRowBlock)
    {
        const std::size_t count = std::min<std::size_t>(kRowBlock, group.rows.size() - begin);
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto p = objective.probabilities().row(group.rows[begin + i]);
            const float weight = p[k] * ((k == l ? 1.0F : 0.0F) - p[l]);
            const auto row = objective.floatRows().row(group.rows[begin + i]);
            const auto about = centred.row(static_cast<std::int64_t>(i));
            float* scaled = weighted.data() + i * sizeOf(width);
            for (std::size_t j = 0; j < row.size(); ++j)
            {
                about[j] = row[j] - shift[j];
                scaled[j] = weight * about[j];
            }
            about[row.size()] = 1.0F;
            scaled[row.size()] = weight;
        }
        gemmTN(width, width, static_cast<std::int64_t>(count), 1.0F, centred.data(), width, weighted.data(), width,
               0.0F, product.data(), width);
        sum += Eigen::Map<const Eigen::MatrixXf>(product.data(), width, width).cast<double>(); // symmetric
    }
    const auto at = [&](std::size_t place) { return static_cast<std::int64_t>(place) * width; };
    group.block.block(at(first), at(second), width, width) = objective.c() * (sum + sum.transpose()) / 2;
}

/// Adds the penalty and takes the Cholesky factor; the rows are not needed any more.
void BlockPreconditioner::factorise(const SoftmaxObjective& objective, Group& group)
{
    const std::int64_t width = objective.dims() + 1;
    // The penalty; intercepts have none, and their common shift inside a group may be free.
    const double free = 1e-6 * objective.c() * static_cast<double>(objective.rows()) + 1e-12;
    for (std::int64_t i = 0; i < group.block.rows(); ++i)
        group.block(i, i) += i % width == objective.dims() ? free : 1.0;
    Eigen::LLT<Eigen::MatrixXd> factor(group.block);
    for (double ridge = 1e-9; factor.info() != Eigen::Success && ridge < 1; ridge *= 100)
    {
        group.block.diagonal() *= 1 + ridge; // float32 sums can leave a block that is not quite positive
        factor.compute(group.block);
    }
    group.block = factor.matrixL();
    group.rows = {};
}

BlockPreconditioner::BlockPreconditioner(const SoftmaxObjective& objective, std::span<const double> classOverlap)
    : m_dims(objective.dims()), m_stride(objective.stride()), m_numThreads(objective.numThreads())
{
    for (auto& classes : groupClasses(classOverlap, objective.classes(), m_stride, kMaxUnknowns / (m_dims + 1)))
        m_groups.push_back(makeGroup(objective, std::move(classes)));
    struct Pair
    {
        std::size_t group;
        std::size_t first;
        std::size_t second;
    };
    std::vector<Pair> pairs;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
    {
        for (std::size_t a = 0; a < m_groups[g].classes.size(); ++a)
        {
            for (std::size_t b = 0; b <= a; ++b)
                pairs.push_back({g, a, b});
        }
    }
    parallelForBlocks(m_numThreads, static_cast<std::int64_t>(pairs.size()), 1, [&](const Block& each, int) {
        const Pair& pair = pairs[sizeOf(each.index)];
        addPair(objective, m_groups[pair.group], pair.first, pair.second);
    });
    parallelForBlocks(m_numThreads, static_cast<std::int64_t>(m_groups.size()), 1,
                      [&](const Block& each, int) { factorise(objective, m_groups[sizeOf(each.index)]); });
}

void BlockPreconditioner::solve(std::span<const double> residual, std::span<double> solution) const
{
    const std::int64_t width = m_dims + 1;
    std::fill(solution.begin(), solution.end(), 0.0);
    parallelForBlocks(m_numThreads, static_cast<std::int64_t>(m_groups.size()), 1, [&](const Block& each, int) {
        const Group& group = m_groups[sizeOf(each.index)];
        Eigen::VectorXd x(static_cast<std::int64_t>(group.classes.size()) * width);
        for (std::int64_t place = 0; place < x.size(); ++place)
            x(place) = residual[sizeOf(place % width * m_stride + group.classes[sizeOf(place / width)])];
        group.block.triangularView<Eigen::Lower>().solveInPlace(x);
        group.block.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
        for (std::int64_t place = 0; place < x.size(); ++place)
            solution[sizeOf(place % width * m_stride + group.classes[sizeOf(place / width)])] = x(place);
    });
}

std::vector<std::vector<std::int64_t>> BlockPreconditioner::groups() const
{
    std::vector<std::vector<std::int64_t>> classes;
    for (const Group& group : m_groups)
        classes.push_back(group.classes);
    return classes;
}

} // namespace headscope
