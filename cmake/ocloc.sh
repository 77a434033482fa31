#!/bin/sh
# ocloc WORD...: stands before Intel's newer ocloc in builds and tests. `-output NAME -output_no_suffix` names the
# binary NAME as with Debian 12's, not NAME.bin, and the program that knows the platform of `-device` is chosen.
set -u
verb=${1:-} program='' device='' output='' folder=.
previous=''
for word; do
  case $previous in
  -device) device=$word ;;
  -output) output=$word ;;
  -out_dir) folder=$word ;;
  esac
  previous=$word
done
for candidate in @programs@; do
  program=${program:-$candidate} # where none knows it, the first one says so
  [ "$verb" = compile ] && [ -n "$device" ] || break
  if "$candidate" ids "$device" >/dev/null 2>&1; then
    program=$candidate
    break
  fi
done
[ "$verb" = compile ] && [ -n "$output" ] || exec "$program" "$@"
rm -f "$folder/$output"
"$program" "$@" || exit
[ -e "$folder/$output" ] || [ ! -e "$folder/$output.bin" ] || mv "$folder/$output.bin" "$folder/$output"
