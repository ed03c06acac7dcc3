// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/confusion_pane.h"

#include "model/data/key_sharing.h"

#include "app/views/probe/confusion_picture.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kBetweenFigures = 8; ///< the three stand in one line of a small window

QString percent(double share)
{
    return QLocale().toString(100 * share, 'f', 1) % QStringLiteral("%");
}

QString between(const Interval& interval)
{
    return ConfusionPane::tr("%1 – %2").arg(QLocale().toString(100 * interval.low, 'f', 1), percent(interval.high));
}

/// The documents that tested, on a line of their own; empty where rows belong to none.
QString testedText(const ProbeResult& result)
{
    const std::int64_t documents = numTestDocuments(result);
    return documents == 0
               ? QString()
               : QChar(u'\n') % ConfusionPane::tr("on %1").arg(countText(documents, ConfusionPane::tr("document"),
                                                                         ConfusionPane::tr("documents")));
}

QString accuracyTip(const ProbeResult& result)
{
    QString tip =
        ConfusionPane::tr("Proportion of test vectors classified correctly; chance is %1. The 95% CI is shown below")
            .arg(percent(1 / static_cast<double>(std::max<std::int64_t>(1, result.classes))));
    if (result.effectiveRows > 0)
        tip += ConfusionPane::tr(". The %1 test vectors have an effective sample size of %2, because vectors of one "
                                 "document are correlated")
                   .arg(countText(result.testRows), QLocale().toString(result.effectiveRows, 'f', 1));
    return tip;
}

} // namespace

FigureLabel::FigureLabel(const QString& title, const QString& tip, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_line = new QBoxLayout(QBoxLayout::TopToBottom);
    m_title = makeMutedLabel(title, this);
    m_title->setFont(Theme::smallFont());
    m_value = new QLabel(this);
    m_detail = makeMutedLabel({}, this);
    m_detail->setFont(Theme::smallFont());
    m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing()); // the matrix below keeps its place
    m_detail->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_line->addWidget(m_title);
    m_line->addWidget(m_value);
    m_line->addStretch(1);
    layout->addLayout(m_line);
    layout->addWidget(m_detail);
    setTip(tip);
}

void FigureLabel::setTip(const QString& tip)
{
    m_tip = tip;
    refresh();
}

void FigureLabel::setInOneLine(bool inOneLine)
{
    m_inOneLine = inOneLine;
    refresh();
}

void FigureLabel::refresh()
{
    constexpr int kLarge = 20;
    m_line->setDirection(m_inOneLine ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_line->setSpacing(m_inOneLine ? Metrics::kRelated : 0);
    QFont font = Theme::bodyFont(true);
    if (!m_inOneLine)
        font.setPixelSize(kLarge);
    m_value->setFont(font);
    m_detail->setVisible(!m_inOneLine);
    setToolTip(m_inOneLine && !detail().isEmpty() ? QString(detail() % QLatin1Char('\n') % m_tip) : m_tip);
}

void FigureLabel::setTitle(const QString& title)
{
    m_title->setText(title);
}

void FigureLabel::setFigure(const QString& value, const QString& detail)
{
    m_value->setText(value);
    m_detail->setText(detail);
    refresh();
    setAccessibleName(m_title->text() % QStringLiteral(": ") % value % QStringLiteral(", ") % detailInOneLine());
}

QString FigureLabel::detailInOneLine() const
{
    return detail().replace(QLatin1Char('\n'), QStringLiteral(", "));
}

QString FigureLabel::title() const
{
    return m_title->text();
}

QString FigureLabel::value() const
{
    return m_value->text();
}

QString FigureLabel::detail() const
{
    return m_detail->text();
}

ConfusionPane::ConfusionPane(QWidget* parent) : QWidget(parent)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_inside = new QWidget;
    m_inside->setObjectName(QStringLiteral("canvas"));
    m_inside->setAttribute(Qt::WA_StyledBackground);
    auto* area = makeScrolled(m_inside, this);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(area);
    auto* layout = new QVBoxLayout(m_inside);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_title = new SectionLabel(tr("Confusion"), m_inside);
    layout->addWidget(m_title);
    buildFigures(layout);
    m_matrix = new PictureOf<ConfusionPicture>(m_inside);
    layout->addWidget(m_matrix, 1);
    connect(m_matrix, &PictureWidget::itemClicked, this, &ConfusionPane::choose);
    buildControls(layout);
}

