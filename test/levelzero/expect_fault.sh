#!/bin/sh
# expect_fault.sh PATTERN... -- COMMAND...: COMMAND must end with status 126 and report exactly one fault, in which
# every
# PATTERN is found.
patterns=$(mktemp) || exit 1
trap 'rm -f "$patterns"' EXIT
while [ "$1" != -- ]; do
    printf '%s\n' "$1" >> "$patterns"
    shift
done
shift
report=$("$@" 2>&1)
status=$?
if [ "$status" -ne 126 ]; then
    echo "status $status, expected 126: $report"
    exit 1
fi
if [ "$(printf '%s\n' "$report" | grep -c '^gensim: fault: ')" -ne 1 ]; then
    echo "not one fault: $report"
    exit 1
fi
while read -r pattern; do
    if ! printf '%s\n' "$report" | grep -q -e "$pattern"; then
        echo "the report has no '$pattern': $report"
        exit 1
    fi
done < "$patterns"
