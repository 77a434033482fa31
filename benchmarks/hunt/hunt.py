#!/usr/bin/env python3
"""Hunt for kernels on which IGC's vector back end makes better code than cmc: ./dev bench hunt.

Random kernels that look like real ones (generate.py) are compiled by both back ends from the same llvm.genx IR and run
on the simulated GPU. A *find* is a kernel for which cmc executes more than 1.10 times (--limit) the peer's
instructions, spills where the peer does not, refuses what the peer takes, or computes something else. The first finds
are reduced to the lines that make them.

Prints the distribution of the ratio executed(cmc) / executed(peer) for each platform, and the finds, worst first."""
import argparse
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BATCH = 20
LIMIT = 1.10
SIDES = ("cmc", "peer")


def run(command, seconds, log):
    """Exit status of a command, its output in the file `log`; a command that takes longer has failed."""
    with open(log, "w", encoding="utf-8") as file:
        try:
            return subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                                  timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return 124


def ze_info(path):
    """The text of the section .ze_info of a zebin (ELF64, little endian)."""
    with open(path, "rb") as file:
        data = file.read()
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    sections = [struct.unpack_from("<IIQQQQ", data, offset + k * size) for k in range(count)]
    strings = sections[names][4]
    for name, _, _, _, start, length in sections:
        end = data.index(b"\0", strings + name)
        if data[strings + name:end] == b".ze_info":
            return data[start:start + length].decode("utf-8", "replace")
    return ""


def spilled_bytes(path):
    """Bytes of spill of each kernel of a zebin."""
    spills, kernel, size, spill = {}, None, 0, False
    for line in ze_info(path).split("\n"):
        words = line.strip().lstrip("- ").split(":", 1)
        key, value = words[0].strip(), words[1].strip().strip("'\"") if len(words) == 2 else ""
        if key == "name" and line.startswith("  -"):
            kernel = value
            spills.setdefault(kernel, 0)  # the second list, kernels_misc_info, names it again
        elif key == "usage":
            spill = value == "spill_fill_space"
        elif key == "size" and spill and kernel:
            spills[kernel], spill = int(value, 0), False
    return spills


