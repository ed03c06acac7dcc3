// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/run_form.h"

#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kFieldWidth = 108;

/// A number without zeros behind it: 0.8, 12.
class ShortSpinBox : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    [[nodiscard]] QString textFromValue(double value) const override { return locale().toString(value, 'g', 8); }
};

QToolButton* makeFlatButton(const QString& name, const QString& text, const QString& called, const QString& tip,
                            QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setProperty("flat", true);
    button->setText(text);
    button->setAccessibleName(called);
    button->setToolTip(tip);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace

RunForm::RunForm(Settings& settings, QWidget* parent) : QWidget(parent), m_settings(settings)
{
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(Metrics::kRelated);
    addNumber(SettingKey::Perplexity, QStringLiteral("runPerplexity"), tr("Perplexity"),
              tr("How many neighbours a point listens to: small shows detail, large the whole."), false);
    addNumber(SettingKey::Iterations, QStringLiteral("runIterations"), tr("Iterations"),
              tr("Steps of the optimiser; a map at its end can go on."), false);
    addChoice(SettingKey::Metric, QStringLiteral("runMetric"), tr("Metric"),
              tr("Cosine compares directions alone; Euclidean lengths too."), {tr("Euclidean"), tr("Cosine")}, false);
    addChoice(SettingKey::MapStart, QStringLiteral("runStart"), tr("Start"),
              tr("Principal components keep the large-scale layout; nothing in them is drawn."),
              {tr("PCA"), tr("Random"), tr("Present map")}, false);
    addNumber(SettingKey::Seed, QStringLiteral("runSeed"), tr("Seed"),
              tr("Decides a random start and noise; a PCA start takes nothing from it."), false);

    auto* foot = new QHBoxLayout;
    m_more = makeFlatButton(QStringLiteral("runMoreParameters"), tr("More parameters"), tr("More parameters"),
                            tr("Affinities, exaggeration, learning rate, momentum and the kernel"), this);
    m_more->setCheckable(true);
    QToolButton* reset =
        makeFlatButton(QStringLiteral("runDefaults"), tr("Defaults"), tr("Defaults for every parameter of a map"),
                       tr("Every parameter of a map as it was at first"), this);
    foot->addWidget(m_more);
    foot->addStretch(1);
    foot->addWidget(reset);
    m_layout->addLayout(foot);
    m_folded = new QWidget(this);
    m_foldedLayout = new QVBoxLayout(m_folded);
    m_foldedLayout->setContentsMargins(0, 0, 0, 0);
    m_foldedLayout->setSpacing(Metrics::kRelated);
    m_layout->addWidget(m_folded);
    addChoice(SettingKey::Affinities, QStringLiteral("runAffinities"), tr("Affinities"),
              tr("Sparse: 3 × perplexity neighbours attract a point; dense: all points, for comparisons."),
              {tr("Sparse"), tr("Dense")}, true);
    addAutoStop();
    addNumber(SettingKey::Exaggeration, QStringLiteral("runExaggeration"), tr("Exaggeration"),
              tr("Pulls neighbours so much harder at first that clusters find each other."), true);
    addNumber(SettingKey::ExaggerationIterations, QStringLiteral("runExaggerationIterations"), tr("For iterations"),
              tr("How many of the first iterations are exaggerated."), true);
    addNumber(SettingKey::LateExaggeration, QStringLiteral("runLateExaggeration"), tr("Afterwards"),
              tr("1 is plain t-SNE; 1.5 to 4 keeps clusters of very many points together."), true);
    addNumber(SettingKey::LearningRate, QStringLiteral("runLearningRate"), tr("Learning rate"),
              tr("Length of the steps; automatic grows with the number of points."), true);
    addNumber(SettingKey::Momentum, QStringLiteral("runMomentum"), tr("Momentum"),
              tr("Share of the last step that goes into the next."), true);
    addNumber(SettingKey::DegreesOfFreedom, QStringLiteral("runDegrees"), tr("Freedom"),
              tr("Degrees of freedom of the kernel: below 1 finer clusters come apart."), true);
    m_folded->hide();
    connect(m_more, &QToolButton::toggled, m_folded, &QWidget::setVisible);
    connect(reset, &QToolButton::clicked, this, &RunForm::resetAll);
    connect(&m_settings, &Settings::changed, this, [this](SettingKey key) {
        if (!m_loading && std::ranges::any_of(m_fields, [key](const auto& field) { return field.first == key; }))
            load();
    });
    load();
}

void RunForm::addRow(const QString& label, const QString& what, QWidget* field, bool folded)
{
    QWidget* parent = folded ? m_folded : this;
    QVBoxLayout* into = folded ? m_foldedLayout : m_layout;
    auto* line = new QHBoxLayout;
    line->setSpacing(Metrics::kRelated);
    auto* title = new QLabel(label, parent);
    title->setBuddy(field);
    field->setFixedWidth(kFieldWidth);
    field->setToolTip(what);
    new WheelGuard(field);
    line->addWidget(title, 1);
    line->addWidget(field);
    auto* explanation = makeMutedLabel(what, parent);
    explanation->setFont(Theme::smallFont());
    explanation->setWordWrap(true);
    auto* row = new QVBoxLayout;
    row->setSpacing(Metrics::kGrid / 2);
    row->addLayout(line);
    row->addWidget(explanation);
    into->addLayout(row);
}

void RunForm::addNumber(SettingKey key, const QString& name, const QString& label, const QString& what, bool folded)
{
    const SettingRow& row = settingRow(key);
    QWidget* field = nullptr;
    if (row.type == SettingType::Integer)
    {
        auto* box = new QSpinBox(folded ? m_folded : this);
        box->setRange(row.least, row.most);
        box->setGroupSeparatorShown(true);
        connect(box, &QSpinBox::valueChanged, this, [this, key](int value) {
            if (!m_loading)
                m_settings.setNumber(key, value);
            Q_EMIT changed();
        });
        if (key == SettingKey::Perplexity)
            m_perplexity = box;
        field = box;
    }
    else
    {
        auto* box = new ShortSpinBox(folded ? m_folded : this);
        box->setDecimals(4);
        box->setRange(row.leastReal, row.mostReal);
        box->setSingleStep(row.defaultReal > 2 ? 1 : 0.1);
        if (key == SettingKey::LearningRate)
            box->setSpecialValueText(tr("automatic"));
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, key](double value) {
            if (!m_loading)
                m_settings.setReal(key, value);
            Q_EMIT changed();
        });
        field = box;
    }
    static_cast<QAbstractSpinBox*>(field)->setKeyboardTracking(false);
    field->setObjectName(name);
    field->setAccessibleName(label);
    m_fields.emplace_back(key, field);
    addRow(label, what, field, folded);
}

