# A file of CSV, lines of JSON about the same cities, and both directions.
export XDG_DATA_HOME=$2
cat >cities.csv <<'CSV'
city,population,founded,country
Prague,1357000,,CZ
"Brno, the second",400000,1243-01-01,CZ
Vienna,many,,AT
CSV
cat >cities.jsonl <<'JSON'
{"name": "Prague", "population": 1400000, "country": "CZ"}
{"name": "Vienna", "population": 2000000, "country": {"code": "AT"}}
{"name": "Nowhere", "population":
JSON
"$1" cities.csv --dry-run
"$1" cities.csv
"$1" cities.jsonl
"$1" cities.jsonl
"$1" --export out.csv
cat out.csv
