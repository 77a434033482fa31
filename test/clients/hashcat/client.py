"""hashcat: five kinds of hashes whose passwords are known; it tests each of its kernels before that."""
import hashlib
import hmac
import zlib

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"hashcat": "6.2.6"}
SECONDS = 240
WORD, SALT = b"gensim", b"salt01"


def hashes():
    """Mode of hashcat, its name, and the line that it reads. Python computes the hash."""
    return [
        (0, "MD5", hashlib.md5(WORD).hexdigest()),
        (100, "SHA-1", hashlib.sha1(WORD).hexdigest()),
        (1450, "HMAC-SHA-256", hmac.new(WORD, SALT, "sha256").hexdigest() + ":" + SALT.decode()),
        (1700, "SHA-512", hashlib.sha512(WORD).hexdigest()),
        (11500, "CRC-32", f"{zlib.crc32(WORD):08x}:00000000"),
    ]


def run(on):
    """The mask has 26 candidates, and -n, -u and -T replace the search for the fastest launch. Self-tests are on:
    hashcat ends with an error if one fails."""
    found = []
    chosen = on.chosen([name for _, name, _ in hashes()])
    for mode, name, text in hashes():
        if name not in chosen:
            continue
        command = ["hashcat", "--force", "--quiet", "--potfile-disable", "--session", f"mode{mode}", "-d", "1",
                   "-n", "1", "-u", "1", "-T", "16", "-m", str(mode), "-a", "3", text, "gens?lm"]
        output = on.gensim(command, statuses=(0, 1))
        if f"{text.lower()}:{WORD.decode()}" not in output.lower():
            raise shared.Wrong(f"mode {mode} ({name}): the password is not found: {shared.last_line(output)}")
        found.append(name)
    return ", ".join(found) + ", self-tests"
