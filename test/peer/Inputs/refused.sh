#!/bin/sh
# refused.sh DECLARATIONS RESULT PARAMETERS BODY MESSAGE: a kernel of that text is refused with MESSAGE. %% stands for
# %.
set -eu
cat >refused.ll <<END
$1
define $2 @k($3) #0 {
  $4
  ret $2
}
attributes #0 = { "cm-kernel" }
END
for form in '' --spirv; do # as text and as SPIR-V
    # shellcheck disable=SC2086
    if cm-print-vc $form refused.ll >refused.out 2>refused.err; then
        echo "accepted: $4" >&2
        exit 1
    fi
    if [ -s refused.out ] || [ "$(wc -l <refused.err)" -ne 1 ] || ! grep -qF "cmc: error: " refused.err ||
        ! grep -qF -- "$5" refused.err; then
        cat refused.err >&2
        exit 1
    fi
done
