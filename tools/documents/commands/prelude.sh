# Functions in place of programs: each call is sent on descriptor 3, which answers with an exit code and two files.
call() {
  local code out err name settings=("${!SITE_CONFORMANCE_@}")
  {
    printf '%s\0' "$PWD" "${#settings[@]}"
    for name in "${settings[@]}"; do printf '%s=%s\0' "$name" "${!name}"; done
    printf '%s\0' "$#" "$@"
  } >&3
  IFS=$'\t' read -r code out err <&3
  cat "$out"
  cat "$err" >&2
  return "$code"
}
for program in npm npx site-conformance podman openssl gh st bash; do
  eval "$program() { call $program \"\$@\"; }"
done
node() { if [ "$1" = -e ]; then command node "$@"; else call node "$@"; fi; }
# What zsh knows of the places of its functions.
fpath=(none "$HOME")
