"""every_pass.py FOLDER: each pass that standard input names (`cmc -print-passes`) has tests in the folder, in files
with lines
"PASSES: NAME NAME ..." that name it. Passes that run more than once are one pass: NAME, NAME-again, NAME-last, ...
Passes that only run LLVM's have LLVM's tests."""
import pathlib
import re
import sys

tested = set()
for file in pathlib.Path(sys.argv[1]).iterdir():
    if file.suffix in (".cm", ".test"):
        for words in re.findall(r"^(?://|#) PASSES: (.*)$", file.read_text(encoding="utf-8"), re.M):
            tested.update(words.split())
lines = sys.stdin.read().splitlines()
names = [line.split()[0] for line in lines]
tested.update(line.split()[0] for line in lines if "Runs LLVM's" in line or "(LLVM's" in line)
base = {name: re.sub(r"-(again|last|early)$", "", name) for name in names}
missing = [name for name in names if name not in tested and base[name] not in tested]
unknown = sorted(tested - set(names))
for name in missing:
    print(f"pass {name}: no test names it")
for name in unknown:
    print(f"a test names {name}, which is no pass")
sys.exit(bool(missing or unknown or not names))
