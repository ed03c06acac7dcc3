// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runs/run_form.h"

#include "ui/settings/field_settings.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace headscope::ui
{
namespace
{

constexpr std::string_view kGroup = "map/"; ///< of the settings
/// How long a run takes belongs to the cache it is of: another one, or the next session, begins with the setting.
constexpr QLatin1StringView kOfCache("iterations");
/// The fields that are not folded away.
constexpr std::array kShown = {"perplexity", "iterations", "metric", "init", "seed"};

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

RunForm::RunForm(Settings& settings, QWidget* parent)
    : QWidget(parent), m_settings(settings),
      m_fields([this](Fields& f) { fields(f, m_options, m_limits); }, QStringLiteral("run"), this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    for (const char* key : kShown)
        m_fields.addRow(key, layout);
    auto* foot = new QHBoxLayout;
    m_more = makeFlatButton(QStringLiteral("runMoreParameters"), tr("More parameters"), tr("More parameters"),
                            tr("Affinities, exaggeration, learning rate, momentum and kernel"), this);
    m_more->setCheckable(true);
    QToolButton* reset = makeFlatButton(QStringLiteral("runDefaults"), tr("Defaults"), tr("Reset every map parameter"),
                                        tr("Reset every parameter of a map to its default"), this);
    foot->addWidget(m_more);
    foot->addStretch(1);
    foot->addWidget(reset);
    layout->addLayout(foot);
    m_folded = new QWidget(this);
    auto* folded = new QVBoxLayout(m_folded);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(Metrics::kRelated);
    for (const std::string& key : m_fields.without())
        m_fields.addRow(key, folded);
    layout->addWidget(m_folded);
    m_folded->hide();
    connect(m_more, &QToolButton::toggled, m_folded, &QWidget::setVisible);
    connect(reset, &QToolButton::clicked, this, &RunForm::resetAll);
    connect(&m_fields, &FieldForm::edited, this, &RunForm::keep);
    connect(&m_settings, &Settings::changed, this, [this](SettingKey key) {
        if (!m_keeping && settingRow(key).name.starts_with(kGroup))
            load();
    });
    load();
}

Fields RunForm::declared()
{
    Fields rows;
    fields(rows, m_options, m_limits);
    return rows;
}

void RunForm::load()
{
    m_settings.load(kGroup, declared());
    m_fields.refresh();
}

void RunForm::keep(const QString& key)
{
    m_keeping = true;
    if (key == kOfCache)
        m_settings.setNumberWhileOpen(settingNamed(std::string(kGroup) + std::string(kOfCache.data())),
                                      m_options.iterations);
    else
        m_settings.keep(kGroup, *declared().ofKey(key.toStdString()));
    m_keeping = false;
}

void RunForm::resetAll()
{
    m_keeping = true;
    m_settings.reset(kGroup, declared());
    m_keeping = false;
    load();
}

void RunForm::setLargestPerplexity(double largest)
{
    m_limits.perplexity = std::min(largest, TsneLimits().perplexity);
    load();
}

void RunForm::setPresentMap(bool there)
{
    auto* start = qobject_cast<QComboBox*>(m_fields.editor("init"));
    auto* model = qobject_cast<QStandardItemModel*>(start->model());
    model->item(static_cast<int>(TsneStart::Given))->setEnabled(there);
}

void RunForm::setMoreShown(bool shown)
{
    m_more->setChecked(shown);
}

TsneOptions RunForm::options() const
{
    TsneOptions options = m_options;
    options.exaggerationIterations = std::min(options.iterations, options.exaggerationIterations);
    return options;
}

} // namespace headscope::ui
