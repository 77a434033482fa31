#!/usr/bin/env python3
"""Checks cmbench --profile: profiles.py CMBENCH WORK [WORKLOAD...]. Every variant of every workload, or of those named,
on its tiny inputs has a page under 5 MB with the counts of its run; those of CM have source lines and vISA; wrong
folders are refused.
"""
import json
import os
import re
import shutil
import sys
from runs import expect, runner

cmbench, work, *workloads = sys.argv[1:]
device = os.environ.get("CMKIT_TEST_DEVICE", "icllp")
run = runner(cmbench)
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
LARGEST = 5_000_000
folder = os.path.join(work, "pages")


def check(row):
    name = f"{row['workload']}-{row['input']}-{row['device']}-{row['variant']}"
    path = os.path.join(folder, name)
    expect(f"size of {name} under {LARGEST}", os.path.getsize(path + ".html") < LARGEST, True)
    with open(path + ".html", encoding="utf-8") as file:
        page = file.read()
    with open(path + ".json", encoding="utf-8") as file:
        kernels = json.load(file)["kernels"]
    expect(f"kernels of {name}", page.count('<tr class="kernel">'), len(kernels))
    sources = [line["source"] for kernel in kernels for line in kernel["lines"] if line["source"]]
    texts = re.findall(r'<tr class="source">.*<td class="t">(.*?)</td></tr>', page)
    if row["language"] == "cm":  # ocloc leaves lines out of programs of several kernels
        expect(f"source lines of {name}", bool(texts) and texts.count("") <= 1, True)
        expect(f"files of {name}", all(re.search(r"\.(cm|h):\d+$", source) for source in sources), True)
        expect(f"vISA of {name}", '<tr class="visa">' in page, True)
    # the driver's own kernels, such as copies, are in the page and not in the report
    executed = sum(line["executed"] for kernel in kernels for line in kernel["lines"])
    expect(f"instructions of {name}: {executed}, {row['instructions']}", executed >= row["instructions"] > 0, True)


report = os.path.join(work, "report.json")
status, out, err = run("-d", device, "--size", "tiny", "--profile", folder, "--json", report, *workloads)
expect(f"status: {out[-2000:]}{err}", status in (0, 3), True)  # 3: no doubles
with open(report, encoding="utf-8") as file:
    results = [row for row in json.load(file) if row["correct"]]
expect("workloads", len({row["workload"] for row in results}) >= (len(workloads) or 13), True)
for result in results:
    check(result)
expect("files", len(os.listdir(folder)), 2 * len(results))

for words, message in ((["-d", device, "--profile", report], f"--profile: {report}: Not a directory"),
                       (["-d", device, "--profile", "/no/such/folder"],
                        "--profile: /no/such/folder: No such file or directory")):
    status, out, err = run(*words, "minmax")
    expect(f"{words}: {out}", (status != 0, err), (True, f"cmbench: error: {message}\n"))