void ConfusionPane::buildFigures(QVBoxLayout* layout)
{
    auto* figures = new WrapRow;
    figures->setSpacing(kBetweenFigures);
    m_accuracy = new FigureLabel(tr("Accuracy"), tr("Proportion of test vectors classified correctly"), m_inside);
    m_within =
        new FigureLabel(tr("Errors within group"),
                        tr("Proportion of test vectors misclassified as another head of the same KV group"), m_inside);
    m_across = new FigureLabel(tr("Errors across groups"),
                               tr("Proportion of test vectors misclassified as a head of another KV group"), m_inside);
    m_within->setObjectName(QStringLiteral("errorsWithin"));
    m_across->setObjectName(QStringLiteral("errorsAcross"));
    for (FigureLabel* figure : {m_accuracy, m_within, m_across})
        figures->addWidget(figure);
    figures->addStretch(1);
    layout->addLayout(figures);
}

void ConfusionPane::buildControls(QVBoxLayout* layout)
{
    auto* row = new WrapRow;
    row->setSpacing(Metrics::kRelated);
    m_values = new QComboBox(m_inside);
    m_values->setObjectName(QStringLiteral("confusionValues"));
    m_values->setAccessibleName(tr("What a cell shows"));
    m_values->setToolTip(tr("Show each cell as a proportion of the test vectors in its row, or as a count"));
    m_values->addItems({tr("Row proportions"), tr("Counts")});
    m_shades = new QComboBox(m_inside);
    m_shades->setObjectName(QStringLiteral("confusionShades"));
    m_shades->setAccessibleName(tr("Colour scale of the values"));
    m_shades->setToolTip(tr("“Root” makes small values visible; “Log” makes even single errors visible"));
    m_shades->addItems({tr("Linear colour"), tr("Root colour"), tr("Log colour")});
    m_shades->setCurrentIndex(1);
    m_note = makeMutedLabel({}, m_inside);
    m_note->setObjectName(QStringLiteral("confusionNote"));
    m_note->setWordWrap(true);
    m_note->setFont(Theme::smallFont());
    row->addWidget(m_values);
    row->addWidget(m_shades);
    row->addStretch(1);
    m_details = makeMutedLabel({}, m_inside);
    m_details->setObjectName(QStringLiteral("confusionDetails"));
    m_details->setWordWrap(true);
    m_details->setFont(Theme::smallFont());
    layout->addWidget(m_details);
    layout->addWidget(m_note);
    layout->addLayout(row);
    connect(m_values, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_matrix->picture().setValues(index == 1 ? viz::ConfusionValues::Counts : viz::ConfusionValues::RowShares);
    });
    connect(m_shades, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_matrix->picture().setShades(static_cast<viz::ShadeScale>(index)); });
}

QSize ConfusionPane::minimumSizeHint() const
{
    constexpr int kLow = 120; // what is below is scrolled to
    return {m_inside->minimumSizeHint().width(), kLow};
}

void ConfusionPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void ConfusionPane::fit()
{
    const std::array figures = {m_accuracy, m_within, m_across};
    for (const bool inOneLine : {false, true})
    {
        for (FigureLabel* figure : figures)
            figure->setInOneLine(inOneLine);
        QStringList details; // below the matrix where the figures have no room for them
        for (const FigureLabel* figure : figures)
            if (inOneLine && !figure->isHidden() && !figure->detail().isEmpty())
                details << figure->title() % QStringLiteral(": ") % figure->detailInOneLine();
        m_details->setText(details.join(QLatin1Char('\n')));
        m_details->setVisible(!details.isEmpty());
        m_inside->layout()->setSpacing(inOneLine ? Metrics::kGrid : Metrics::kRelated);
        m_inside->layout()->activate();
        if (m_inside->layout()->totalMinimumHeightForWidth(width()) <= height())
            return;
    }
}

void ConfusionPane::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("confusionValues"), *m_values);
    bind(state, QStringLiteral("confusionShades"), *m_shades);
}

