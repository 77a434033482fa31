#!/usr/bin/env python3
"""The public functions of include/cm/ as a page, and what must hold for their declarations.

    reference.py page CLANG ROOT           prints docs/language/reference.md
    reference.py check CLANG ROOT          fails, with a line for each fault, where
        - a public function, a member of vectors and matrices or a macro lacks a doc comment, or the comment lacks a
        part (below),
        - a declaration of the public interface has no comment directly before it, where editors look for it,
        - a builtin is declared with other operands than tables/builtins.def has, for the GPU or for the CPU,
        - docs/language/reference.md is not the page.

Clang parses the headers; its syntax tree says which functions there are and which builtins each reaches. The comment of
a function is the last one before it that names it; that of a member, `select(` or `select<`, stands directly before it.
Its parts: what the function does, which shapes (they may stand at the head of the header) and which types operands and
result have, the platforms as the table has them ("All platforms.", "From TGLLP on.", "From XEHP_SDV on but not on
MTL."; they may stand at the head too), whether SIMD control flow refuses it, for functions that access memory the unit
of offsets and the alignment, and last where all this is from:
"Source: CM specification 4.3 "Built-in Functions"; Intel's cm/cm.h (cm_clock)." What a source may be called is in
sources.txt.
Where one comment speaks of several declarations, each further one has a short comment of its own, without a source,
that writes the call and says what this form does: "cm_fence(): with CM_GLOBAL_COHERENT_FENCE." The page lists it below
the other.
"""
import collections
import json
import os
import re
import subprocess
import sys

MEMORY = ("media", "buffer", "svm", "atomic", "slm", "flat", "lsc")
UNITS = r"\b(bytes?|dwords?|elements?|owords?|pixels?)\b"
SHAPES = (r"\b(lanes?|elements?|vectors?|matrix|matrices|scalars?|rows?|columns?|blocks?|handles?|"
          r"statement|int|uint|ushort|uchar)\b")
TYPES = (r"\b(any (element )?type|floats?|half|halves|double|integers?|bool|u?int|u?short|u?char|dwords|"
         r"string|SurfaceIndex|SamplerIndex|CmFenceMask|LSC_SFID)\b|"
         r"\b(\d+ to \d+|\d+, |\d+ or |\d+)+[- ]bits?\b|\b1, 2(, 4 or 8| or 4)\s+bytes\b")
ALIGNMENT = r"\b(aligned|multiples?\s+of|any address|any offset|alignment)\b"

# In the column MASK of tables/builtins.def: not allowed inside SIMD control flow.
NOT_IN_SIMD = "-3"

# What vectors, matrices and references to them have their members from.
OPERANDS = ("operand", "row_operand", "grid_operand")
HANDLES = ("handles", "handle_rows")

# Namespaces of the public interface, and what declares something in them that an editor shows a comment of.
SPACES = ("cmtl", "math", "global", "cm", "lsc")
SHOWN = ("FunctionDecl", "FunctionTemplateDecl", "CXXMethodDecl", "ClassTemplateDecl", "CXXRecordDecl", "EnumDecl",
         "ClassTemplatePartialSpecializationDecl")
CLASSES = ("ClassTemplateDecl", "CXXRecordDecl", "ClassTemplatePartialSpecializationDecl")

# Words of a comment of a further form; more are a comment whose source was forgotten.
SHORT = 40