void RunForm::addChoice(SettingKey key, const QString& name, const QString& label, const QString& what,
                        const QStringList& words, bool folded)
{
    auto* box = new QComboBox(folded ? m_folded : this);
    box->setObjectName(name);
    box->setAccessibleName(label);
    const QStringList values = toQString(settingRow(key).choices).split(u'|');
    for (qsizetype i = 0; i < words.size(); ++i)
        box->addItem(words[i], values[i]);
    connect(box, &QComboBox::currentIndexChanged, this, [this, key, box] {
        if (!m_loading)
            m_settings.setText(key, box->currentData().toString());
        Q_EMIT changed();
    });
    if (key == SettingKey::MapStart)
        m_start = box;
    m_fields.emplace_back(key, box);
    addRow(label, what, box, folded);
}

void RunForm::addAutoStop()
{
    m_autoStop = new QCheckBox(tr("Stop by itself"), m_folded);
    m_autoStop->setObjectName(QStringLiteral("runAutoStop"));
    m_autoStop->setAccessibleName(tr("Stop by itself"));
    const QString what = tr("Ends when the divergence hardly falls; the iterations are then the most there will be.");
    m_autoStop->setToolTip(what);
    auto* explanation = makeMutedLabel(what, m_folded);
    explanation->setFont(Theme::smallFont());
    explanation->setWordWrap(true);
    auto* row = new QVBoxLayout;
    row->setSpacing(Metrics::kGrid / 2);
    row->addWidget(m_autoStop);
    row->addWidget(explanation);
    m_foldedLayout->addLayout(row);
    m_fields.emplace_back(SettingKey::AutoStop, m_autoStop);
    connect(m_autoStop, &QCheckBox::toggled, this, [this](bool on) {
        if (!m_loading)
            m_settings.setNumber(SettingKey::AutoStop, on ? 1 : 0);
        Q_EMIT changed();
    });
}

