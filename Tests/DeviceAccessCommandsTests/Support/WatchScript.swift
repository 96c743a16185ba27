import LinuxTestSupport

/// Runs scripts that test a watching process.
enum WatchScript {
  /// Runs a script with a temporary directory and, if requested, its own mounts.
  ///
  /// The script can use these functions: `watch` starts to watch a path, as another user with
  /// `by=$as`. `next` prints the next line without the time. `seek` prints the next line that
  /// contains a word, because devices that all users can open cause other lines as well. `hold`
  /// starts a process that has `node` open. `become` replaces this process by another program, and
  /// triggers a scan of the node.
  static func run(_ script: String, apart: Bool = false) throws -> Product.Result {
    let whole =
      #"""
      folder=$(mktemp -d); chmod 755 "$folder"
      trap 'kill "${W_PID:-}" 2>/dev/null; rm -rf "$folder"' EXIT
      as="setpriv --reuid=65534 --regid=65534 --clear-groups"
      watch() { coproc W { exec ${by-} "$devaccess" watch "$@" 2>"$folder/errors"; }; next; }
      next() {
        read -r -t 20 line <&"${W[0]}" || line="- nothing"
        line=${line#* }; echo "${line//"$folder"/FOLDER}"
      }
      seek() {
        for _ in {1..20}; do
          next >"$folder/line"
          ! grep "$1" "$folder/line" || return
          ! grep -qx nothing "$folder/line" || break
        done
        echo "no $1"
      }
      hold() {
        mkfifo -m 666 "$folder/pipe"
        ${by-} bash -c 'exec 3<"$1/node"; read <"$1/pipe"; exec "$2" 60' bash "$folder" "$1" &
        holder=$!
        until [[ -e /proc/$holder/fd/3 ]]; do sleep 0.05; done
      }
      become() {
        echo >"$folder/pipe"
        until grep -qx sleep "/proc/$holder/comm"; do sleep 0.05; done
        : <"$folder/node"
      }
      """# + "\n" + script
    guard apart else { return try Product.run(whole) }
    let unshare = "export devaccess; unshare --mount --propagation private bash -c"
    return try Product.run("\(unshare) \"$(cat <<'SCRIPT'\n\(whole)\nSCRIPT\n)\"")
  }
}