# Letters of OPERANDS and RESULT in tables/builtins.def: how the type is written in C++.
OPERAND_TYPES = {
    "p": r"(const )?void \*",
    "o": r"(cm_detail::)?offsets<\w+>",
    "v": r"(cm_detail::)?lanes<[\w ]+, \w+>",
    "m": r"(cm_detail::)?lanes<ushort, \w+>",
    "a": r"(cm_detail::)?lanes<uint, \w+>",
    "A": r"(cm_detail::)?lanes<uint64_t, \w+>",
    "s": r"SurfaceIndex",
    "S": r"SamplerIndex",
    "x": r"(cm_detail::)?lanes<uint, \w+>",
    "u": r"unsigned int|uint|int",
    "c": r"unsigned int|uint|int",
    "P": r"svmptr_t|uint64_t",
    "t": r"const char \*",
    "n": r"A\.\.\.",
}
RESULT_TYPES = {
    "v": OPERAND_TYPES["v"],
    "o": OPERAND_TYPES["o"],
    "w": OPERAND_TYPES["v"],
    "m": OPERAND_TYPES["m"],
    "h": r"ushort",
    "b": r"bool",
    "u": r"unsigned int",
    "P": r"uint64_t",
    "-": r"void",
}

Row = collections.namedtuple("Row", "names text builtins forms")  # forms: comments of further ones
Builtin = collections.namedtuple("Builtin", "operands result mask feature lower genx")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def read_platforms(root):
    """The platforms in order; for each feature, whether each platform has it."""
    rows = re.findall(r"^PLATFORM\((\w+), (.*?\))\n(?:\n|$)", read(root, "tables/platforms.def") + "\n", re.M | re.S)
    has = {name: {} for name in re.findall(r"^(?:FEATURE|TRAIT)\((\w+),", read(root, "tables/features.def"), re.M)}
    for name, text in rows:
        like = re.search(r"\.like = PLATFORM_(\w+)", text)[1]
        said = {feature: word == "HAS" for word, feature in re.findall(r"\b(HAS|LACKS)\((\w+)\)", text)}
        for feature, platforms in has.items():
            platforms[name] = said.get(feature, platforms.get(like, False))
    names = [name for name, _ in rows]
    return names, dict(has, ALL=dict.fromkeys(names, True))


def read_tables(root):
    """Builtins by name, which platforms have each feature, names of intrinsics by their ids, the platforms."""
    row = r'^CM_BUILTIN\((\w+),\s*"(\w*)",\s*\'(.)\',\s*(-?\d+),\s*(\w+),\s*(\w+),\s*(\w+),'
    builtins = {m[1]: Builtin(*m.groups()[1:]) for m in re.finditer(row, read(root, "tables/builtins.def"), re.M)}
    platforms, has = read_platforms(root)
    genx = dict(re.findall(r'^GENX\((\w+),\s*"([^"]+)"', read(root, "tables/genx_intrinsics.def"), re.M))
    return builtins, has, genx, platforms


