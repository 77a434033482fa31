"""Compares what `cmc --explain` writes with what other programs and outputs say of the same kernel.

usage: explain.py JSON HTML TEXT ZEBIN LLVM VISA DWARFDUMP PLATFORM

- Gen: the instructions are those that iga64 reads from the zebin, and each source line is the one of the DWARF table.
- vISA: the lines are those of `cmc -S`; LLVM IR: those of `cmc -emit-llvm`, without metadata.
- The HTML page has the lines of the JSON and no reference to anything outside; the text names each Gen line once.
- The live bytes have their largest value at the peak, and its variables sum up to no more. Each has a name of the
  source, or what writes it first.
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from elf_sections import section

GEN_NAMES = {"SKL": "9", "ICLLP": "11", "TGLLP": "12p1"}


class Page(html.parser.HTMLParser):
    """The rows of each form, and whatever would be loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.forms, self.outside, self.in_row, self.in_count = {}, [], False, False

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        names = (values.get("class") or "").split()
        self.outside += [v for k, v in attributes if k in ("src", "href")]
        if tag == "section":
            self.forms[names[1]] = self.rows = []
        elif tag == "div" and "r" in names:
            self.rows.append([values.get("data-s"), ""])
            self.in_row = True
        elif tag == "span" and "c" in names:
            self.in_count = True

    def handle_endtag(self, tag):
        self.in_row = self.in_row and tag != "div"
        self.in_count = self.in_count and tag != "span"

    def handle_data(self, data):
        if self.in_row and not self.in_count:
            self.rows[-1][1] += data


def mnemonic(text):
    """The name of the instruction in a line of assembly: behind its predicate, without its function."""
    return re.match(r"\s*(?:\([^)]*\)\s*)*([a-z0-9]+)", text)[1]


def gen_of(zebin, kernel, platform):
    """Offset and name of each instruction of the kernel, as iga64 reads them."""
    with tempfile.NamedTemporaryFile(suffix=".krn") as code:
        code.write(section(zebin, ".text." + kernel))
        code.flush()
        text = subprocess.run(["iga64", "-p=" + GEN_NAMES[platform], "-d", "-Xprint-pc", code.name], check=True,
                              capture_output=True, text=True).stdout
    lines = [re.match(r"/\*\s*(?:\[?(0x)?([0-9A-Fa-f]+)\]?)\s*\*/(.*)", line) for line in text.splitlines()]
    found = [(int(m[2], 16), mnemonic(m[3])) for m in lines if m and m[3].strip() and not m[3].strip().endswith(":")]
    while found and found[-1][1] == "illegal":  # what fills the section up
        found.pop()
    return found


def line_table(zebin, dwarfdump):
    """The rows (address, line) of .debug_line."""
    text = subprocess.run([dwarfdump, "--debug-line", zebin], check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^0x([0-9a-f]+)\s+(\d+)\s", text, re.M)
    return [(int(address, 16), int(line)) for address, line in rows]


def line_at(table, offset):
    found = None
    for address, line in table:
        if address > offset:
            break
        found = line
    return found


def check(good, what):
    if not good:
        sys.exit("explain.py: " + what)


def check_gen(data, zebin, dwarfdump, platform):
    gen = gen_of(zebin, data["kernel"], platform)
    names = [mnemonic(line["text"]) for line in data["asm"]]
    check(len(gen) > 3 and [name for _, name in gen] == names, f"the Gen instructions differ: {gen} {names}")
    check(data["instructions"] == len(gen) == sum(data["classes"].values()), "the counts of instructions differ")
    table = line_table(zebin, dwarfdump)
    check(len(table) > 3, "no line table")
    for (offset, _), line in zip(gen, data["asm"]):
        if line["source"]:
            check(line_at(table, offset) == line["source"]["line"], f"another line: {offset:#x} {line}")


def check_forms(data, llvm, visa):
    forms = {name: [line["text"] for line in device["asm"]] for name, device in data["devices"].items()}
    shown = [re.sub(r"(^\.decl.*?) //.*", r"\1", line) for line in forms["vISA"]]  # -S has fewer names of values
    wanted = [re.sub(r"(^\.decl.*?) //.*", r"\1", line.rstrip("\n")) for line in open(visa)]
    check(shown == wanted, "the vISA differs from -S")
    wanted = [re.sub(r"(, ![a-z.]+ !\d+)+$", "", line.rstrip("\n")) for line in open(llvm)]
    body = [line for line in forms["LLVM IR"] if line.startswith("  ")]
    check(len(body) > 3 and all(line in wanted for line in body), "the LLVM IR differs from -emit-llvm")
    counts = {}
    for line in data["asm"]:
        if line["source"]:
            counts[line["source"]["line"]] = counts.get(line["source"]["line"], 0) + 1
    source = data["devices"]["Source"]["asm"]
    shown = {line["source"]["line"]: line.get("gen", 0) for line in source if line["source"]}
    check(all(shown[line] == count for line, count in counts.items()), f"counts of source lines: {shown} {counts}")


def check_registers(data):
    peak = data["peak"]
    check(peak["bytes"] == max(data["liveBytes"]) == data["liveBytes"][peak["visa"] - 1], "the peak is not the largest")
    total = sum(variable["bytes"] for variable in peak["variables"])
    named = r"V\d+( \([A-Za-z_]\w*(, [A-Za-z_]\w*)*\)|: result of \w+|: input of the thread)"
    odd = [variable["name"] for variable in peak["variables"] if not re.fullmatch(named, variable["name"])]
    check(not odd, f"names of variables: {odd}")
    check(0 < total <= peak["bytes"], f"the variables of the peak have {total} bytes, it {peak['bytes']}")


def check_page(data, path):
    page = Page()
    page.feed(open(path).read())
    names = {"source": "Source", "llvm": "LLVM IR", "visa": "vISA"}
    check(not page.outside, f"the page loads {page.outside}")
    for form, rows in page.forms.items():
        lines = data["asm"] if form == "gen" else data["devices"][names[form]]["asm"]
        check([text if text != " " else "" for _, text in rows] == [line["text"] for line in lines], f"rows of {form}")
        for (place, _), line in zip(rows, lines):
            wanted = line["source"] and str(line["source"]["line"])
            check((place and place.split(":")[1]) == wanted, f"place of a row of {form}: {place} {line}")
    check(len(page.forms) == 4, "a form is missing")


def main():
    path, page, text, zebin, llvm, visa, dwarfdump, platform = sys.argv[1:]
    data = json.load(open(path))
    check_gen(data, zebin, dwarfdump, platform)
    check_forms(data, llvm, visa)
    check_registers(data)
    check_page(data, page)
    placed = sum(1 for line in data["asm"] if line["source"])
    shown = open(text).read().count("\n    Gen      ")
    check(shown == placed, f"the text has {shown} Gen lines, the JSON {placed}")
    print(f"{data['kernel']}: {len(data['asm'])} Gen instructions, the same in all")


main()
