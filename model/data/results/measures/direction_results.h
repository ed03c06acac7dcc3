// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace headscope
{

/// A principal component of vectors, and the documents at its ends. A component has no sign of its own: its largest
/// loading is made positive.
struct VectorDirection
{
    double share = std::numeric_limits<double>::quiet_NaN(); ///< of the variance
    Interval shareCi95;                                      ///< jackknife by document, the direction kept
    std::vector<double> scores;     ///< [N] position of every document along it; NaN: left out
    std::vector<std::int64_t> high; ///< documents of the positive end, the most extreme first
    std::vector<std::int64_t> low;  ///< of the negative one
};

/// The first principal components of vectors.
struct VectorDirections
{
    std::int64_t documents = 0; ///< that count
    std::int64_t leftOut = 0;   ///< with NaN or infinity
    bool varies = false;        ///< not all vectors are equal; otherwise there is no direction
    std::vector<VectorDirection> directions;
    MatrixD vectors; ///< [C, D] unit vectors
};

/// A word that separates two sets of texts.
struct ContrastWord
{
    std::string word;
    std::int64_t highCount = 0; ///< in the texts of the high end
    std::int64_t lowCount = 0;
    std::int64_t documents = 0; ///< texts of both ends that hold it
    double delta = 0;           ///< difference of the log-odds, high minus low
    double variance = 0;
    double z = 0; ///< delta / sqrt(variance)
    double q = 1; ///< Benjamini-Hochberg of its two-sided p over the vocabulary
};

/// The words that separate two sets of texts, by log-odds with an informative Dirichlet prior.
struct WordContrast
{
    double prior = 0;              ///< alpha_0: words that the prior counts for
    std::int64_t vocabulary = 0;   ///< words compared
    std::int64_t highWords = 0;    ///< words of the vocabulary in the texts of the high end, with repeats
    std::int64_t lowWords = 0;     ///< likewise
    std::vector<ContrastWord> words; ///< [vocabulary] by descending z, equal ones by their bytes
};

/// How much nearer a head's vectors are to a topic when they are its own.
struct TopicFavour
{
    std::int32_t topic = -1;    ///< category code
    std::int64_t documents = 0; ///< of the topic, with a usable vector
    std::int64_t others = 0;    ///< labelled documents of other topics
    double difference = std::numeric_limits<double>::quiet_NaN(); ///< mean cosine with the topic: its documents - others
    Interval ci95;                                                ///< Welch; NaN with fewer than two documents on a side
    double p = std::numeric_limits<double>::quiet_NaN();
    double q = std::numeric_limits<double>::quiet_NaN(); ///< Benjamini-Hochberg over the head's topics
};

} // namespace headscope
