# A board that another process changes, then one that a task of its own process changes.
board=$1
file=$2/board.sqlite
"$board" "$file" make
"$board" "$file" watch 16 >"$2/shown" &
watcher=$!
"$board" "$file" score Eli 7
"$board" "$file" score Ada 4
"$board" "$file" score Cleo 5
wait "$watcher"
cat "$2/shown"
echo
"$board" "$file" play 12
echo
"$board" "$file" score Zoe 1 2>&1 || echo "status $?"
