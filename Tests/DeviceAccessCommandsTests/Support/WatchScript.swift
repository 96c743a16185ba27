import LinuxTestSupport

/// A script about the process that watches.
enum WatchScript {
  /// Runs a script for a folder, with its own mounts if wanted.
  ///
  /// In it `watch` begins to watch a path, as somebody else with `by=$as`, and `next` prints its next
  /// line without the time. `seek` prints the next one with a word: of devices that everybody may have
  /// open there are other lines, too. `hold` has a process hold `node` until `become`, which has it execute
  /// a program in place of itself, and the node looked at.
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