class Hunt:
    def __init__(self, arguments):
        self.bin, self.work, self.verify = arguments.bin, arguments.work, arguments.verify
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)

    def path(self, *names):
        return os.path.join(self.work, *names)

    def compile(self, side, platform, source, binary):
        """Whether one side takes the file."""
        if os.path.exists(binary):
            os.remove(binary)
        cmc = [os.path.join(self.bin, "cmc"), f"-march={platform}", "-w"]
        if side == "cmc":
            return run(cmc + (["-verify-each"] if self.verify else []) + [source, "-o", binary], 120,
                       self.path("cmc.log")) == 0
        if run(cmc + ["-emit-vc", source, "-o", self.path("peer.vc.ll")], 120, self.path("vc.log")):
            return False
        accepted = os.path.join(ROOT, "test", "peer", "Inputs", "accepted.sh")
        if run(["sh", accepted, platform, self.path("peer.vc.ll"), self.path("peer")], 60, self.path("peer.log")):
            return False
        os.replace(self.path("peer", "kernel.bin"), binary)
        return True

    def launch(self, side, platform, binary, kernels):
        """Executed instructions and result bytes of each kernel that ran."""
        stats, prefix, done = self.path("stats.json"), self.path(side), {}
        for kernel in kernels:
            if os.path.exists(f"{prefix}.{kernel}.out"):
                os.remove(f"{prefix}.{kernel}.out")
        if os.path.exists(stats):
            os.remove(stats)
        run([os.path.join(self.bin, "gensim"), "-d", platform, "--stats", stats, "--max-instructions", "20000000", "--",
             os.path.join(self.bin, "launch"), binary, prefix, *kernels], 120, self.path(f"run-{side}.log"))
        try:
            with open(stats, encoding="utf-8") as file:
                counts = {k["kernel"]: k["instructions"] for k in json.load(file)["kernels"]}
        except (OSError, ValueError):
            return {}
        for kernel in kernels:
            try:
                with open(f"{prefix}.{kernel}.out", "rb") as file:
                    done[kernel] = (counts[kernel], file.read())
            except (OSError, KeyError):
                pass
        return done

    def peer_spills(self, platform, kernel, text):
        """Bytes that the peer spills, which its binary may not tell, as `peer` finds them in its listing."""
        source, folder = self.path("one.cm"), self.path("one")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        run([os.path.join(self.bin, "peer"), "-d", platform, "-o", folder, source], 120, self.path("one.log"))
        try:
            with open(os.path.join(folder, platform, "peer", "counts"), encoding="utf-8") as file:
                return next(int(words[-1]) for words in map(str.split, file) if words[0] == kernel)
        except (OSError, StopIteration):
            return 0

    def measure(self, platform, texts):
        """{kernel: {side: (executed, bytes, spilled)}}; a side that is missing refused the kernel or failed."""
        result = {kernel: {} for kernel in texts}
        for side in SIDES:
            self.measure_side(side, platform, texts, result)
        for kernel, sides in result.items():
            if all(side in sides for side in SIDES) and sides["cmc"][2] and not sides["peer"][2]:
                executed, output, _ = sides["peer"]
                sides["peer"] = (executed, output, self.peer_spills(platform, kernel, texts[kernel]))
        return result

    def measure_side(self, side, platform, texts, result):
        source, binary = self.path("batch.cm"), self.path(f"{side}.bin")
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(texts.values()))
        if not self.compile(side, platform, source, binary):
            if len(texts) > 1:
                for kernel, text in texts.items():
                    self.measure_side(side, platform, {kernel: text}, result)
            return
        spills = spilled_bytes(binary)
        ran = self.launch(side, platform, binary, texts)
        for kernel, (executed, output) in ran.items():
            result[kernel][side] = (executed, output, spills.get(kernel, 0))
        missing = [kernel for kernel in texts if kernel not in ran]
        if missing and len(texts) > 1:
            for kernel in missing:
                self.measure_side(side, platform, {kernel: texts[kernel]}, result)


def judge(sides, limit=LIMIT):
    """(what kind of find or None, ratio or None)."""
    if "peer" not in sides:
        return ("unseen", None) if "cmc" in sides else ("both", None)
    if "cmc" not in sides:
        return "refused", None
    ours, theirs = sides["cmc"], sides["peer"]
    ratio = ours[0] / theirs[0]
    if ours[1] != theirs[1]:
        return "differs", ratio
    if ours[2] and not theirs[2]:
        return "spills", ratio
    return ("slower" if ratio > limit else None), ratio


def reduce(hunt, platform, kernel, text, kind, ratio, limit=LIMIT):
    """The kernel without the lines that its fault does not need."""
    lines = text.split("\n")

    def holds(candidate):
        found, now = judge(hunt.measure(platform, {kernel: "\n".join(candidate)})[kernel], limit)
        return found == kind and (kind != "slower" or now >= max(limit, 1 + (ratio - 1) * 0.7))

    changed = True
    while changed:
        changed = False
        at = len(lines) - 2
        while at > 1:
            end = at + 1
            if lines[at].endswith("{"):
                depth = 1
                while depth and end < len(lines):
                    depth += lines[end].count("{") - lines[end].count("}")
                    end += 1
            candidate = lines[:at] + lines[end:]
            if not lines[at].strip().startswith("}") and len(candidate) >= 4 and holds(candidate):
                lines, changed = candidate, True
            at -= 1
    return "\n".join(lines)


def percentile(sorted_values, percent):
    return sorted_values[min(len(sorted_values) - 1, math.ceil(len(sorted_values) * percent / 100) - 1)]