void RunForm::load()
{
    m_loading = true;
    for (const auto& [key, field] : m_fields)
    {
        if (auto* box = qobject_cast<QSpinBox*>(field))
            box->setValue(m_settings.number(key));
        else if (auto* real = qobject_cast<QDoubleSpinBox*>(field))
            real->setValue(m_settings.real(key));
        else if (auto* choice = qobject_cast<QComboBox*>(field))
            choice->setCurrentIndex(std::max(0, choice->findData(m_settings.text(key))));
        else
            static_cast<QCheckBox*>(field)->setChecked(m_settings.number(key) != 0);
    }
    m_loading = false;
}

void RunForm::resetAll()
{
    m_loading = true;
    for (const auto& [key, field] : m_fields)
        m_settings.reset(key);
    load();
    Q_EMIT changed();
}

void RunForm::setLargestPerplexity(double largest)
{
    const SettingRow& row = settingRow(SettingKey::Perplexity);
    m_loading = true;
    m_perplexity->setMaximum(
        static_cast<int>(std::clamp(largest, static_cast<double>(row.least), static_cast<double>(row.most))));
    m_perplexity->setValue(m_settings.number(SettingKey::Perplexity));
    m_loading = false;
    m_perplexity->setToolTip(
        tr("From %1 to %2 with these points").arg(row.least).arg(QLocale().toString(m_perplexity->maximum())));
}

void RunForm::setPresentMap(bool there)
{
    auto* model = qobject_cast<QStandardItemModel*>(m_start->model());
    const int row = m_start->findData(QStringLiteral("present"));
    model->item(row)->setEnabled(there);
}

void RunForm::setMoreShown(bool shown)
{
    m_more->setChecked(shown);
}

bool RunForm::fromPresentMap() const
{
    return m_start->currentData().toString() == QLatin1StringView("present");
}

TsneOptions RunForm::options() const
{
    TsneOptions options;
    options.perplexities = {static_cast<double>(m_perplexity->value())};
    options.affinities = m_settings.text(SettingKey::Affinities) == toQString(affinitiesName(TsneAffinities::Dense))
                             ? TsneAffinities::Dense
                             : TsneAffinities::Sparse;
    options.iterations = m_settings.number(SettingKey::Iterations);
    options.exaggeration = m_settings.real(SettingKey::Exaggeration);
    options.exaggerationIterations =
        std::min(options.iterations, m_settings.number(SettingKey::ExaggerationIterations));
    options.lateExaggeration = m_settings.real(SettingKey::LateExaggeration);
    options.learningRate = m_settings.real(SettingKey::LearningRate);
    options.momentum = m_settings.real(SettingKey::Momentum);
    options.degreesOfFreedom = m_settings.real(SettingKey::DegreesOfFreedom);
    options.autoStop = m_settings.number(SettingKey::AutoStop) != 0;
    options.metric =
        m_settings.text(SettingKey::Metric) == QLatin1StringView("cosine") ? Metric::Cosine : Metric::Euclidean;
    const QString start = m_settings.text(SettingKey::MapStart);
    options.start = start == QLatin1StringView("random")    ? TsneStart::Random
                    : start == QLatin1StringView("present") ? TsneStart::Given
                                                            : TsneStart::Pca;
    options.seed = static_cast<std::uint64_t>(m_settings.number(SettingKey::Seed));
    return options;
}

} // namespace headscope::ui