void ConfusionPane::setRow(const ProbeRow& row, const ModelInfo& info)
{
    m_matrix->picture().setResult(row.result, info);
    m_warnings = row.notices.join(QLatin1Char('\n'));
    m_note->setText(m_warnings);
    m_note->setVisible(!m_warnings.isEmpty());
    if (row.result == nullptr)
        return;
    const ProbeResult& result = *row.result;
    m_title->setDetail(tr("layer %1, stage %2")
                           .arg(result.layer ? QString::number(*result.layer) : QStringLiteral("–"),
                                result.stage ? toQString(stageName(*result.stage)) : QStringLiteral("–")));
    m_accuracy->setFigure(percent(result.accuracy), between({result.ci95Low, result.ci95High}) % testedText(result));
    m_accuracy->setTip(accuracyTip(result));
    const bool groups = result.stage && hasKvGroups(info, *result.stage);
    const auto rows = [&result](double share) {
        const auto count = std::llround(share * static_cast<double>(result.testRows));
        return tr("%1 of %2 vectors").arg(countText(count), countText(result.testRows));
    };
    const double errors = groups ? result.acrossGroupError : 1 - result.accuracy;
    m_within->setVisible(groups);
    if (groups && showGroupNull(result))
        return fit();
    m_within->setTitle(tr("Errors within group"));
    m_within->setTip(tr("Proportion of test vectors misclassified as another head of the same KV group"));
    m_within->setFigure(percent(result.withinGroupError), rows(result.withinGroupError));
    m_across->setTitle(groups ? tr("Errors across groups") : tr("Errors"));
    m_across->setTip(groups ? tr("Proportion of test vectors misclassified as a head of another KV group")
                            : tr("Proportion of test vectors misclassified"));
    m_across->setFigure(percent(errors), rows(errors));
    fit();
}

bool ConfusionPane::showGroupNull(const ProbeResult& result)
{
    if (!result.baselines || !result.baselines->groups || result.baselines->groups->errors == 0)
        return false;
    const GroupErrors& groups = *result.baselines->groups;
    m_within->setTitle(tr("Errors within group"));
    m_within->setFigure(percent(groups.share),
                        between(groups.ci95) % QChar(u'\n') %
                            tr("%1 of %2 errors").arg(countText(groups.within), countText(groups.errors)));
    m_within->setTip(tr("Errors within the KV group as a proportion of all errors. Of all test vectors, %1 are "
                        "errors within a group and %2 across groups. 95% CI over documents")
                         .arg(percent(result.withinGroupError), percent(result.acrossGroupError)) %
                     QLatin1Char('\n') % valuesNotMeasuredText());
    m_across->setTitle(tr("Chance"));
    m_across->setFigure(percent(groups.chance),
                        tr("p %1\nrank %2 of %3 groupings")
                            .arg(probabilityText(groups.p), countText(groups.rank), countText(groups.groupings)));
    m_across->setTip(
        tr("Expected proportion within groups if errors were spread evenly. The true grouping has rank %1 among %2 "
           "groupings with the same group sizes%3. p: proportion of groupings with at least as many errors within "
           "groups")
            .arg(countText(groups.rank), countText(groups.groupings), groups.exact ? QString() : tr(" (sampled)")));
    return true;
}

QString ConfusionPane::note() const
{
    return m_note->text();
}

void ConfusionPane::choose(std::size_t item, Qt::KeyboardModifiers keys)
{
    const ConfusionPicture& matrix = m_matrix->picture();
    const auto cell = matrix.cellOf(item);
    const auto documents = documentsOfCell(*matrix.result(), cell.first, cell.second);
    const QString what = matrix.cellTitle(cell);
    m_note->setText(documents.empty()
                        ? tr("%1: no test vectors").arg(what)
                        : tr("%1: %2 selected and highlighted in the other views")
                              .arg(what, countText(std::ssize(documents), tr("document"), tr("documents"))));
    m_note->setVisible(true);
    fit();
    if (!documents.empty())
        Q_EMIT documentsChosen(documents, keys.testFlag(Qt::ShiftModifier) ? SetOperation::Add : SetOperation::Replace,
                               what);
}

} // namespace headscope::ui
