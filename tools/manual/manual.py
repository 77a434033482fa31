#!/usr/bin/env python3
"""manual.py man PROGRAM NAME SECTION_TITLE: prints the manual page of a program, in the form that man(1) reads.
manual.py bash|zsh|fish PROGRAM NAME: prints the completion of its options for a shell.

Both are made of what the program prints: `--print-options`, a line for each row of its table of options, where it has
that (cmc); else `--help`, whose option lines begin with blanks and `-`, and have two blanks before the sentence if
they have no value.
"""
import os
import re
import subprocess
import sys


class Option:
    """Spellings; what stands between option and value; the value's name, or what it can be, with | between; a sentence."""

    def __init__(self, names, separator, value, text):
        self.names, self.separator, self.value, self.text = names, separator, value, text

    def values(self):
        """What the value can be, if it is one of a few words."""
        words = self.value.split("|")
        return words if len(words) > 1 and all(re.fullmatch(r"[\w.+-]+", word) for word in words) else []

    def is_path(self):
        return any(word in self.value for word in ("FILE", "FOLDER", "DIR"))


def output(*command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else ""


def from_table(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return [Option([row[0]], row[1], row[2], row[3]) for row in rows]


def from_help(text):
    options = []
    for line in text.splitlines():
        row = re.match(r"  +((?:-\w, )?--?[\w-]+)(?:((?: |\[=|=)[^ ]+)(?: +(.*))?|  +(.*))?$", line)
        if row:
            separator = (row[2] or " ")[0]
            options.append(Option(row[1].split(", "), separator, (row[2] or " ")[1:], row[3] or row[4] or ""))
        elif options and re.match(r" {16,}\S", line) and not line.strip().startswith("-"):
            options[-1].text = (options[-1].text + " " + line.strip()).strip()
        elif re.match(r"  +-h, --help, --version$", line):
            options.append(Option(["-h", "--help"], " ", "", "print the help"))
            options.append(Option(["--version"], " ", "", "print the version"))
    return options


def troff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def blocks(text):
    """The paragraphs of the help that are no list of options."""
    kept = [line for line in text.splitlines() if not re.match(r"  +-", line) and not re.match(r" {16,}\S", line)]
    return [block for block in "\n".join(kept).split("\n\n") if block.strip()]


def manual(program, name, title):
    text, table = output(program, "--help"), output(program, "--print-options")
    options = from_table(table) if table else from_help(text)
    version = re.search(r"[0-9]+\.[0-9.]+", output(program, "--version"))
    lines = [f'.TH {name.upper()} 1 "" "cmkit {version[0] if version else ""}" "cmkit"', ".ad l", ".SH NAME",
             f"{name} \\- {troff(title)}", ".SH SYNOPSIS"]
    first, *rest = blocks(text)
    usage, *more = first.splitlines()
    lines.append(".B " + troff(usage.removeprefix("usage: ")))
    while more and more[0].startswith(" " * len("usage: ")):
        lines += [".br", ".B " + troff(more.pop(0).strip())]
    lines.append(".SH DESCRIPTION")
    if more:
        lines.append(troff(" ".join(more)))
    below = []
    for block in rest:
        head, *body = block.splitlines()
        listed = any(line.startswith("  ") for line in body)
        if not listed and not below and not head.startswith(("Exit", "Environment")):
            lines += [".PP", troff(" ".join(block.split()))]
            continue
        start, end = ([".nf"], [".fi"]) if listed else ([], [])
        below += [".PP", *start, *map(troff, block.splitlines()), *end]
    lines.append(".SH OPTIONS")
    for option in options:
        names = ", ".join(f"\\fB{troff(spelling)}\\fR" for spelling in option.names)
        value = option.separator + f"\\fI{troff(option.value)}\\fR" if option.value else ""
        names += value.replace("|", "|\\:")  # a long list of values may be broken there
        lines += [".TP", names, troff(option.text) or "\\&"]
    if below:
        lines += [".SH NOTES", *below]
    lines += [".SH SEE ALSO", "The documentation of cmkit in its folder docs, or in the package cmkit\\-doc."]
    print("\n".join(line for line in lines if line))


def bash(name, options):
    words = " ".join(spelling for option in options for spelling in option.names)
    joined, apart = [], []  # rows that say which values an option takes: OPTION=VALUE, OPTION VALUE
    for option in options:
        for spelling in option.names if option.values() else []:
            row = f'values="{" ".join(option.values())}" ;;'
            if spelling.endswith("="):
                joined.append(f"  {spelling}*) {row}")
            else:
                apart.append(f"  {spelling}) {row}")
    print(f"""# bash completion for {name}, made from its table of options.
_{name.replace('-', '_')}() {{
  local word=${{COMP_LINE:0:COMP_POINT}} before=${{COMP_WORDS[COMP_CWORD-1]}} values= last
  word=${{word##* }}
  COMPREPLY=()
  case $before in""")
    print("\n".join(apart + ["  esac", "  case $word in"] + joined))
    print(f"""  esac
  if [ -n "$values" ]; then
    last=${{word##*[=,]}} # several values have commas between them
    COMPREPLY=($(compgen -P "${{word%"$last"}}" -W "$values" -- "$last"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "{words}" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
  [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace 2>/dev/null
  # Bash splits words at "=": what stands before it is on the line already.
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${{COMPREPLY[@]#${{word%=*}}=}}"); fi
}}
complete -F _{name.replace('-', '_')} {name}""")


def zsh(name, options):
    def plain(text):
        return re.sub(r"(['\[\]:])", " ", text).strip()

    print(f"#compdef {name}\n# zsh completion for {name}, made from its table of options.\n_arguments \\")
    for option in options:
        for spelling in option.names:
            argument = ""
            if option.value:
                words = option.values()
                what = f"({' '.join(words)})" if words else "_files" if option.is_path() else ""
                joined = "-" if spelling.endswith("=") or option.separator == "" else ""
                argument = f"{joined}:{plain(option.value) or 'value'}:{what}"
                print(f"  '*{spelling}{joined}[{plain(option.text)}]{argument[len(joined):]}' \\")
            else:
                print(f"  '{spelling}[{plain(option.text)}]' \\")
    print("  '*:file:_files'")


def fish(name, options):
    print(f"# fish completion for {name}, made from its table of options.")
    for option in options:
        for spelling in option.names:
            text = option.text.replace("'", "\\'")
            dashes = "-l" if spelling.startswith("--") else "-s" if len(spelling) == 2 else "-o"
            word = spelling.lstrip("-")
            if spelling.endswith("="):
                for value in option.values() or [""]:
                    when = """-n 'string match -q -- "-*" (commandline -ct)'"""
                    print(f"complete -c {name} -a '{spelling}{value}' {when} -d '{text}'")
                continue
            values = f" -x -a '{' '.join(option.values())}'" if option.values() else " -r" if option.value else ""
            print(f"complete -c {name} {dashes} '{word}'{values} -d '{text}'")


def main():
    kind, program, name = sys.argv[1:4]
    if not os.access(program, os.X_OK):
        sys.exit(f"manual.py: no program {program}")
    if kind == "man":
        return manual(program, name, sys.argv[4])
    table = output(program, "--print-options")
    options = from_table(table) if table else from_help(output(program, "--help"))
    if not options:
        sys.exit(f"manual.py: {program} lists no options")
    return {"bash": bash, "zsh": zsh, "fish": fish}[kind](name, options)


main()
