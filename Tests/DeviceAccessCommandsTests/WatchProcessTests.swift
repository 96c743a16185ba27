import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(3))) struct `The process that watches` {
  @Test(arguments: ["INT", "TERM"]) func `ends at a signal`(_ signal: String) throws {
    let result = try Product.run(
      """
      coproc W { exec "$devaccess" watch /etc/passwd --read; }
      process=$W_PID
      read -r line <&"${W[0]}"
      line=${line#* }; printf '%s\\n' "${line%% — *}"
      kill -\(signal) "$process"
      wait "$process"
      echo "status $?"
      """)
    #expect(result.output == "allowed: read access to /etc/passwd\nstatus 0\n")
    #expect(result.errors == "")
  }

  /// A thread that started before signals were blocked, and has not ended yet on a busy machine,
  /// would receive the signal and end the process.
  @Test func `ends at a signal right after its first line, on a busy machine`() throws {
    let result = try Product.run(
      """
      for number in {1..8}; do (while :; do :; done) & busy+=($!); done
      trap 'kill "${busy[@]}"' EXIT
      for round in {1..40}; do
        coproc W { exec "$devaccess" watch --use /nowhere; }
        process=$W_PID
        read -r line <&"${W[0]}"
        kill "$process"; wait "$process"; echo "status $?"
      done | sort | uniq -c | tr -s ' '
      """)
    #expect(result.output == " 40 status 0\n")
  }

  @Test func `ends when nobody reads any more, although nothing happens`() throws {
    let result = try Product.run(
      """
      "$devaccess" watch /etc/passwd --read | head -c 4
      states="${PIPESTATUS[*]}"
      printf '\\n%s\\n' "$states"
      """)
    #expect(result.output.hasSuffix("\n0 0\n"))
    #expect(result.errors == "")
  }

  @Test func `prints each line as soon as it is known`() throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d)
      trap 'rm -r "$folder"' EXIT
      coproc W { exec "$devaccess" watch "$folder/file" --read; }
      process=$W_PID
      read -r line <&"${W[0]}"
      line=${line#* }; echo "${line%%:*}"
      echo >"$folder/file"
      read -r line <&"${W[0]}"
      line=${line#* }; echo "${line%%:*}"
      rm "$folder/file"
      read -r line <&"${W[0]}"
      line=${line#* }; echo "${line%%:*}"
      kill "$process"
      wait "$process"
      """)
    #expect(result.output == "absent\nallowed\nabsent\n")
    #expect(result.errors == "")
  }

  /// The facts that decide are the same, and the new filesystem covers the watched one.
  @Test(.requiresPrivateMounts)
  func `sees what happens in a filesystem that is mounted over one like it`() throws {
    let result = try Product.run(
      #"""
      export devaccess
      unshare --mount --propagation private bash <<'S'
      folder=$(mktemp -d); mkdir "$folder/disk" "$folder/lines"; : >"$folder/lines/all"
      mount -t tmpfs -o mode=755 tmpfs "$folder/disk"
      trap 'umount -l "$folder/disk"; umount -l "$folder/disk"; rm -rf "$folder"' EXIT
      "$devaccess" watch "$folder/disk/file" --read >"$folder/lines/all" &
      process=$!
      last() { until [[ $(tail -n 1 "$folder/lines/all") == *" $1: "* ]]; do sleep 0.05; done; echo "$1"; }
      last absent; mount -t tmpfs -o mode=755 tmpfs "$folder/disk"; sleep 1
      touch "$folder/disk/file"; last allowed; rm "$folder/disk/file"; last absent
      touch "$folder/disk/file"; last allowed; umount "$folder/disk"; last absent
      touch "$folder/disk/file"; last allowed
      kill "$process"; wait "$process"; echo "status $?"
      S
      """#)
    #expect(
      result.output == "absent\nallowed\nabsent\nallowed\nabsent\nallowed\nstatus 0\n",
      "\(result.errors)")
  }

  /// Background processes of a script ignore the signal that Ctrl-C sends.
  @Test func `goes on at a signal that it was started to ignore`() throws {
    let result = try Product.run(
      #"""
      lines=$(mktemp); trap 'rm "$lines"' EXIT
      for signal in INT TERM HUP; do
        bash -c 'trap "" "$1"; exec "$2" watch /dev/null' - $signal "$devaccess" >"$lines" & process=$!
        until grep -q /dev/null "$lines"; do sleep 0.02; done
        kill -$signal "$process"; sleep 0.3
        kill -0 "$process" && echo "$signal ignored"
        kill -$([[ $signal == TERM ]] && echo HUP || echo TERM) "$process"; wait "$process"; echo "status $?"
        : >"$lines"
      done
      """#)
    #expect(
      result.output
        == "INT ignored\nstatus 0\nTERM ignored\nstatus 0\nHUP ignored\nstatus 0\n")
  }

  /// Events of the parent directory do not include changes of the mode of a mounted directory.
  @Test(.requiresPrivateMounts) func `sees that what is mounted may be searched again`() throws {
    let result = try Product.run(
      #"""
      export devaccess
      unshare --mount --propagation private bash <<'S'
      folder=$(mktemp -d); chmod 755 "$folder"; mkdir "$folder/disk" "$folder/lines"
      mount -t tmpfs -o mode=755 tmpfs "$folder/disk"
      trap 'umount "$folder/disk"; rm -r "$folder"' EXIT
      touch "$folder/disk/file" "$folder/lines/all"
      setpriv --reuid 65534 --regid 65534 --clear-groups "$devaccess" watch "$folder/disk/file" --read \
        >"$folder/lines/all" 2>"$folder/lines/errors" &
      process=$!
      last() { until [[ $(tail -n 1 "$folder/lines/all") == *" $1: "* ]]; do sleep 0.05; done; echo "$1"; }
      last allowed; chmod 700 "$folder/disk"; last refused; chmod 755 "$folder/disk"; last allowed
      kill "$process"; wait "$process"; echo "status $?"
      grep -o 'no file-events' "$folder/lines/errors"
      S
      """#)
    #expect(result.output == "allowed\nrefused\nallowed\nstatus 0\nno file-events\n")
    #expect(result.errors == "")
  }
}
