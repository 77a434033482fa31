#!/bin/sh
# A finalizer that crashes unless it estimates in another way what to spill.
case " $* " in
*' -newspillcost '*) exec GenX_IR "$@" ;;
esac
kill -SEGV $$
