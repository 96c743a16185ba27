import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

private let hasLimits =
  (try? Product.run(
    "unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_inotify_instances'"))?
  .status == 0

/// Changes for which the kernel sends no event, or sends it in an unexpected place.
@Suite(.timeLimit(.minutes(3))) struct `The process that watches what is silent` {
  /// Returns the text in parentheses at the end of each line.
  private static func reasons(_ result: Product.Result) -> [Substring] {
    result.output.split(separator: "\n").map { $0[($0.lastIndex(of: "(") ?? $0.startIndex)...] }
  }

  @Test(.requiresRoot) func `tells of a file that may not be read and has another name`() throws {
    let result = try WatchScript.run(
      #"""
      mkdir "$folder/other"; touch "$folder/file"; chmod 600 "$folder/file"
      ln "$folder/file" "$folder/other/file"
      by=$as watch "$folder/file" --read
      chmod 644 "$folder/other/file"; next
      """#)
    #expect(result.output.split(separator: "\n").map { $0.prefix(8) } == ["refused:", "allowed:"])
  }

  @Test(.requiresRoot) func `tells of a file that may not be read and gets another name`() throws {
    // A new link causes no event, so it is noticed only with the next change.
    let result = try WatchScript.run(
      #"""
      mkdir "$folder/other"; touch "$folder/file"; chmod 600 "$folder/file"
      by=$as watch "$folder/file" --read
      ln "$folder/file" "$folder/other/file"; chmod 620 "$folder/file"; next
      chmod 644 "$folder/other/file"; next
      """#)
    #expect(
      result.output.split(separator: "\n").map { $0.prefix(8) }
        == ["refused:", "refused:", "allowed:"])
  }

  @Test(.requiresPrivateMounts)
  func `tells of a file that may not be read and is mounted alone`() throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/one" "$folder/two"; chmod 600 "$folder/one" "$folder/two"
      mount --bind "$folder/two" "$folder/one"
      by=$as watch "$folder/one" --read; chmod 644 "$folder/one"; next
      umount "$folder/one"
      """#, apart: true)
    #expect(result.output.split(separator: "\n").map { $0.prefix(8) } == ["refused:", "allowed:"])
  }

  @Test func `tells that a file of a process has gone with it`() throws {
    let result = try WatchScript.run(
      #"""
      sleep 300 & process=$!
      watch "/proc/$process/status" --read
      kill "$process"; wait "$process" 2>/dev/null; next
      """#)
    #expect(result.output.split(separator: "\n").map { $0.prefix(8) } == ["allowed:", "absent: "])
  }

  @Test(.requiresRoot, .requiresFileFlags)
  func `waits for the end of a flag`() throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/file"
      chattr +i "$folder/file"
      watch "$folder/file" --write; chattr -i "$folder/file"; next
      """#)
    #expect(result.output.split(separator: "\n").map { $0.prefix(8) } == ["refused:", "allowed:"])
  }

  /// Other programs of the user may use all watches, and free some later.
  @Test(
    .enabled(if: hasLimits, "no user namespace with limits of its own can be made"),
    arguments: ["instances", "watches"])
  func `tries again to have the kernel tell of files`(what: String) throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/file"; export devaccess folder
      export -f watch next seek
      unshare --user --map-root-user bash -c '
        again="all events are available again"
        limit=/proc/sys/user/max_inotify_\#(what); before=$(<$limit)
        echo 0 >$limit
        watch "$folder/file"; grep -q "no file-events .*polling every" "$folder/errors" && echo missing
        echo "$before" >$limit
        # Gaps are told with the next answer.
        for _ in {1..20}; do
          chmod 000 "$folder/file"; next >/dev/null; chmod 600 "$folder/file"; next >/dev/null
          ! grep "$again" "$folder/errors" || break
        done
        kill "$W_PID"; wait "$W_PID"
        echo 0 >$limit
        watch --use /dev/random >/dev/null
        grep -q "no open-events .*polling every" "$folder/errors" && echo missing
        echo "$before" >$limit
        for _ in {1..100}; do ! grep "$again" "$folder/errors" || break; sleep 0.1; done
        # An open by another test takes the watch away until the next look.
        for _ in {1..100}; do
          grep -hq "^inotify .* ino:$(printf %x "$(stat -c %i /dev/random)") " "/proc/$W_PID/fdinfo/"* \
            && echo told && break
          sleep 0.05
        done
        sleep 300 </dev/random & seek "opened by sleep"; kill $!; seek "closed by sleep"'
      """#)
    let lines = result.output.split(separator: "\n").map { $0.prefix(24) }
    #expect(
      lines == [
        "allowed: read and write ", "missing", "devaccess: all events ar", "missing",
        "devaccess: all events ar", "told", "/dev/random opened by sl",
        "/dev/random closed by sl",
      ], "\(result.output)")
  }

  /// A program reads the lines, so the output of a command must not become part of one.
  @Test func `keeps what a command prints out of lines for programs`() throws {
    let result = try WatchScript.run(
      #"""
      next() { read -r -t 20 line <&"${W[0]}"; echo "${line:0:9}"; }
      touch "$folder/file"; watch --json --exec='printf ok' "$folder/file"
      rm "$folder/file"; next
      until grep -q okok "$folder/errors"; do sleep 0.05; done
      """#)
    #expect(result.output == String(repeating: #"{"schema""# + "\n", count: 2))
  }

  /// A disk may fail or memory may run short for a while, and no event announces the recovery.
  @Test(arguments: ["EIO", "ENOMEM", "EACCES"])
  func `sees again what could not be looked at`(error: String) throws {
    let result = try WatchScript.run(
      #"""
      mkdir "$folder/d"; touch "$folder/d/file"; chmod 644 "$folder/d/file"
      by="$broken --refuse statx=\#(error) --while $folder/broken --seconds 100 --"
      watch "$folder/d/file" --read
      touch "$folder/broken"; chmod 640 "$folder/d/file"; next
      grep -c "polling every" "$folder/errors"
      rm "$folder/broken"; next; rm "$folder/d/file"; next
      """#)
    // The reason comes last. The text before it may name a layer that may still deny access.
    let lines = result.output.split(separator: "\n").map { line in
      let reason = line.last == ")" ? line.lastIndex(of: "(") : nil
      return "\(line.prefix { $0 != ":" }) \(line[(reason ?? line.endIndex)...])"
    }
    let object = error == "EACCES" ? "FOLDER/d" : "FOLDER/d/file"
    #expect(
      lines == [
        "allowed ", "undetermined (\(object) cannot be inspected)", "1 ",
        "allowed (\(object) can be inspected again)", "absent (FOLDER/d/file is gone)",
      ], "\(result.output)")
  }

  /// The answer depends on the target of the link, which is not watched.
  @Test(.requiresRoot, arguments: ["EPERM", "ENOSYS"])
  func `looks again at what is behind a link that cannot be read`(error: String) throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/file" "$folder/broken"; chmod 644 "$folder/file"; ln -s file "$folder/link"
      refuse="--refuse readlink=\#(error) --refuse readlinkat=\#(error)"
      by="$broken --user 65534 $refuse --while $folder/broken --seconds 100 --"
      watch "$folder/link" --read; chmod 600 "$folder/file"; next
      grep -c "polling every" "$folder/errors"
      """#)
    let answers = result.output.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(answers == ["allowed", "refused", "1"], "\(result.output)")
  }

  @Test(.requiresRoot, .requiresFileFlags)
  func `says while it waits what nothing tells of`() throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/file"
      chattr +i "$folder/file"
      for option in "" --quiet; do
        "$devaccess" check "$folder/file" --write --wait=0.1 $option 2>&1 >/dev/null
      done | sed "s|$folder|FOLDER|g"
      chattr -i "$folder/file"
      """#)
    #expect(
      result.output == """
        devaccess: waiting: refused: write access to FOLDER/file — FOLDER/file is marked immutable, \
        so no user may write it.
        devaccess: no file-events of FOLDER/file (no events of the flags of chattr(1)): polling \
        every second

        """)
  }

  /// A link may lead to another mount that already existed.
  @Test func `takes a link that leads elsewhere for no mount`() throws {
    let result = try WatchScript.run(
      #"""
      touch "$folder/file"; chmod 400 "$folder/file"; ln -s "$folder/file" "$folder/link"
      watch "$folder/link" --read >/dev/null
      ln -s /dev/nowhere "$folder/new"; mv -T "$folder/new" "$folder/link"; next
      ln -s /dev/null "$folder/new"; mv -T "$folder/new" "$folder/link"; next
      rm "$folder/link"; next
      """#)
    let reasons = Self.reasons(result)
    #expect(
      reasons == [
        "(FOLDER/link leads elsewhere)", "(FOLDER/link leads elsewhere)", "(FOLDER/link is gone)",
      ], "\(result.output)")
  }

  /// Objects in a directory that is no longer searchable may still exist.
  @Test(.requiresRoot) func `calls nothing gone that is out of reach`() throws {
    let result = try WatchScript.run(
      #"""
      mkdir -m 755 "$folder/d"; mknod -m 666 "$folder/d/node" c 1 8
      by=$as watch "$folder/d/node" >/dev/null
      chmod 700 "$folder/d"; next; chmod 755 "$folder/d"; next
      rm "$folder/d/node"; next; mknod -m 666 "$folder/d/node" c 1 8; next
      """#)
    #expect(
      Self.reasons(result) == [
        "(the mode of FOLDER/d went from 0755 to 0700)",
        "(the mode of FOLDER/d went from 0700 to 0755)", "(FOLDER/d/node is gone)",
        "(FOLDER/d/node appeared)",
      ], "\(result.output)")
  }

  /// Root can see objects that another user cannot reach.
  @Test(.requiresRoot) func `tells what comes out of reach of the subject`() throws {
    let result = try WatchScript.run(
      #"""
      mkdir -m 700 "$folder/d"
      watch --user=nobody "$folder/d/file" >/dev/null
      mkfifo "$folder/d/file"; next; rm "$folder/d/file"; next
      """#)
    #expect(
      Self.reasons(result) == ["(FOLDER/d/file appeared)", "(FOLDER/d/file is gone)"],
      "\(result.output)")
  }

  @Test func `tells that the album is elsewhere`() throws {
    let result = try WatchScript.run(
      #"""
      export HOME=$folder; mkdir -p "$folder/Pictures" "$folder/Photos" "$folder/.config"
      unset XDG_PICTURES_DIR XDG_CONFIG_HOME
      watch album >/dev/null
      echo 'XDG_PICTURES_DIR="$HOME/Photos"' >"$folder/.config/user-dirs.dirs"; next
      """#)
    #expect(Self.reasons(result) == ["(the album is FOLDER/Photos now)"], "\(result.output)")
  }

  @Test(.requiresPrivateMounts)
  func `takes a mount in the place of another for no change of mode`() throws {
    let result = try WatchScript.run(
      #"""
      mkdir "$folder/one" "$folder/two"
      touch "$folder/one/file" "$folder/two/file"; chmod 600 "$folder/one/file"
      mount --bind "$folder/one" "$folder/one"
      watch --user=nobody "$folder/one/file" --read >/dev/null
      mount --bind "$folder/two" "$folder/one"; next; umount "$folder/one"; next
      umount "$folder/one"
      """#, apart: true)
    let reasons = Self.reasons(result)
    #expect(
      reasons == Array(repeating: "(something else is at FOLDER/one/file)", count: 2),
      "\(result.output)")
  }

  /// If sysfs shows no devices and procfs is hidden, the devices are unknown.
  @Test(
    .requiresPrivateMounts,
    arguments: [
      "list", "list camera", "list camera --probe", "list camera --user=nobody", "users",
      "users camera", "status",
    ])
  func `calls no device absent without procfs`(command: String) throws {
    let result = try WatchScript.run(
      #"""
      mount -t tmpfs none /sys; mkdir -p /sys/class/net
      mount -t tmpfs none /proc; "$devaccess" \#(command) 2>&1
      """#, apart: true)
    #expect(result.status == 2, "\(result.output)")
    #expect(!result.output.contains("no camera devices"))
  }
}
