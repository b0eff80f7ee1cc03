# Input to its end, a second run, a list, a signal, a list, wrong usage.
journal=$1
store=$2/Journal.sqlite
printf 'first\n\nthird \xff\n' | "$journal" --store "$store"
mkfifo "$2/input"
"$journal" --store "$store" --durability immediate <"$2/input" >"$2/output" &
child=$!
exec 3>"$2/input"
printf 'fourth\nfifth\n' >&3
until grep -q '^ok 2$' "$2/output"; do sleep 0.05; done
kill -TERM "$child"
status=0
wait "$child" || status=$?
exec 3>&-
cat "$2/output"
echo "status $status"
"$journal" --store "$store" --list
status=0
"$journal" --durability never 2>&1 || status=$?
echo "status $status"
