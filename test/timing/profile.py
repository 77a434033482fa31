#!/usr/bin/env python3
"""Checks gensim --profile: profile.py GENSIM CMRUN DEVICE KERNELS WORK [CMC].

The page's numbers are those of the JSON, sums over instructions are those of --stats, operations on floats are those
that the source has, vISA is that of cmc --explain, and wrong input is refused. A full disk leaves the old page. With
chromium: nothing overlaps or is cut at three widths.
"""
import html
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys

gensim, cmrun, device, kernels, work = sys.argv[1:6]
cmc = sys.argv[6] if len(sys.argv) > 6 else None
os.makedirs(work, exist_ok=True)
os.chdir(work)
CAUSES = ["dependency", "memory", "SLM", "sampler", "send queue", "barrier", "fence"]
COLUMNS = ["executed", "cycles", "share", "active", *CAUSES]


CHAIN = [cmrun, kernels, "-k", "chain", "-g", "8", "-l", "32", "buf:4096", "f32:1.5", "i32:100"]


def run(*words, status=0, say=None, program=None, **more):
    done = subprocess.run([gensim, "-d", device, *words, "--", *(program or CHAIN)], capture_output=True, text=True,
                          timeout=300, check=False, **more)
    if done.returncode != status or (say and (say not in done.stderr or done.stderr.count("\n") != 1)):
        sys.exit(f"{words}: status {done.returncode}, said {done.stderr}, wanted {status}, {say}")
    return done


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def rows(page, kind):
    for row in re.findall(rf'<tr class="{kind}">(.*?)</tr>', page, re.S):
        yield [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")


def columns(page, first, last):
    """The columns of numbers of the table that begins with `first`: causes that no line has are left out."""
    head = re.search(rf"<tr><th>{first}</th>(.*?)<th>{last}</th></tr>", page)[1]
    found = ["share" if name == "%" else name for name in re.findall("<th[^>]*>(.*?)</th>", head)]
    expect(f"columns of {first}", [name for name in [*COLUMNS, "cycles before"] if name in found], found)
    return found


def check_lines(page, kernel):
    wanted = {line["offset"]: line for line in kernel["lines"] if line["executed"]}
    found = list(rows(page, "line"))
    expect("rows", sorted(int(row[0]) for row in found), sorted(wanted))
    shown = columns(page, "offset", "instruction")
    expect("columns", shown, [name for name in COLUMNS if name not in CAUSES or
                              any(line[name] for line in kernel["lines"])])
    costs = [int(row[2]) for row in found]
    expect("the order", costs, sorted(costs, reverse=True))
    for row in found:
        line = wanted[int(row[0])]
        figures = dict(zip(shown, row[1:]))
        expect("cells", len(row), len(shown) + 2)
        for key in shown:
            if key != "share":
                expect(f"{key} of {row[0]}", int(figures[key]), line[key])
        expect("share", figures["share"], f"{100 * line['cycles'] / sum(costs):.1f}")
        text = re.sub(r" <span class=\"v\">.*", "", row[-1])
        expect("text", text.replace('"', "?").replace("\\", "?"), line["text"])


def check_sums(kernel, stats):
    """Each line is rounded to whole clocks."""
    timing, lines = kernel["timing"], kernel["lines"]
    for key in ("GpuCoreClocks", "instructions", "EuActive", "EuStall", "EuIdle", "stalls", "DramRead"):
        expect(key, timing[key], stats["timing"][key])
    expect("instructions", sum(line["executed"] for line in lines), stats["instructions"])
    eus = sum(line["active"] for line in lines) / timing["GpuCoreClocks"] / timing["EuActive"] * 100
    stalled = sum(line["cycles"] - line["active"] for line in lines) / timing["GpuCoreClocks"] / eus * 100
    if abs(stalled - timing["EuStall"]) > 0.2 + 100 * len(lines) / timing["GpuCoreClocks"]:
        sys.exit(f"stalled {stalled} % instead of {timing['EuStall']} %")
    moved = timing["DramRead"]["bytes"] + timing["DramWrite"]["bytes"]
    expect("bytes of memory over time", sum(kernel["over_time"]["dram_bytes"]), moved)
    expect("bytes of L3 over time", sum(kernel["over_time"]["l3_bytes"]), timing["L3ShaderThroughput"]["bytes"])


def check_summary(page, kernel, changed=None):
    row = next(rows(page, "kernel"))
    timing = kernel["timing"]
    expect("summary", row[:9], [kernel["kernel"], str(timing["launches"]), str(timing["GpuCoreClocks"]), row[3],
                                str(timing["instructions"]), f"{timing['EuActive']:.1f}", f"{timing['EuStall']:.1f}",
                                f"{timing['EuIdle']:.1f}", f"{timing['EuThreadOccupancy']:.1f}"])
    if abs(float(row[3]) * 1000 - timing["GpuTime"]) > 0.5 + timing["GpuTime"] / 1000:
        sys.exit(f"{row[3]} us instead of {timing['GpuTime']} ns")
    expect("against", row[9:], changed or [])


FIGURES = {"launches": ["launches"], "clocks": ["GpuCoreClocks"], "nanoseconds": ["GpuTime"],
           "instructions": ["instructions"], "EU active %": ["EuActive"], "stalled %": ["EuStall"],
           "idle %": ["EuIdle"], "thread occupancy %": ["EuThreadOccupancy"],
           "bytes of L3": ["L3ShaderThroughput", "bytes"],
           "bytes of local memory": ["SlmThroughput", "bytes"], "bytes read from memory": ["DramRead", "bytes"],
           "bytes written to memory": ["DramWrite", "bytes"]}


def check_both(page, old, new):
    """Two runs side by side: the figures of both JSON files, and the clocks of each source line before."""
    found = {row[0]: row[1:] for row in rows(page, "both")}
    expect("figures side by side", list(found), list(FIGURES))
    for name, keys in FIGURES.items():
        before, now = old["timing"], new["timing"]
        for key in keys:
            before, now = before[key], now[key]
        percent = name.endswith("%")
        expect(f"{name} before and now", found[name][:2],
               [f"{value:.1f}" if percent else str(value) for value in (before, now)])
        if found[name][2]:
            change = now - before if percent else 100 * (now / before - 1)
            if abs(float(found[name][2].rstrip(" %")) - change) > 0.1001:
                sys.exit(f"change of {name}: {found[name]}, {change}")
        else:
            expect(f"{name} without a change", before, 0)
    if not any(line["source"] for line in new["lines"]):
        return
    at = 1 + columns(page, "source", "text").index("cycles before")
    before = {row[0]: int(row[at]) for row in rows(page, "source")}
    expect("clocks of lines before", before, {source: sum(
        line["cycles"] for line in old["lines"] if line["source"] == source) for source in before})
    assert before, new["lines"]


SCRIPT = """<script>onload = () => {
  const wrong = [];
  for (const box of document.querySelectorAll('td, th, p, h1, h2, h3, h4, svg, table')) {
    const a = box.getBoundingClientRect();
    if (a.right > innerWidth || a.left < 0 || box.scrollWidth > box.clientWidth + 1)
      wrong.push('cut: ' + box.textContent.slice(0, 40));
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than ' + innerWidth);
  for (const svg of document.querySelectorAll('svg')) {
    const whole = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    boxes.forEach(([text, a], i) => {
      if (a.left < whole.left - 1 || a.right > whole.right + 1 || a.top < whole.top - 1 || a.bottom > whole.bottom + 1)
        wrong.push('cut: ' + text);
      for (const [other, b] of boxes.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2)
          wrong.push('overlap: ' + text + ' and ' + other);
    });
  }
  document.title = 'checked ' + JSON.stringify(wrong);
}</script></head>"""


def check_layout(page):
    chromium = shutil.which("chromium")
    if not chromium:
        print("chromium is not installed: the layout was not looked at")
        return
    with open("looked-at.html", "w", encoding="utf-8") as file:
        file.write(page.replace("</head>", SCRIPT, 1))
    for width in (600, 1000, 1600):
        done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900",
                               f"--user-data-dir={work}/chromium", "--dump-dom", f"file://{work}/looked-at.html"],
                              capture_output=True, text=True, timeout=120, check=False)
        title = re.search(r"<title>checked (.*?)</title>", done.stdout, re.S)
        if not title:
            sys.exit(f"chromium has not shown the page: {done.stderr[-400:]}")
        expect(f"layout at {width}", json.loads(html.unescape(title[1])), [])


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