def report(platform, ratios, counts, limit=LIMIT):
    values = sorted(ratios)
    if values:
        mean = math.exp(sum(math.log(v) for v in values) / len(values))
        print(f"{platform}: {len(values)} kernels, executed cmc / peer: geometric mean {mean:.3f}, "
              f"95 % {percentile(values, 95):.3f}, 99 % {percentile(values, 99):.3f}, worst {values[-1]:.3f}")
    print(f"{platform}: " + ", ".join(f"{counts.get(kind, 0)} {words}" for kind, words in (
        ("slower", f"over {limit:.2f}"), ("spills", "spill where the peer does not"),
        ("refused", "refused by cmc only"),
        ("differs", "with other results"), ("unseen", "not taken by the peer"), ("both", "taken by neither"))),
        flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="kernels for each platform (default 100)")
    parser.add_argument("--seed", type=int, help="first seed (default: fresh, printed)")
    parser.add_argument("-d", "--device", action="append", help="platform; may be repeated (default skl icllp tgllp)")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="take every Nth batch only, from the Ith on")
    parser.add_argument("--reduce", type=int, default=3, metavar="N",
                        help="reduce the N worst finds of a platform (default 3)")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="RATIO",
                        help=f"a kernel above this ratio is a find (default {LIMIT:.2f})")
    parser.add_argument("--stage", action="append", default=[], choices=[s.__name__ for s in generate.STAGES],
                        metavar="NAME", help="kernels of this stage only; may be repeated (generate.py has the names)")
    parser.add_argument("--verify", action="store_true", help="verify the module after every pass of the middle end")
    parser.add_argument("--finds", metavar="FOLDER", help="write each find there as a kernel file")
    parser.add_argument("--bin", default=os.path.join(os.environ.get("CMKIT_BUILD", os.path.join(ROOT, "build")),
                                                      "bin"))
    parser.add_argument("--work", default=os.path.join(os.environ.get("CMKIT_BUILD", os.path.join(ROOT, "build")),
                                                       "bench", "hunt"))
    arguments = parser.parse_args()
    shard = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", arguments.shard)
    if not shard or int(shard[1]) > int(shard[2]):
        parser.error(f"--shard: '{arguments.shard}' is no part like 2/8")
    if arguments.count < 1:
        parser.error("--count is at least 1")
    if not os.access(os.path.join(arguments.bin, "launch"), os.X_OK):
        parser.error(f"no program launch in {arguments.bin}: ./dev build first")
    first = arguments.seed if arguments.seed is not None else int.from_bytes(os.urandom(4), "little")
    print(f"seeds {first} to {first + arguments.count - 1}", flush=True)
    hunt, bad = Hunt(arguments), False
    for platform in arguments.device or ["skl", "icllp", "tgllp"]:
        ratios, counts, finds = [], {}, []
        for number, start in enumerate(range(first, first + arguments.count, BATCH)):
            if number % int(shard[2]) != int(shard[1]) - 1:
                continue
            texts = {f"hunt_{s}": generate.kernel(s, arguments.stage)
                     for s in range(start, min(start + BATCH, first + arguments.count))}
            for kernel, sides in hunt.measure(platform, texts).items():
                kind, ratio = judge(sides, arguments.limit)
                if ratio:
                    ratios.append(ratio)
                if kind:
                    counts[kind] = counts.get(kind, 0) + 1
                if kind not in (None, "unseen"):
                    finds.append((ratio or 9.0, kind, kernel, texts[kernel]))
        report(platform, ratios, counts, arguments.limit)
        order = {"differs": 0, "both": 1, "refused": 2, "spills": 3, "slower": 4}
        finds.sort(key=lambda f: (order[f[1]], -f[0]))
        for ratio, kind, kernel, _ in finds:
            print(f"  {kind} {ratio:.3f} {kernel} on {platform}", flush=True)
        for number, (ratio, kind, kernel, text) in enumerate(finds):
            if number < arguments.reduce:
                text = reduce(hunt, platform, kernel, text, kind, ratio, arguments.limit)
                print(f"\n{kind} {ratio:.3f} {kernel} on {platform}, reduced:\n{text}", flush=True)
            if arguments.finds:
                os.makedirs(arguments.finds, exist_ok=True)
                with open(os.path.join(arguments.finds, f"{kernel}.{platform}.cm"), "w", encoding="utf-8") as file:
                    file.write(f"// {kind} {ratio:.3f} on {platform}\n{text}\n")
        bad = bad or any(f[1] in ("differs", "both") for f in finds)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