class Tree:
    """Clang's syntax tree of cm.h: positions are written only where they change, so it is walked in order."""

    def __init__(self, clang, root, host):
        words = [clang, "-x", "c++", "-std=c++17", "-ffreestanding", "-fno-rtti", "-w", "-fsyntax-only", "-Iinclude",
                 "-DCM_GENX=1280", "-Xclang", "-ast-dump=json", "/dev/null"]
        words += [word for header in ("cmtl.h", "cmtl/math.h", "cmtl/global.h")
                  for word in ("-include", "cm/" + header)]
        words += ["-DCMKIT_HOST=1"] if host else ["--target=spir64-unknown-unknown", "-fparse-all-comments"]
        done = subprocess.run(words, cwd=root, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{clang}: {done.stderr}")
        self.file = self.line = None
        self.public, self.members, self.calls, self.builtins = [], [], collections.defaultdict(set), []
        self.silent = set()  # functions without operands and result
        self.shown, self.first = {}, {}  # by the id of the first declaration: (name, at), unless it has a comment
        self.walk(json.loads(done.stdout), 0, None, None, "public")

    def position(self, at):
        if "spellingLoc" in at or "expansionLoc" in at:
            self.position(at.get("spellingLoc", {}))
            return self.position(at.get("expansionLoc", {}))
        self.file, self.line = at.get("file", self.file), at.get("line", self.line)
        return self.file, self.line

    def note_shown(self, node, at):
        first = self.first.setdefault(node["id"], self.first.get(node.get("previousDecl"), node["id"]))
        if any(child.get("kind") == "FullComment" for child in node.get("inner", [])):
            self.shown[first] = None
        self.shown.setdefault(first, (node["name"], at))

    @staticmethod
    def inside_of(node, where):
        """Where the children of a node are: in the "public" interface, in its implementation ("detail"), where only
        what operands have in common is public, in a "template", whose pattern is no declaration of its own, or
        elsewhere."""
        name, kind = node.get("name"), node["kind"]
        if kind == "NamespaceDecl":
            return "detail" if name == "cm_detail" else "public" if where == "public" and name in SPACES else None
        if kind in CLASSES and (where in ("public", "template") or where == "detail" and name in OPERANDS + HANDLES):
            return "template" if kind == "ClassTemplateDecl" else "public"
        return where if kind in ("TranslationUnitDecl", "LinkageSpecDecl") else None

    def walk(self, node, depth, owner, record, where):
        here = self.position(node.get("loc", {}))
        begin = self.position(node.get("range", {}).get("begin", {}))
        self.position(node.get("range", {}).get("end", {}))
        name, kind = node.get("name", ""), node["kind"]
        is_ours = re.fullmatch(r"(?!__)\w*[^\W_]", name) and not node.get("isImplicit")
        if where == "public" and kind in SHOWN and is_ours and "parentDeclContextId" not in node:
            self.note_shown(node, here)
        if kind in ("FunctionDecl", "FunctionTemplateDecl", "CXXMethodDecl") and not node.get("isImplicit"):
            if kind == "FunctionDecl" and name.startswith("__cm_"):
                self.builtins.append((name[5:], node))
            elif depth == 1 and not re.match(r"__|operator", name):
                owner = (name, begin)
                self.public.append(owner)
                self.silent |= {name} if node.get("type", {}).get("qualType") == "void ()" else set()
            elif depth == 1 or owner is None or not isinstance(owner, tuple):
                owner = name
            if record and re.fullmatch(r"[a-z]\w*[a-z]", name):
                self.members.append((name, begin))
        self.note_call(node, owner)
        # the direct members of an operand's template; names that end in '_' are our own
        is_template = kind == "ClassTemplateDecl" and name in OPERANDS
        record = name if is_template or (kind == "CXXRecordDecl" and record == name) else None
        is_library = kind == "NamespaceDecl" and name in ("cmtl", "math", "global")
        where = self.inside_of(node, where)
        inside = depth + (kind not in ("LinkageSpecDecl",) and not is_library)
        for child in node.get("inner", []):
            if child:
                self.walk(child, inside, owner, record, where)

    def note_call(self, node, owner):
        called = node.get("name") if node["kind"] == "UnresolvedLookupExpr" else node.get("referencedDecl",
            {}).get("name")
        called = node.get("member", called) if "Member" in node["kind"] else called
        if node.get("referencedDecl", {}).get("kind") == "EnumConstantDecl":  # its name may be a function's, too
            called = None
        if owner and called:
            self.calls[owner].add(called)

    def reached(self, owner):
        """The builtins that a function, or a member by its name, calls, also through others."""
        seen, todo = set(), list(self.calls[owner])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.calls.get(name, ())
                if name == owner[0] and "explicit_arguments" in owner[1][0]:  # calls the form without them
                    forms = [form for form in self.public if form[0] == name and "lsc" not in form[1][0]]
                    todo += [call for form in forms for call in self.calls[form]]
        return {name[5:] for name in seen if name.startswith("__cm_")}


def read_sources(root):
    """What a comment's "Source:" may name."""
    lines = read(root, "tools/reference/sources.txt").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def named_sources(source):
    """The names of sources.txt in 'CM specification 2.1 "A", 2.2 "B"; Intel's cm/cm.h (cm_clock)', which end with a
    dot.
    """
    names = []
    for item in source.removesuffix(".").split("; "):
        item = re.sub(r" \([^()]+\)$", "", item)
        whose = re.match(r"CM specification |Intel's |vISA documentation, |", item)[0]
        names += [whose + name for name in item.removeprefix(whose).split(", ")]
    return names


def comments_of(text):
    """Comments with the line of their last character: [(line, text)]."""
    found = []
    for m in re.finditer(r"/\*(.*?)\*/", text, re.S):
        words = re.sub(r"\n[ \t]*\* ?", "\n", m[1]).strip()
        found.append((text.count("\n", 0, m.end()) + 1, words))
    return found


def spell(text):
    """Comment text as one paragraph."""
    return re.sub(r"\s+", " ", text).strip()


class Reference:
    def __init__(self, clang, root):
        self.root, self.clang = root, clang
        self.table, self.has, self.genx, self.platforms = read_tables(root)
        self.tree = Tree(clang, root, host=False)
        self.sources, self.used = read_sources(root), set()
        self.faults = []
        self.called = {name for name, _ in self.tree.public + self.tree.members}
        self.headers = collections.OrderedDict()  # file -> {comment line: Row}
        for owner in self.tree.public:
            self.place(*owner, rf"\b{owner[0]}\b", self.tree.reached(owner))
        for name, at in self.tree.members:
            self.place(name, at, rf"\.{name}[(<]", self.tree.reached(name))
        for folder, _, names in sorted(os.walk(os.path.join(root, "include/cm"))):
            for name in sorted(names):
                if name.endswith(".h") and os.path.basename(folder) != "host":
                    self.place_macros(os.path.relpath(os.path.join(folder, name), root))

    def fault(self, file, line, text):
        self.faults.append(f"{file}:{line}: {text}")

    def place(self, name, at, pattern, reached):
        """Finds the comment of what is declared `at`: the last one before it in which the pattern is."""
        file, line = at
        comments = comments_of(read(self.root, file))
        named = [c for c in comments if c[0] <= line and re.search(pattern, c[1])]
        if not named:
            return self.fault(file, line, f"{name} has no doc comment that names it")
        whole = [c for c in named if "Source: " in c[1]]
        form = named[-1][1]
        is_further = whole and whole[-1] != named[-1] and len(form.split()) <= SHORT
        whole = whole[-1] if is_further else named[-1]
        row = self.headers.setdefault(file, {}).setdefault(whole[0], Row([], whole[1], set(), []))
        if name not in row.names:
            row.names.append(name)
        if is_further and form not in row.forms:
            row.forms.append(form)
        row.builtins.update(reached)

    def place_macros(self, file):
        text = read(self.root, file)
        for m in re.finditer(r"^#define (?!CM_DETAIL_|CMKIT_)(\w+)", text, re.M):
            line = text.count("\n", 0, m.start()) + 1
            self.place(m[1], (file, line), rf"(?<!\w){m[1]}(?!\w)", set())

    def platform(self, builtins):
        """The first platform that has all of these builtins."""
        features = {self.table[b].feature for b in builtins if b in self.table}
        return next(p for p in self.platforms if all(self.has[f][p] for f in features))

    def lacking(self, builtins):
        """The platforms after that one which lack one of them."""
        later = self.platforms[self.platforms.index(self.platform(builtins)):]
        features = {self.table[b].feature for b in builtins if b in self.table}
        return [p for p in later if any(not self.has[f][p] for f in features)]

    def in_words(self, builtins):
        """Which platforms have all of these builtins, as comments say it."""
        first, lacking = self.platform(builtins), self.lacking(builtins)
        words = "All platforms" if first == self.platforms[0] else f"From {first} on"
        return words + (" but not on " + ", ".join(lacking) if lacking else "")

    def check_source(self, file, line, who, source):
        if not source:
            return self.fault(file, line, f"{who}: the comment names no source (Source: ...)")
        for name in named_sources(source):
            self.used.add(name)
            if name not in self.sources:
                self.fault(file, line, f"{who}: `{name}` is no source of tools/reference/sources.txt")

    def check_platforms(self, file, line, names, text):
        rows = self.headers[file]
        wanted = self.in_words(rows[line].builtins)
        # one overload calls another, which the tree does not tell
        overloads = set().union(*(row.builtins for row in rows.values() if set(row.names) & set(names)))
        if not re.search(rf"({wanted}|{self.in_words(overloads)})(\.| \()", text):
            self.fault(file, line, f"{', '.join(names)}: the comment does not say `{wanted}`, as the table has it")

    def check_limits(self, file, line, names, text):
        builtins = self.headers[file][line].builtins
        refused = any(self.table[b].mask == NOT_IN_SIMD for b in builtins if b in self.table)
        if refused and "SIMD control flow" not in text:
            self.fault(file, line, f"{', '.join(names)}: the comment does not say that it is not for SIMD control flow")

    def check_operands(self, file, line, names, text, head):
        """Shapes, types, units and alignment. Names of operands in a call that the comment writes say none of them."""
        called, who = self.called & set(names), ", ".join(names)
        said = re.sub(r"[\w:.]+(<[^<>()]*>)?\([^()]*\)", "", text)
        memory = os.path.basename(file)[:-2] in MEMORY
        if called - self.tree.silent and not re.search(SHAPES, said) and not re.search(SHAPES, head):
            self.fault(file, line, f"{who}: the comment does not say which shapes operands and result have")
        takes = any(re.search(rf"(?<!\w){name}(<[^<>()]*>)?\([^)]", text) for name in called)
        if takes and not re.search(TYPES, said):
            self.fault(file, line, f"{who}: the comment does not say which types it takes")
        if memory and not re.search(UNITS, text):
            self.fault(file, line, f"{who}: the comment gives no unit of offsets or sizes")
        if memory and not re.search(ALIGNMENT, text):
            self.fault(file, line, f"{who}: the comment says nothing about alignment")

    def check_comments(self):
        for file, rows in self.headers.items():
            head = spell(comments_of(read(self.root, file))[0][1])
            for line, (names, text, _, _) in rows.items():
                who = ", ".join(names)
                text, _, source = spell(text).partition("Source: ")
                if len(text.split()) < 6:
                    self.fault(file, line, f"{who}: the comment does not say what it does")
                for name in names:  # frontend/diagnostics/signatures.h shows it where a call is refused
                    if name in self.called and not re.search(rf"(?<!\w){name}(<[^<>()]*>)?\(", text):
                        self.fault(file, line, f"{name}: the comment does not write a call of it: {name}(...)")
                self.check_platforms(file, line, names, text + head)
                self.check_limits(file, line, names, text)
                self.check_operands(file, line, names, text, head)
                self.check_source(file, line, who, source)

    def check_shown(self):
        for name, (file, line) in filter(None, self.tree.shown.values()):
            self.fault(file, line, f"{name}: editors show no comment; one must stand directly before this declaration")

    def check_declarations(self):
        for tree, target in ((self.tree, "the GPU"), (Tree(self.clang, self.root, host=True), "the CPU")):
            # __cm_builtin_NAME: built-ins of Intel's compiler, which a header defines
            declared = {name for name, _ in tree.builtins if not name.startswith("builtin_")}
            for name in sorted(set(self.table) - declared):
                self.fault("tables/builtins.def", 1, f"__cm_{name} is not declared for {target}")
            for name in sorted(declared - set(self.table)):
                self.fault("include/cm/detail", 1, f"__cm_{name} is not in tables/builtins.def")
            for name, node in tree.builtins:
                if name in self.table:
                    self.check_types(name, node, target)

    def check_types(self, name, node, target):
        operands = [c["type"]["qualType"] for c in node.get("inner", []) if c["kind"] == "ParmVarDecl"]
        result = node["type"]["qualType"].split(" (")[0]
        row, where = self.table[name], f"__cm_{name} for {target}"
        if len(operands) != len(row.operands):
            return self.fault("tables/builtins.def", 1,
                              f"{where}: {len(operands)} operands, in the table {len(row.operands)}")
        for i, (letter, text) in enumerate(zip(row.operands, operands)):
            if not re.fullmatch(OPERAND_TYPES[letter], text):
                self.fault("tables/builtins.def", 1, f"{where}: operand {i} is {text}, in the table '{letter}'")
        if not re.fullmatch(RESULT_TYPES[row.result], result):
            self.fault("tables/builtins.def", 1, f"{where}: the result is {result}, in the table '{row.result}'")

    def order(self, item):
        """cm.h's order of including, then the other headers."""
        included = re.findall(r'"(detail/[\w/]+\.h)"', read(self.root, "include/cm/cm.h"))
        name = os.path.relpath(item[0], "include/cm")
        return included.index(name) if name in included else len(included), name

    def beneath(self, builtins):
        """What lies under a function and since when, as the end of its last line."""
        genx = sorted({self.genx[self.table[b].genx] for b in builtins
                       if b in self.table and self.table[b].genx in self.genx} - {"rdregioni", "wrregioni"})
        genx = [g for g in genx if not re.search(r"\bsat$", g)]  # conversions to the result are in nearly all
        lacking = self.lacking(builtins)
        missing = f", not {', '.join(lacking)}" if lacking else ""
        return " Beneath: " + ", ".join(f"`{g}`" for g in genx) + \
            f". First platform: {self.platform(builtins)}{missing}." if genx else ""

    def page(self):
        lines = ["# The functions of CM", "",
                 "The doc comments of the public functions in `include/cm/`, and what `tables/builtins.def` has beneath them: the",
                 "`llvm.genx.*` intrinsics, which depend on types and platform (the first of a family is named), and the first",
                 "platform. `tools/reference/reference.py` prints this page and a test holds it against the headers.",
                 "*Source* names what a function follows: a section of the C for Metal language specification",
                 "(`cmlangspec.rst` in the public repository intel/cm-compiler), a header of Intel's compiler where the",
                 "specification lacks it (`clang/lib/Headers/cm/include` there), a page of vISA's documentation",
                 "(`documentation/visa` in intel/intel-graphics-compiler).",
                 "[overview.md](overview.md) explains the language, [features.md](features.md) lists what is missing.",
                 ""]
        for file, rows in sorted(self.headers.items(), key=self.order):
            head = comments_of(read(self.root, file))[0][1]
            lines += [f"## {os.path.relpath(file, 'include/cm').removeprefix('detail/')}", "", escape(spell(head)), ""]
            for _, (names, text, builtins, forms) in sorted(rows.items()):
                text, _, source = text.partition("Source: ")
                lines += ["### " + ", ".join(f"`{n}`" for n in names), "", escape(text.strip()), ""]
                lines += [f"- {escape(spell(form))}" for form in forms] + [""] * bool(forms)
                lines += [f"*Source: {escape(spell(source))}*" + self.beneath(builtins), ""]
        return "\n".join(lines)


def escape(text):
    """Comment text in Markdown: its lines stay, its angle brackets and stars are no marks."""
    return re.sub(r"([<*_])", r"\\\1", text)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("page", "check"):
        sys.exit(__doc__)
    reference = Reference(sys.argv[2], sys.argv[3])
    page = reference.page()
    if sys.argv[1] == "page":
        print(page, end="")
        return
    reference.check_comments()
    reference.check_shown()
    for name in sorted(reference.sources - reference.used):
        reference.fault("tools/reference/sources.txt", 1, f"no comment names `{name}`")
    reference.check_declarations()
    path = "docs/language/reference.md"
    if not os.path.exists(os.path.join(sys.argv[3], path)) or read(sys.argv[3], path) != page:
        reference.fault(path, 1, "is not what the headers and tables say: print it anew (reference.py page)")
    if len(reference.tree.public) < 100 or len(reference.table) < 80:
        reference.fault("include/cm", 1, "almost nothing was found: the check itself is broken")
    print("\n".join(reference.faults))
    sys.exit(1 if reference.faults else 0)


if __name__ == "__main__":
    main()
