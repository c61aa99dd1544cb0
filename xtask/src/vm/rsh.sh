#!/bin/sh
# rsh HOST LINE: runs a line for a shell on the other host. Its input and output are those of the line. Whoever waits for
# the end of its output must see the end of the connection, so nothing but nc has that open.
to=$(mktemp -u)
mkfifo "$to"
exec 3<&0
{ echo "$2" && exec cat <&3; } >"$to" 2>/dev/null &
exec nc "$1" 514 <"$to" 3<&-
