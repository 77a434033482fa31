#!/bin/sh
# expect_fault.sh PATTERN COMMAND...: COMMAND must end with status 126 and report exactly one fault, matching PATTERN.
pattern=$1
shift
report=$("$@" 2>&1)
status=$?
if [ "$status" -ne 126 ]; then
    echo "status $status, expected 126: $report"
    exit 1
fi
if [ "$(printf '%s\n' "$report" | grep -c '^gensim: fault: ')" -ne 1 ] || ! printf '%s\n' "$report" | grep -q "$pattern"; then
    echo "the report is not one fault with '$pattern': $report"
    exit 1
fi
