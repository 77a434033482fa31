"""payload.py FOLDER BYTES: compares the payload descriptions of cmc's kernels with those of IGC's.

FOLDER is what `peer -o` kept for a platform, with cmc's vISA text in cmc/kernel.visaasm; BYTES is the size of a
register. The two compilers lay out arguments differently, so an argument's offset in .ze_info is compared with its
offset in the vISA text.
"""
import collections
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from elf_sections import section

# What concerns no payload. Of has_no_stateless_write docs/compiler/abi.md says why the two differ.
OTHER_KEYS = ("has_4gb_buffers", "has_fence_for_image_access", "has_no_stateless_write")

Kernel = collections.namedtuple("Kernel", "environment arguments threads")


def kernels(text):
    """Of each kernel by name: a map, a list of maps and a list of maps."""
    found, part, kernel = {}, None, None
    for line in text.split("kernels_misc_info:")[0].splitlines():
        match = re.match(r"( *)(- )?(\w+): *'?([^']*)'?$", line)
        if not match or not match[1]:
            continue
        depth, begins, key, value = len(match[1]), match[2], match[3], match[4]
        if depth == 2 and begins:
            kernel = found[value] = Kernel({}, [], [])
        elif depth == 4:
            part = {"execution_env": kernel.environment, "payload_arguments": kernel.arguments,
                    "per_thread_payload_arguments": kernel.threads}.get(key)
        elif part is kernel.environment:
            part[key] = value
        elif part is not None:
            if begins:
                part.append({})
            part[-1][key] = value
    return found


def inputs(path):
    """Of each kernel by name: attribute PerThreadInputSize, and offset and size of every input."""
    found = {}
    for name, body in re.findall(r'^\.kernel "(\w+)"\n(.*?)(?=^\.version|\Z)', open(path).read(), re.M | re.S):
        size = re.search(r"^\.kernel_attr PerThreadInputSize=(\d+)", body, re.M)
        places = re.findall(r"^\.(?:input|implicit_\w+) \w+ offset=(\d+) size=(\d+)", body, re.M)
        found[name] = (size and int(size[1]), [(int(offset), int(bytes)) for offset, bytes in places])
    return found


def check(condition, *words):
    if not condition:
        print("payload.py: error:", *words)
        check.failed = True


check.failed = False


def check_places(who, name, kernel, places, register):
    """Each argument's place is that of an input, less two registers."""
    for argument in kernel.arguments:
        size = int(argument["size"])
        offset = int(argument["offset"]) + 2 * register
        if size:
            at = [bytes for start, bytes in places if start == offset]
            # IGC declares a surface's address as the index of the surface.
            check(at and (at[0] == size or (at[0] == 4 and size == 8)) or argument["arg_type"] == "local_size"
                  and not at,
                  who, name, argument, "is no input", places)


def check_kernel(name, own, own_text, peer, peer_text, register):
    environment = [{key: value for key, value in kernel.environment.items() if key not in OTHER_KEYS}
                   for kernel in (own, peer)]
    check(environment[0] == environment[1], name, environment[0], "instead of", environment[1])
    check(own.threads == peer.threads, name, own.threads, "instead of", peer.threads)
    check(own_text[0] == peer_text[0], name, own_text[0], "bytes of a thread, the peer has", peer_text[0])
    without_place = [[{key: value for key, value in argument.items() if key != "offset"}
                      for argument in kernel.arguments]
                     for kernel in (own, peer)]
    check(without_place[0] == without_place[1], name, without_place[0], "instead of", without_place[1])
    check_places("cmc:", name, own, own_text[1], register)
    check_places("peer:", name, peer, peer_text[1], register)


def main(folder, register):
    own, peer = (kernels(section(f"{folder}/{side}/kernel.bin", ".ze_info").decode()) for side in ("cmc", "peer"))
    own_texts, peer_texts = inputs(f"{folder}/cmc/kernel.visaasm"), {}
    for path in glob.glob(f"{folder}/peer/dump/*.visaasm"):
        peer_texts.update(inputs(path))
    check(own.keys() == peer.keys() == own_texts.keys() == peer_texts.keys() and own, "kernels:", *own, "and", *peer)
    for name in own:
        check_kernel(name, own[name], own_texts[name], peer[name], peer_texts[name], register)
    if not check.failed:
        print(len(own), "kernels agree")
    sys.exit(check.failed)


main(sys.argv[1], int(sys.argv[2]))
