#!/usr/bin/env python3
"""Checks that the first sentence of each file and page is plain: it has none of the idioms in BANNED.

first_sentences.py [ROOT]    check the tree (default: this one); status 1 prints each sentence with its idiom
first_sentences.py --finds   check the check: planted sentences are refused, plain ones are not

The first sentence of a source file is that of its first comment, if this begins in the first column; of a script, that
of its docstring or of its first comment, without "#!" and lit's directives; of a page, that of its first paragraph. A
good one has a verb, an object and the field's term: "Lowers switches to a binary search tree".
"""
import os
import re
import sys

BANNED = (r"\bnobody\b", r"\bno one else\b", r"\bwhat there is\b", r"\bgone round\b", r"\bsees to\b", r"\bthose that\b",
          r"\b(is|are) told\b", r"\bas it is\b", r"\bwhat .* (is|are) made of\b", r"^What\b", r"^Which\b", r"^How\b",
          r"^Where\b", r"^Whether\b", r"^Who\b", r"\bask(s|ed)? for\b", r"\bthe parts? (has|have|lacks?)\b",
          r"\bof a part\b", r"\bput together\b", r"\btakes? part\b", r"\bstands? for itself\b")

FOLDERS = ("benchmarks", "cmake", "cmc", "examples", "frontend", "include", "lower", "opencl_frontend", "python",
           "runtime", "sim", "tables", "test", "tools", "visa_emit")
ENDINGS = (".c", ".h", ".cpp", ".def", ".cm", ".cl")
SCRIPTS = (".py", ".sh", ".cmake", ".txt", ".test")
GENERATED = ("docs/compiler/passes.md", "docs/compiler/builtins.md", "docs/language/reference.md",
             "docs/simulator/coverage.md", "docs/results/")


def first_sentence(text):
    """Up to the first full stop or colon that ends a clause."""
    text = " ".join(text.split())
    end = re.search(r"[.:](?=\s|$)", text)
    return text[:end.end()] if end else text


def of_source(text):
    match = re.match(r"(?:#(?!include)[^\n]*\n|\s)*(?:/\*(.*?)\*/|((?://[^\n]*\n)+))", text, re.S)
    if not match:
        return ""
    if match.group(2):
        return first_sentence(re.sub(r"^// ?", "", match.group(2), flags=re.M))
    return first_sentence("\n".join(re.sub(r"^\s*\* ?", "", line) for line in match.group(1).split("\n")))


def of_script(text):
    match = re.match(r'(?:#![^\n]*\n)?(?:"""(.*?)"""|((?:#[^\n]*\n)+))', text, re.S)
    if not match:
        return ""
    comment = re.sub(r"^# ?(RUN|REQUIRES|UNSUPPORTED)\b[^\n]*\n", "", match.group(2) or "", flags=re.M)
    return first_sentence(match.group(1) or re.sub(r"^# ?", "", comment, flags=re.M))


def of_page(text):
    paragraphs = [p for p in re.split(r"\n\s*\n", text) if not re.match(r"\s*(#|\||```|<|!|-|\d+\.)", p)]
    return first_sentence(paragraphs[0]) if paragraphs else ""


def idiom_of(sentence):
    return next((found.group(0) for found in (re.search(p, sentence) for p in BANNED) if found), None)


def files(root):
    for folder in FOLDERS + ("docs",):
        for path, _, names in sorted(os.walk(os.path.join(root, folder))):
            inner = os.path.relpath(path, root).replace(os.sep, "/")
            for name in sorted(names):
                yield f"{inner}/{name}"


def check(root):
    wrong = 0
    for name in files(root):
        if name.endswith(ENDINGS):
            read = of_source
        elif name.endswith(SCRIPTS):
            read = of_script
        elif name.endswith(".md") and not name.startswith(GENERATED):
            read = of_page
        else:
            continue
        with open(os.path.join(root, name), encoding="utf-8") as file:
            sentence = read(file.read())
        idiom = idiom_of(sentence)
        if idiom:
            wrong += 1
            print(f"{name}: '{idiom}': {sentence}")
    return wrong


def finds():
    """Each planted sentence is refused; the plain ones pass."""
    planted = ("/* Values that nobody needs. */", "/* What is better computed later. */\n",
               "/* Whether a vector\n * is read. */", "#!x\n/* Removes those that are dead. */", "// What it shares.\n")
    plain = ("/* Removes dead values. What nobody reads goes too. */", "int x; /* What it is. */",
             "/* Lowers switches to a jump table: of what is left, nobody asks. */")
    good = all(idiom_of(of_source(text)) for text in planted) and not any(idiom_of(of_source(text)) for text in plain)
    good = good and idiom_of(of_page("# Title\n\nHow kernels are made. More.\n")) == "How"
    good = good and idiom_of(of_script('#!/bin/sh\n# Whether it runs.\nset -e\n')) == "Whether"
    good = good and idiom_of(of_script('#!/usr/bin/env python3\n"""What runs."""\n')) == "What"
    return 0 if good else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--finds"]:
        sys.exit(finds())
    top = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    sys.exit(1 if check(top) else 0)