run("--threads", "1", "--profile", "page.html", "--stats", "stats.json")
page, profile = read("page.html"), json.loads(read("page.json"))
kernel, stats = profile["kernels"][0], json.loads(read("stats.json"))["kernels"][0]
expect("size", len(page) < 5_000_000 and "<script" not in page and "http" not in page, True)
check_lines(page, kernel)
check_sums(kernel, stats)
check_summary(page, kernel)
# 8 groups of 32 work items, 100 turns of 32 mads (kernels.cl)
expect("operations", kernel["flops"], 8 * 32 * 100 * 32 * 2)
check_layout(page)
run("--threads", "4", "--profile", "again.html", "--profile-against", "page.json")
expect("the same again", read("again.json"), read("page.json"))
check_summary(read("again.html"), kernel, ["+0.0 %"])
check_both(read("again.html"), kernel, kernel)
run("--profile", "slow.html", "--profile-against", "page.json", "--timing-set", "alu_latency=40")
slow = json.loads(read("slow.json"))["kernels"][0]
change = f"{100 * (slow['timing']['GpuCoreClocks'] / kernel['timing']['GpuCoreClocks'] - 1):+.1f} %"
check_summary(read("slow.html"), slow, [change])
check_both(read("slow.html"), kernel, slow)
check_layout(read("slow.html"))

