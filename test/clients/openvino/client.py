"""OpenVINO's GPU plug-in: models built from operations, against its CPU plug-in or NumPy."""
import os

import shared

WHEELS = {"openvino": "2026.4.1"}
SECONDS = 500
# Device: its cases. paged40 is paged attention after a prompt of 40 tokens; its kernels are CM.
CASES = {
    "tgllp:current": ["cnn", "int8", "encoder", "norms", "moe", "lora", "decoder", "lstm"],
    "dg2:current": ["cnn", "int8", "encoder", "norms", "lora", "decoder", "lstm"],
    "lnl:current": ["cnn", "int8", "encoder", "norms", "lora", "decoder", "paged40", "paged300"],
    "bmg:current": ["paged300"],
}
DEVICES = list(CASES)
WORST = 0.02  # of the largest expected value: half precision


def check(cases, wanted):
    """Raises Wrong if a case is missing, differs, or is not CM where it should be."""
    wrong = [f"{name} by {difference} of {largest}" for name, difference, largest, _ in cases
             if not float(difference) <= WORST * float(largest)]
    wrong += [f"{name} is not CM but {kernels}" for name, _, _, kernels in cases
              if name.startswith("paged") and "cm::paged_attention" not in kernels]
    if wrong or len(cases) < len(wanted):
        raise shared.Wrong(", ".join(wrong) if wrong else f"{len(cases)} of {len(wanted)} cases ran")


def run(on):
    wanted = CASES.get(f"{on.device}:{on.driver}", CASES["tgllp:current"])
    script = os.path.join(on.folder, "models.py")
    libraries = os.path.normpath(os.path.join(os.path.dirname(on.gensim_path), "..", "lib"))
    output = on.gensim([on.python, script, *wanted], {"CM_FE_DIR": libraries})
    cases = [line.split(" ")[1:] for line in output.splitlines() if line.startswith("case ")]
    check(cases, wanted)
    return ", ".join(case[0] for case in cases)
