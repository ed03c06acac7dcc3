// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/cell_card.h"

#include "app/views/attention/attention_text.h"
#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"
#include "viz/attention/cell_numbers.h"
#include "viz/attention/shown_weights.h"

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui
{
namespace
{

/// The steps from two tokens to a number, in their order.
enum Step : std::size_t
{
    Dot,
    Scaled,
    Distance,
    Mask,
    Softmax,
    WithoutFirst,
    Value,
    Share,
};

struct StepWords
{
    const char* name;
    const char* tip;
};

constexpr StepWords kSteps[] = {
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "q · k"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard",
                       "Dot product of the query token’s query vector and the key token’s key vector")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "÷ √%1"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard", "The dot product divided by the square root of the head dimension")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "+ bias for distance %1"),
     QT_TRANSLATE_NOOP(
         "headscope::ui::CellCard",
         "This model adds a learned bias that depends on the distance between query token and key token")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "mask"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard", "Whether the query token may attend to the key token")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "softmax"),
     QT_TRANSLATE_NOOP(
         "headscope::ui::CellCard",
         "Attention weight: the exponential of the score above, divided by the sum of the exponentials in the row")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "without first token"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard", "Attention weight, renormalized without the first token")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "× norm of the value"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard",
                       "L2 norm of the key token’s value vector, which is multiplied by the weight")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellCard", "share of the output"),
     QT_TRANSLATE_NOOP("headscope::ui::CellCard",
                       "Share of the head’s output: (weighted value · output) ÷ squared norm of the output. Shares in "
                       "a row sum to 100% and may be negative.")},
};

constexpr int kDecimals = 3; ///< of weights

QLabel* makeSmall(QWidget* parent, bool muted)
{
    QLabel* label = muted ? makeMutedLabel({}, parent) : new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(Theme::smallFont());
    return label;
}

} // namespace

CellCard::CellCard(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    QVBoxLayout* lines = nullptr;
    m_card = makeCard(this, &lines);
    lines->setSpacing(Metrics::kGrid);
    m_reads = new QLabel(m_card);
    m_reads->setTextFormat(Qt::PlainText);
    m_reads->setFont(Theme::bodyFont(true));
    m_reads->setWordWrap(true);
    m_reads->setMinimumWidth(1); // a long token must not widen the column
    lines->addWidget(m_reads);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kRelated);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    for (std::size_t row = 0; row < kRows; ++row)
    {
        m_names[row] = makeSmall(m_card, true);
        m_names[row]->setText(tr(kSteps[row].name));
        m_values[row] = makeSmall(m_card, false);
        m_values[row]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        setTip(row, tr(kSteps[row].tip));
        grid->addWidget(m_names[row], static_cast<int>(row), 0);
        grid->addWidget(m_values[row], static_cast<int>(row), 1);
    }
    lines->addLayout(grid);
    layout->addWidget(m_card);
    m_note = makeMutedLabel({}, this);
    m_note->setFont(Theme::smallFont());
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
}

void CellCard::setTip(std::size_t row, const QString& tip)
{
    for (QLabel* label : {m_names[row], m_values[row]})
        label->setToolTip(QStringLiteral("<p>") % tip.toHtmlEscaped());
}

void CellCard::setRow(std::size_t row, const QString& value)
{
    m_values[row]->setText(value);
    m_names[row]->setVisible(!value.isEmpty());
    m_values[row]->setVisible(!value.isEmpty());
}

void CellCard::setContent(const CellContent& content)
{
    const bool any = content.reading && content.read;
    m_card->setVisible(any);
    m_note->setText(
        any ? QString()
            : tr("Click a query token and a key token, or a cell of the matrix, to see how its weight is computed."));
    if (any)
    {
        const AttentionRun& run = *content.run;
        const bool rotated = rotatesByPosition(run.model).value_or(false);
        setTip(Dot, tr(kSteps[Dot].tip) % (rotated ? tr(", after rotation by position (RoPE)") : QString()));
        m_reads->setText(readsText(run, *content.reading, *content.read));
        const MatrixF* weights = run.weightsOf(content.place.layer, content.place.head);
        const auto row = weights != nullptr ? weights->row(content.reading->value()) : std::span<const float>{};
        if (const LayerVectors* vectors = run.vectorsOf(content.place.layer))
            showSteps(content, *vectors, row);
        else
            showWeight(content, row);
    }
    m_note->setVisible(!m_note->text().isEmpty());
}