run("--profile", "page.txt", status=125, say="does not end in .html")
run("--profile", "no/such/page.html", status=125, say="cannot write to the folder")
run("--profile-against", "page.json", status=125, say="--profile-against needs --profile")
run("--profile", "x.html", "--profile-against", "none.json", status=125, say="cannot read 'none.json'")
for text in ('{"gensim_profile": 2,\n', read("page.json")[:700], "", "[]\n",
             read("page.json").replace('"cycles"', '"clocks"'), read("page.json").replace('"stalls"', '"stall"')):
    with open("old.json", "w", encoding="utf-8") as file:
        file.write(text)
    run("--profile", "x.html", "--profile-against", "old.json", status=125, say="is no JSON of gensim --profile")


def check_full_disk():
    """Files of at most 4 KB, and a file system of 16 KB: one message a file, and the old page stays as it was."""
    os.makedirs("full", exist_ok=True)
    shutil.copy("page.html", "full/page.html")
    done = run("--profile", "full/page.html", "--trace-events", "full/events.json", preexec_fn=limit_files)
    expect("message of a small file", len(re.findall("gensim: error: cannot write .*: File too large", done.stderr)), 3)
    expect("files", os.listdir("full"), ["page.html"])
    expect("the old page", read("full/page.html"), read("page.html"))
    with open("full.sh", "w", encoding="utf-8") as script:
        script.write("mount -t tmpfs -o size=16k none full && shift && "
                     '"$@" && ls full && exit 77\n')
    program = [gensim, "-d", device, "--profile", "full/page.html", "--trace-events", "full/events.json", "--", *CHAIN]
    for unshare in (["unshare", "-m"], ["unshare", "-rm"]):
        done = subprocess.run([*unshare, "sh", "full.sh", "--", *program], capture_output=True, text=True, check=False)
        if done.returncode == 77:
            expect("message of a full disk", len(re.findall("cannot write .*: No space left", done.stderr)), 3)
            expect("files on a full disk", done.stdout, "")
            return
    print("this user may not mount a file system: a full disk was not looked at")


def explained(name):
    """Of cmc --explain: the vISA instruction of each Gen instruction, as number and text."""
    forms = json.loads(read(name))
    listing = [line for line in forms["devices"]["vISA"]["asm"] if line.get("visa")]
    text = {line["visa"]: " ".join(line["text"].split()) for line in listing}
    return [f"{line['visa']} {text[line['visa']]}" if line.get("visa") else "" for line in forms["asm"]]


