// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/point_set.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace headscope
{
namespace
{

std::vector<std::uint64_t> bitsOf(const std::vector<std::int64_t>& heads, std::size_t bits)
{
    std::vector<std::uint64_t> row;
    for (const std::int64_t head : heads)
    {
        const auto word = static_cast<std::size_t>(head) / bits;
        row.resize(std::max(row.size(), word + 1), 0);
        row[word] |= std::uint64_t{1} << (static_cast<std::size_t>(head) % bits);
    }
    return row;
}

} // namespace

PointSet::PointSet(const std::vector<std::int64_t>& documents, const std::vector<std::int64_t>& heads)
{
    const std::vector<std::uint64_t> row = bitsOf(heads, kBits);
    if (row.empty())
        return;
    m_documents = documents;
    m_words = row.size();
    m_bits.reserve(m_documents.size() * m_words);
    for (std::size_t i = 0; i < m_documents.size(); ++i)
        m_bits.insert(m_bits.end(), row.begin(), row.end());
}

PointSet PointSet::of(const PointIds& ids, std::span<const std::int64_t> points)
{
    PointSet set;
    std::int32_t lastDocument = -1;
    std::int32_t lastHead = -1;
    for (const std::int64_t point : points)
    {
        lastDocument = std::max(lastDocument, ids.document[static_cast<std::size_t>(point)]);
        lastHead = std::max(lastHead, ids.head[static_cast<std::size_t>(point)]);
    }
    if (lastDocument < 0 || lastHead < 0)
        return set;
    std::vector<std::int32_t> rows(static_cast<std::size_t>(lastDocument) + 1, -1);
    for (const std::int64_t point : points)
        rows[static_cast<std::size_t>(ids.document[static_cast<std::size_t>(point)])] = 0;
    for (std::size_t document = 0; document < rows.size(); ++document)
    {
        if (rows[document] < 0)
            continue;
        rows[document] = static_cast<std::int32_t>(set.m_documents.size());
        set.m_documents.push_back(static_cast<std::int64_t>(document));
    }
    set.m_words = static_cast<std::size_t>(lastHead) / kBits + 1;
    set.m_bits.assign(set.m_documents.size() * set.m_words, 0);
    for (const std::int64_t point : points)
    {
        const auto row =
            static_cast<std::size_t>(rows[static_cast<std::size_t>(ids.document[static_cast<std::size_t>(point)])]);
        const auto head = static_cast<std::size_t>(ids.head[static_cast<std::size_t>(point)]);
        set.m_bits[row * set.m_words + head / kBits] |= std::uint64_t{1} << (head % kBits);
    }
    return set;
}

std::int64_t PointSet::count() const
{
    std::int64_t count = 0;
    for (const std::uint64_t bits : m_bits)
        count += std::popcount(bits);
    return count;
}

bool PointSet::contains(DocumentIndex document, HeadIndex head) const
{
    const auto found = std::ranges::lower_bound(m_documents, document.value());
    return found != m_documents.end() && *found == document.value() &&
           has(static_cast<std::size_t>(found - m_documents.begin()), head);
}

std::int64_t PointSet::countOf(std::size_t row) const
{
    std::int64_t count = 0;
    for (std::size_t at = 0; at < m_words; ++at)
        count += std::popcount(word(row, at));
    return count;
}

std::vector<std::int64_t> PointSet::headsOf(std::size_t row) const
{
    std::vector<std::int64_t> heads;
    for (std::size_t at = 0; at < m_words; ++at)
        for (std::uint64_t bits = word(row, at); bits != 0; bits &= bits - 1)
            heads.push_back(static_cast<std::int64_t>(at * kBits) + std::countr_zero(bits));
    return heads;
}

std::vector<std::int64_t> PointSet::countsByHead() const
{
    std::vector<std::int64_t> counts(m_words * kBits, 0);
    for (std::size_t row = 0; row < m_documents.size(); ++row)
        for (std::size_t at = 0; at < m_words; ++at)
            for (std::uint64_t bits = word(row, at); bits != 0; bits &= bits - 1)
                ++counts[at * kBits + static_cast<std::size_t>(std::countr_zero(bits))];
    while (!counts.empty() && counts.back() == 0)
        counts.pop_back();
    return counts;
}

std::vector<std::int32_t> PointSet::rowByDocument() const
{
    std::vector<std::int32_t> rows(m_documents.empty() ? 0 : static_cast<std::size_t>(m_documents.back()) + 1, -1);
    for (std::size_t row = 0; row < m_documents.size(); ++row)
        rows[static_cast<std::size_t>(m_documents[row])] = static_cast<std::int32_t>(row);
    return rows;
}

PointSet PointSet::within(const std::vector<std::int64_t>& documents) const
{
    PointSet left;
    left.m_words = m_words;
    auto wanted = documents.begin();
    for (std::size_t row = 0; row < m_documents.size(); ++row)
    {
        while (wanted != documents.end() && *wanted < m_documents[row])
            ++wanted;
        if (wanted == documents.end())
            break;
        if (*wanted == m_documents[row])
            left.append(m_documents[row], std::span(m_bits).subspan(row * m_words, m_words));
    }
    return left;
}

PointSet PointSet::withinHeads(const std::vector<std::int64_t>& heads) const
{
    const std::vector<std::uint64_t> mask = bitsOf(heads, kBits);
    PointSet left;
    left.m_words = m_words;
    std::vector<std::uint64_t> bits(m_words);
    for (std::size_t row = 0; row < m_documents.size(); ++row)
    {
        for (std::size_t at = 0; at < m_words; ++at)
            bits[at] = at < mask.size() ? word(row, at) & mask[at] : 0;
        left.append(m_documents[row], bits);
    }
    return left;
}

void PointSet::append(std::int64_t document, std::span<const std::uint64_t> bits)
{
    if (std::ranges::all_of(bits, [](std::uint64_t word) { return word == 0; }))
        return;
    m_documents.push_back(document);
    m_bits.insert(m_bits.end(), bits.begin(), bits.end());
}

bool operator==(const PointSet& one, const PointSet& other)
{
    if (one.m_documents != other.m_documents)
        return false;
    if (one.m_words == other.m_words)
        return one.m_bits == other.m_bits;
    const std::size_t words = std::max(one.m_words, other.m_words);
    for (std::size_t row = 0; row < one.m_documents.size(); ++row)
        for (std::size_t at = 0; at < words; ++at)
            if (one.word(row, at) != other.word(row, at))
                return false;
    return true;
}

PointSet combinePoints(const PointSet& chosen, const PointSet& picked, SetOperation operation)
{
    if (operation == SetOperation::Replace)
        return picked;
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    PointSet result;
    result.m_words = std::max(chosen.m_words, picked.m_words);
    std::vector<std::uint64_t> bits(result.m_words);
    std::size_t a = 0;
    std::size_t b = 0;
    while (a < chosen.m_documents.size() || b < picked.m_documents.size())
    {
        const std::int64_t ofChosen = a < chosen.m_documents.size() ? chosen.m_documents[a] : kEnd;
        const std::int64_t ofPicked = b < picked.m_documents.size() ? picked.m_documents[b] : kEnd;
        const std::int64_t document = std::min(ofChosen, ofPicked);
        for (std::size_t at = 0; at < result.m_words; ++at)
        {
            const std::uint64_t here = ofChosen == document ? chosen.word(a, at) : 0;
            const std::uint64_t there = ofPicked == document ? picked.word(b, at) : 0;
            bits[at] = operation == SetOperation::Add      ? here | there
                       : operation == SetOperation::Remove ? here & ~there
                                                           : here & there;
        }
        result.append(document, bits);
        a += ofChosen == document ? 1 : 0;
        b += ofPicked == document ? 1 : 0;
    }
    return result;
}

} // namespace headscope
