#!/bin/sh
# holds-only.sh FOLDER [NAME...]: checks that the folder holds these files (in sorted order) and no other.
folder=$1
shift
found=$(ls -A "$folder" | LC_ALL=C sort | tr '\n' ' ')
[ "$found" = "${*:+$* }" ] || { echo "$folder holds: $found"; exit 1; }
