#!/bin/sh
# expect_continue.sh COUNT COMMAND...: COMMAND must succeed, with one fault reported and COUNT left out.
count=$1
shift
report=$("$@" 2>&1)
status=$?
if [ "$status" -ne 0 ]; then
    echo "status $status, expected 0: $report"
    exit 1
fi
if [ "$(printf '%s\n' "$report" | grep -c '^gensim: fault: ')" -ne 1 ] ||
    ! printf '%s\n' "$report" | grep -q "^gensim: $count faults at 1 instructions"; then
    echo "not $count accesses left out after one report: $report"
    exit 1
fi