CM = """#include <cm/cm.h>
extern "C" _GENX_MAIN_ void squares(SurfaceIndex out)
{
    vector<float, 16> sum = 0;
    for (int i = 0; i < cm_group_id(0) * 5; i++) {
        sum += sum * 0.5f + float(i);
        if (i == 7)
            sum *= 3.0f;
    }
    write(out, cm_group_id(0) * 64, sum);
}
"""


def check_visa():
    with open("squares.cm", "w", encoding="utf-8") as file:
        file.write(CM)
    for words in (["-g", "-o", "squares.bin", "--explain=json"], ["-o", "plain.bin"]):
        subprocess.run([cmc, f"-march={device.upper()}", "squares.cm", *words], check=True)
    program = [cmrun, "squares.bin", "-k", "squares", "-g", "4", "buf:256"]
    run("--profile", "squares.html", program=program)
    page, kernel = read("squares.html"), json.loads(read("squares.json"))["kernels"][0]
    lines = kernel["lines"]
    # JSON of a profile has ? for characters that need an escape.
    expect("vISA", [line["visa"] for line in lines],
           [each.replace('"', "?").replace("\\", "?")[:191] for each in explained("squares.squares.json")][:len(lines)])
    found = {f"{row[0]} {row[-1]}": row for row in rows(page, "visa")}
    wanted = {line["visa"] for line in lines if line["executed"] and line["visa"]}
    expect("vISA instructions", {name.replace('"', "?") for name in found}, wanted)
    assert len(wanted) > 5, wanted
    for name, row in found.items():
        own = [line for line in lines if line["visa"] == name.replace('"', "?")]
        expect(name, int(row[1]), sum(line["executed"] for line in own))
        for key, cell in zip(columns(page, "number", "instruction"), row[1:]):
            if key != "share" and abs(int(cell) - sum(line[key] for line in own)) > len(own):  # each is rounded
                sys.exit(f"{key} of {name}: {cell} instead of {[line[key] for line in own]}")
    check_layout(page)
    run("--profile", "both.html", "--profile-against", "squares.json", program=[*program[:-2], "8", "buf:512"])
    check_both(read("both.html"), kernel, json.loads(read("both.json"))["kernels"][0])
    check_layout(read("both.html"))
    program[1] = "plain.bin"
    run("--profile", "plain.html", program=program)
    expect("vISA without -g", {line["visa"] for line in json.loads(read("plain.json"))["kernels"][0]["lines"]}, {""})
    expect("vISA without -g", list(rows(read("plain.html"), "visa")), [])


CL = """kernel void twice(global float *a)
{
    float x = a[get_global_id(0)];
    a[get_global_id(0)] = x + x * x;
}
"""


def check_opencl():
    """Source lines of an OpenCL C program; its file is elsewhere."""
    os.makedirs("sources", exist_ok=True)
    with open("sources/twice.cl", "w", encoding="utf-8") as file:
        file.write(CL)
    subprocess.run(["ocloc", "compile", "-q", "-file", "sources/twice.cl", "-device", device, "--format", "zebin",
                    "-output_no_suffix", "-output", "twice.bin", "-options", "-gline-tables-only -s sources/twice.cl"],
                   check=True, stdout=subprocess.DEVNULL)
    program = [cmrun, "twice.bin", "-k", "twice", "-g", "4", "-l", "32", "buf:512:f32=1"]
    for words, text in (([], ""), (["--profile-sources", "sources"], "a[get_global_id(0)] = x + x * x;")):
        run("--profile", "twice.html", *words, program=program)
        page, kernel = read("twice.html"), json.loads(read("twice.json"))["kernels"][0]
        found = {row[0]: row for row in rows(page, "source")}
        expect("text of a line", found["twice.cl:4"][-1], text)
        for source, row in found.items():
            own = [line for line in kernel["lines"] if line["source"] == source]
            expect(source, int(row[1]), sum(line["executed"] for line in own))
    run("--profile-sources", "sources", status=125, say="--profile-sources needs --profile")
    run("--profile", "x.html", "--profile-sources", "none", status=125, say="'none' is not a folder")


check_full_disk()
check_opencl()
if cmc:
    check_visa()
