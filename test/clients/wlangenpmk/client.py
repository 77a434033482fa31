"""wlangenpmkocl: keys of wireless networks from passwords (4096 rounds of HMAC-SHA-1), compared with Python's."""
import hashlib
import os

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"hcxkeys": "6.2.1"}
NETWORK = "gensim"
PASSWORDS = ["skylake and later", "ice lake", "tiger lake", "alchemist"]


def run(on):
    """A single password is computed on the processor, a list on the GPU."""
    with open(os.path.join(on.work, "words"), "w", encoding="utf-8") as file:
        file.write("\n".join(PASSWORDS) + "\n")
    on.gensim(["wlangenpmkocl", "-P", "0", "-D", "0", "-e", NETWORK, "-i", "words", "-A", "keys"])
    with open(os.path.join(on.work, "keys"), encoding="utf-8") as file:
        found = file.read().lower()
    for password in PASSWORDS:
        if hashlib.pbkdf2_hmac("sha1", password.encode(), NETWORK.encode(), 4096, 32).hex() not in found:
            raise shared.Wrong(f"the key of '{password}' is missing: {shared.last_line(found)}")
    return f"{len(PASSWORDS)} keys"
