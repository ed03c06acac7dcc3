// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/field_attributes.h"

#include <fmt/format.h>

#include <concepts>

namespace headscope
{
namespace
{

struct Write
{
    Hdf5Writer& file;
    const std::string& object;
    const Field& field;

    template <std::integral T>
    Status operator()(const T* value) const
    {
        return file.setAttribute(object, field.key, static_cast<std::int64_t>(*value)); // large seeds become negative
    }
    Status operator()(const double* value) const { return file.setAttribute(object, field.key, *value); }
    template <class T>
    Status operator()(const std::optional<T>* value) const
    {
        return value->has_value() ? (*this)(&**value) : Status();
    }
    Status operator()(const std::string* value) const { return file.setAttribute(object, field.key, *value); }
    Status operator()(const FieldChoice& choice) const
    {
        return field.isNumbered ? file.setAttribute(object, field.key, std::int64_t{choice.index()})
                                : file.setAttribute(object, field.key, std::string(choice.word().word));
    }
    template <class T>
    Status operator()(const std::vector<T>*) const
    {
        return file.setAttribute(object, field.key, field.valueText());
    }
};

struct Read
{
    const Hdf5Reader& file;
    const std::string& object;
    const Field& field;

    void operator()(std::uint64_t* value) const
    {
        if (const auto stored = file.integerAttribute(object, field.key))
            *value = static_cast<std::uint64_t>(*stored);
    }
    void operator()(bool* value) const
    {
        if (const auto stored = file.integerAttribute(object, field.key))
            *value = *stored != 0;
    }
    void operator()(double* value) const
    {
        if (const auto stored = file.numberAttribute(object, field.key))
            *value = *stored; // whoever uses it says what is wrong with it
    }
    template <class T>
    void operator()(T*) const
    {
        if constexpr (std::integral<T> || std::same_as<T, std::optional<std::int64_t>>)
            take(file.integerAttribute(object, field.key));
        else if constexpr (std::same_as<T, std::optional<double>>)
            take(file.numberAttribute(object, field.key));
        else
            take(file.textAttribute(object, field.key));
    }
    void operator()(const FieldChoice& choice) const
    {
        if (const auto number = file.integerAttribute(object, field.key);
            field.isNumbered && number && *number >= 0 && *number < std::ssize(choice.words))
            choice.write(choice.target, static_cast<int>(*number));
        else if (const auto word = file.textAttribute(object, field.key))
            FieldChoice{choice.target, choice.read, choice.write, choice.words}.set(*word);
    }
    template <class T>
    void take(const std::optional<T>& stored) const
    {
        if (stored)
            field.set(fmt::format("{}", *stored));
    }
};

/// What is stored of a field, as text; none: nothing, or something of another kind.
struct Stored
{
    const Hdf5Reader& file;
    const std::string& object;
    const Field& field;

    template <class T>
    std::optional<std::string> operator()(const T*) const
    {
        using Value = FieldValue<T>;
        if constexpr (std::is_integral_v<Value>)
            return text(file.integerAttribute(object, field.key));
        else if constexpr (std::is_same_v<Value, double>)
            return text(file.numberAttribute(object, field.key));
        else
            return file.textAttribute(object, field.key);
    }
    std::optional<std::string> operator()(const FieldChoice&) const
    {
        return field.isNumbered ? text(file.integerAttribute(object, field.key))
                                : file.textAttribute(object, field.key);
    }
    template <class T>
    static std::optional<std::string> text(const std::optional<T>& value)
    {
        return value ? std::optional(fmt::format("{}", *value)) : std::nullopt;
    }
};

} // namespace

Status writeFields(Hdf5Writer& file, const std::string& object, const Fields& fields, unsigned who)
{
    for (const Field& field : fields.used(who))
        if (!field.isOmittedEmpty || !field.isEmpty())
            HEADSCOPE_CHECK(std::visit(Write{file, object, field}, field.target));
    return {};
}

Status readNeededFields(const Hdf5Reader& file, const std::string& object, const Fields& fields, unsigned who)
{
    for (const Field& field : fields.used(who))
    {
        const auto stored = std::visit(Stored{file, object, field}, field.target);
        if (!stored && field.isRequired)
            return Error{ErrorCode::BadFormat, fmt::format("expected the attribute {}, found none", field.key),
                         file.path().string(), object};
        const bool isAsked = stored && field.isChecked && (field.limits || !field.words.empty());
        if (std::string wrong = isAsked ? field.faultOf(*stored) : std::string(); !wrong.empty())
            return Error{ErrorCode::BadFormat, std::move(wrong), file.path().string(),
                         fmt::format("{}@{}", object, field.key)};
    }
    readFields(file, object, fields, who);
    return {};
}

void readFields(const Hdf5Reader& file, const std::string& object, const Fields& fields, unsigned who)
{
    for (const Field& field : fields.used(who))
        std::visit(Read{file, object, field}, field.target);
}

} // namespace headscope
