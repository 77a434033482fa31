#include "opencl_frontend/options.h"

#include <cstring>

namespace cmkit
{

namespace
{

enum Shape { EXACT, JOINED, SEPARATE };

struct Row;
using Action = void(SortedOptions &out, const Row &row, const std::string &word, const std::string &value);

struct Row {
    const char *text;
    Shape shape;
    Action *action;
    const char *value;
};

Action drop, debug, api, api_as_is, finalizer, back_end, registers;

void drop(SortedOptions &, const Row &, const std::string &, const std::string &) {}

void debug(SortedOptions &out, const Row &, const std::string &, const std::string &)
{
    out.front_end.push_back("-g");
    out.api += " -g";
}

void api(SortedOptions &out, const Row &row, const std::string &, const std::string &)
{
    out.api += std::string(" ") + row.value;
}

void api_as_is(SortedOptions &out, const Row &, const std::string &word, const std::string &)
{
    out.api += " " + word;
}

void finalizer(SortedOptions &out, const Row &, const std::string &, const std::string &value)
{
    out.back_end.push_back("-finalizer-opts=" + value);
}

void back_end(SortedOptions &out, const Row &, const std::string &, const std::string &value)
{
    out.back_end.push_back(value);
}

// IGC's back ends know -doubleGRF, and no "auto": IGC 1.0.12504 lacks -exp-register-file-size=, and that of 2.40 takes
// numbers only.
void registers(SortedOptions &out, const Row &, const std::string &, const std::string &value)
{
    if (value == "auto")
        return;
    out.front_end.push_back("-Qxcm_register_file_size=" + value);
    if (value == "256")
        out.api += " -doubleGRF";
}

const Row rows[] = {
#define FE_OPTION(TEXT, SHAPE, ACTION, VALUE) {TEXT, SHAPE, ACTION, VALUE},
#include "opencl_frontend/options.def"
#undef FE_OPTION
};

// /Qxcm... and /mCM... mean -Qxcm... and -mCM...
std::string with_dash(const char *word)
{
    if (strncmp(word, "/Qxcm", 5) == 0 || strncmp(word, "/mCM", 4) == 0)
        return std::string("-") + (word + 1);
    return word;
}

const Row *find(const std::string &word)
{
    for (const Row &row : rows)
        if (row.shape == JOINED ? word.rfind(row.text, 0) == 0 : word == row.text)
            return &row;
    return nullptr;
}

} // namespace

SortedOptions sort_options(int count, const char *const *words)
{
    SortedOptions out;
    static const char march[] = "-march=";
    for (int i = 0; i < count; i++) {
        std::string word = with_dash(words[i]);
        if (const Row *row = find(word)) {
            std::string value = row->shape == JOINED ? word.substr(strlen(row->text)) : row->value;
            if (row->shape == SEPARATE && i + 1 < count)
                value = words[++i];
            row->action(out, *row, word, value);
            continue;
        }
        if (word.rfind(march, 0) == 0)
            out.platform = word.substr(sizeof march - 1);
        out.front_end.push_back(word);
    }
    return out;
}

} // namespace cmkit
