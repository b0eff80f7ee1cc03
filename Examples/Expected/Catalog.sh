# A search file outside of the store: filling, following, a follower that is killed, a cleaning, a refill on demand.
catalog=$1
store=$2/Shop.sqlite
index=$2/Search.json
compare() {
  "$catalog" list "$store" >"$2/list"
  "$catalog" show "$1" >"$2/shown"
  if diff "$2/shown" "$2/list" >&2; then echo "$3 shows every product"; fi
}
"$catalog" write "$store" 60 1
"$catalog" follow "$store" "$index" --once
compare "$index" "$2" "the first run"
"$catalog" follow "$store" "$index" >"$2/heard" &
child=$!
"$catalog" write "$store" 60 2
# It hears of what the other program writes, and dies without a word.
until [ -s "$2/heard" ]; do sleep 0.05; done
kill -KILL "$child"
wait "$child" 2>/dev/null || echo "killed"
"$catalog" write "$store" 40 3
"$catalog" follow "$store" "$index" --once
compare "$index" "$2" "the run after the kill"
# The history that the file has not seen is gone.
"$catalog" write "$store" 20 4
"$catalog" clean "$store" 5 >/dev/null
"$catalog" follow "$store" "$index" --once
compare "$index" "$2" "the run after the cleaning"
"$catalog" reindex "$store" "$index"
compare "$index" "$2" "the file that was filled anew"
# A file that keeps its place apart.
"$catalog" follow "$store" "$2/Search.apart" --once
compare "$2/Search.apart" "$2" "a file with its place apart"
"$catalog" find "$index" Austen >"$2/found"
"$catalog" list "$store" | grep " Austen$" | diff "$2/found" - && [ -s "$2/found" ] && echo "found"
status=0
"$catalog" sing "$store" 2>/dev/null || status=$?
echo "status $status"