void CellCard::showSteps(const CellContent& content, const LayerVectors& vectors, std::span<const float> row)
{
    const AttentionRun& run = *content.run;
    const viz::CellNumbers cell = viz::cellNumbers(vectors, run.model, content.place.head, *content.reading,
                                                   *content.read, run.causal, row, run.scores);
    const auto dims = static_cast<double>(vectors.q.cols() / run.model.heads);
    const double scalar = run.scores.scalar > 0 ? run.scores.scalar : dims;
    const QString scaled = tr(kSteps[Scaled].name).arg(QLocale::c().toString(scalar, 'g', 6));
    m_names[Scaled]->setText(run.scores.softcap > 0 ? tr("%1, capped at %2").arg(scaled, numberText(run.scores.softcap))
                                                    : scaled);
    setTip(Scaled,
           tr(kSteps[Scaled].tip) %
               (scalar != dims ? tr("; this model uses another value instead of the head dimension") : QString()) %
               (run.scores.softcap > 0 ? tr("; then capped: c × tanh(score ÷ c)") : QString()));
    m_names[Softmax]->setText(tr("softmax over %1").arg(countText(cell.over, tr("token"), tr("tokens"))));
    setRow(Dot, numberText(cell.dot));
    setRow(Scaled, numberText(cell.scaled));
    m_names[Distance]->setText(
        tr(kSteps[Distance].name)
            .arg(numberText(static_cast<double>(content.read->value() - content.reading->value()))));
    setRow(Distance, vectors.bias.cols() > 0 ? numberText(cell.bias) : QString());
    setRow(Mask, cell.mayRead                                     ? tr("allowed")
                 : run.causal && *content.read > *content.reading ? tr("future token (masked)")
                                                                  : tr("outside the window"));
    setRow(Softmax, decimalText(cell.weight, kDecimals));
    setRow(WithoutFirst, decimalText(cell.withoutFirst, kDecimals));
    setRow(Value, numberText(cell.valueLength));
    setRow(Share, percentText(cell.share));
}

/// What the weights say without queries and keys.
void CellCard::showWeight(const CellContent& content, std::span<const float> row)
{
    for (const std::size_t step : {Dot, Scaled, Distance, Mask, Value, Share})
        setRow(step, {});
    const double share = row.empty() ? std::nan("") : static_cast<double>(row[content.read->index()]);
    const double factor = viz::factorWithoutFirst(row);
    m_names[Softmax]->setText(tr(kSteps[Softmax].name));
    setRow(Softmax, decimalText(share, kDecimals));
    setRow(WithoutFirst,
           decimalText(factor > 0 && content.read->value() > 0 ? share * factor : std::nan(""), kDecimals));
    QStringList held;
    for (const auto& each : content.run->vectors)
        held << QString::number(each->layer.value());
    m_note->setText(content.run->maker == AttentionMaker::Model
                        ? tr("Loading queries, keys and values of layer %1…").arg(content.place.layer.value())
                    : held.isEmpty() ? tr("This stored run holds no queries, keys or values.")
                                     : tr("This stored run holds queries, keys and values of layer %1 only.")
                                           .arg(held.join(QStringLiteral(", "))));
}

std::vector<std::pair<QString, QString>> CellCard::rows() const
{
    std::vector<std::pair<QString, QString>> rows;
    for (std::size_t row = 0; row < kRows; ++row)
        if (!m_values[row]->isHidden() && !m_card->isHidden())
            rows.emplace_back(m_names[row]->text(), m_values[row]->text());
    return rows;
}

QString CellCard::note() const
{
    return m_note->isHidden() ? QString() : m_note->text();
}

} // namespace headscope::ui
