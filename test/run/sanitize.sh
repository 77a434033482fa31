#!/bin/sh
# sanitize.sh BIN_FOLDER: runs kernels for the host with sanitizers. Good indices run without reports, bad ones are
# reported at their line.
set -u
bin=$1
source=$(cd "$(dirname "$0")" && pwd)/out_of_bounds.cm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
"$bin/cmc" -march=host -g -O1 -fsanitize=address,undefined "$source" -o "$work/kernels.so" || exit 1

# The sanitizer must be in the process before the library is.
run() {
  LD_PRELOAD=$(cc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 "$bin/cmrun" "$work/kernels.so" -k "$1" \
      -g 1 buf:64 i32:"$2" \
    >"$work/log" 2>&1
}

# expect KERNEL INDEX TEXT MARK: the run fails with TEXT, and names the line with MARK
expect() {
  line=$(grep -n "$4" "$source" | cut -d: -f1)
  if run "$1" "$2" || ! grep -q "$3" "$work/log" || ! grep -q "out_of_bounds.cm:$line" "$work/log"; then
    echo "FAIL $1 $2: no '$3' at line $line"
    cat "$work/log"
    failures=$((failures + 1))
  fi
}
clean() {
  run "$1" "$2" && return
  echo "FAIL $1 $2: not clean"
  cat "$work/log"
  failures=$((failures + 1))
}

clean behind_buffer 15
clean behind_vector 4
clean outside_matrix 3
clean selected 15
clean referenced 1
clean lanes_off 15
clean lanes_off 16
clean lanes_off 65535
clean shift 31
clean other_row 0
clean before_rows 0
clean selected_rows 0
expect behind_buffer 16 "heap-buffer-overflow" LINE-BUFFER
expect behind_vector 6 "stack-buffer-overflow" LINE-VECTOR
# far away, where other objects lie
expect behind_vector 100 "stack-buffer-overflow" LINE-VECTOR
expect behind_vector -100 "stack-buffer-" LINE-VECTOR
expect outside_matrix 12 "stack-buffer-overflow" LINE-ELEMENT
expect outside_matrix 1000 "stack-buffer-overflow" LINE-ELEMENT
expect selected 16 "stack-buffer-overflow" LINE-ISELECT
expect selected -4 "stack-buffer-overflow" LINE-ISELECT
# of other rows
expect outside_matrix 4 "stack-buffer-overflow" LINE-ELEMENT
expect outside_matrix -4 "stack-buffer-" LINE-ELEMENT
for index in 4 -1; do
  expect referenced $index "element_that_the_reference_lacks" LINE-OF-ROW
done
for index in 2 3; do
  expect referenced $index "element_that_the_reference_lacks" LINE-OF-PART
done
# the wrong row and the wrong column are together an element
expect other_row 4 "stack-buffer-" LINE-PLACE
expect selected_rows 4 "stack-buffer-" LINE-BOTH
for row in -1 -3; do
  expect other_row $row "stack-buffer-" LINE-PLACE
  expect before_rows $row "stack-buffer-" LINE-ROW
  expect selected_rows $row "stack-buffer-" LINE-BOTH
done
expect shift 32 "shift exponent 32 is too large" LINE-SHIFT
[ $failures -eq 0 ]
