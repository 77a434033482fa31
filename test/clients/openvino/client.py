"""OpenVINO's GPU plug-in: models built from operations, against its CPU plug-in or NumPy."""
import glob
import json
import os

import shared

WHEELS = {"openvino": "2026.4.1"}
SECONDS = 900
# Device: its cases. paged40 is paged attention after a prompt of 40 tokens: stateful.py; vision1x64:16 is one head of
# 64 values on a sequence of 16: blocks.py. The last ones are the plug-in's unit tests: unit.py.
CASES = {
    "tgllp:current": ["cnn", "int8", "encoder", "norms", "moe", "lora", "decoder", "lstm"],
    "dg2:current": ["cnn", "int8", "encoder", "norms", "moe-plain", "lora", "decoder", "lstm", "paged40", "paged40:u8",
                    "paged40:dense", "vision2x64:16+16", "vision1x128:64+64+40", "reorder", "unit-vision",
                    "unit-paged", "unit-cached", "unit-reorder"],
    "lnl:current": ["cnn", "int8", "encoder", "norms", "moe-plain", "lora", "decoder", "lstm", "paged40",
                    "paged300:256", "paged40:dense", "vision2x64:16+16", "vision1x128:64+64+40", "reorder",
                    "unit-vision-aligned", "unit-paged", "unit-reorder"],
    "bmg:current": ["paged300", "lstm"],
}
DEVICES = list(CASES)
WORST = 0.02  # of the largest expected value: half precision
PAGED = ["pa_kv_cache_update_ref", "pa_single_token", "pa_single_token_finalization", "pa_small_q",
         "pa_small_q_finalization", "pa_multi_token", "xattn_gemm_qk", "xattn_find_block", "xattn_post_proc"]
ON_ALL = [*PAGED, "pa_kv_cache_reorder_ref", "cm_sdpa_vlen"]
# Every kernel that the plug-in has in CM (its strings with _GENX_MAIN_) and can choose for the device; the LSTM's only
# on Xe2.
CM_KERNELS = {"dg2": ON_ALL, "lnl": [*ON_ALL, "xetla_lstm_gemm", "xetla_lstm_loop"],
              "bmg": [*PAGED, "xetla_lstm_gemm", "xetla_lstm_loop"]}


def check(cases, wanted):
    """Raises Wrong if a case is missing or differs."""
    wrong = [f"{name} by {difference} of {largest}" for name, difference, largest, _ in cases
             if not float(difference) <= WORST * float(largest)]
    if wrong or len(cases) < len(wanted):
        raise shared.Wrong(", ".join(wrong) if wrong else f"{len(cases)} of {len(wanted)} cases ran")


def launched(on):
    """The names of the kernels that ran."""
    names = set()
    for path in glob.glob(os.path.join(on.work, "stats-*.json")):
        with open(path, encoding="utf-8") as file:
            names |= {kernel["kernel"] for kernel in json.load(file)["kernels"] if kernel["instructions"]}
    return names


def built(log):
    """The names of the kernels that the front end's cmc has compiled from CM source; raises Wrong for a refused one."""
    names = set()
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            for word, *kernels in map(str.split, file):
                if word != "built":
                    raise shared.Wrong("cmc refused " + " ".join(kernels))
                names |= set(kernels)
    return names


def is_of(kernel, name):
    """Whether `name` is the kernel's with what the plug-in adds: a number, or _cm_ and more."""
    rest = name[len(kernel):]
    return name.startswith(kernel) and (rest.startswith("_cm") or rest[1:].split("__")[0].isdigit())


def run(on):
    every = CASES.get(f"{on.device}:{on.driver}", CASES["tgllp:current"])
    wanted = on.chosen(every)
    script, log = os.path.join(on.folder, "models.py"), os.path.join(on.work, "cm-log")
    prefix = os.path.normpath(os.path.join(os.path.dirname(on.gensim_path), ".."))
    front_end = {"CM_FE_DIR": os.path.join(prefix, "lib"), "CM_CMC": os.path.join(prefix, "bin", "cmc"),
                 "CM_LOG": log, "CMKIT_CMC": os.path.join(on.folder, "cmc.sh")}
    cases = []
    for case in wanted:
        output = on.gensim([on.python, script, case], front_end)
        cases += [line.split(" ")[1:] for line in output.splitlines() if line.startswith("case ")]
    check(cases, wanted)
    both = launched(on) & built(log)
    missing = [kernel for kernel in CM_KERNELS.get(on.device, []) if not any(is_of(kernel, name) for name in both)]
    if missing and wanted == every:
        raise shared.Wrong("not built from CM source and launched: " + ", ".join(missing))
    return ", ".join(case[0] for case in cases) + (f"; {len(both)} kernels of CM" if both else "")
