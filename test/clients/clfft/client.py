"""clFFT's client: transforms of five lengths in one and two dimensions, which it checks itself."""
import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"clfft-client": "2.12.2"}
SIZES = [("16", "1"), ("64", "1"), ("100", "1"), ("49", "1"), ("16", "8"), ("12", "15")]


def run(on):
    """With -p 1 it compares each value with the expected one and ends with an error if one differs."""
    for x, y in SIZES:
        for direction in ([], ["--inv"]):
            output = on.gensim(["clFFT-client", "-g", "-x", x, "-y", y, "-p", "1", *direction])
            if "*PASS*" not in output:
                raise shared.Wrong(f"{x} x {y}: {shared.last_line(output)}")
    return f"{2 * len(SIZES)} transforms"
