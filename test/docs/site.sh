#!/bin/sh
# site.sh MKDOCS SOURCE WORK_FOLDER: builds the documentation as a site, as ./dev docs does: no warning, every page of
# docs/ in the navigation, a search index with the pages' text, and a dark mode. Skipped (77) without mkdocs' Material
# theme.
mkdocs=$1 source=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 1
cd "$source" || exit 1
fail() { echo "$*"; exit 1; }

"$mkdocs" build --strict -d "$folder/site" >"$folder/log" 2>&1 || {
  grep -q "Unrecognised theme name" "$folder/log" && exit 77
  cat "$folder/log"
  exit 1
}
grep -A20 "not included in the \"nav\"" "$folder/log" | grep '\.md' && fail "these pages are not in mkdocs.yml"
grep -q GPGPU_WALKER "$folder/site/search/search_index.json" || fail "the search index lacks the pages' text"
grep -q 'data-md-color-scheme="slate"' "$folder/site/index.html" || fail "the site has no dark mode"
