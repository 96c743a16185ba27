import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

/// The built command on a real album, with its own `/run`.
@Suite(
  .requiresPrivateMounts, .enabled(if: Product.path != nil, "devaccess is not beside the tests"))
struct `A grant by the command` {
  /// Runs a script with an album that other users may not read.
  private static func run(_ script: String) throws -> Product.Result {
    try Product.run(
      #"""
      there=$(mktemp -d /dev/shm/\#(TestName.prefix)XXXXXX); trap 'rm -rf "$there"' EXIT
      chmod 755 "$there"; mkdir "$there/Pictures"
      touch "$there/Pictures/p"; chmod 640 "$there/Pictures/p"
      export HOME=$there devaccess
      unshare -m bash -c 'mount -t tmpfs none /run
      p=$HOME/Pictures/p
      \#(script)'
      """#)
  }

  @Test func `ends with the command where systemd does not run, and leaves nothing behind`() throws
  {
    let result = try Self.run(
      #"""
      : >$HOME/out  # the job makes it only once it runs, and grep may look before
      $devaccess grant $p --user nobody --read --for 10min >$HOME/out &
      until grep -q "ends with this command" $HOME/out; do sleep 0.02; kill -0 $! || break; done
      $devaccess check $p --user nobody --read --quiet; echo during $?
      stat -c "%a" $p /run/devaccess/grants /run/devaccess/grants/ledger.json
      $devaccess grants | grep -c nobody
      kill -TERM $!; wait $!; echo ended $?
      $devaccess check $p --user nobody --read --quiet; echo after $?
      $devaccess grants; stat -c %a $p; ls /run/devaccess/grants
      """#)
    #expect(
      result.output.split(separator: "\n") == [
        "during 0", "640", "700", "600", "1", "ended 0", "after 1", "no grants", "640", "lock",
      ], "\(result.output) \(result.errors)")
    #expect(result.errors == "")
  }

  @Test func `ends with the command where its program was removed, with systemd too`() throws {
    let result = try Self.run(
      #"""
      mkdir -p /run/systemd/system; cp $devaccess $HOME/copy; exec 9<$HOME/copy; rm $HOME/copy
      : >$HOME/out
      /proc/self/fd/9 grant $p --user nobody --read --for 10min >$HOME/out &
      until grep -q "ends with this command" $HOME/out; do sleep 0.02; kill -0 $! || break; done
      kill -TERM $!; wait $!; echo ended $?
      $devaccess check $p --user nobody --read --quiet; echo after $?
      """#)
    #expect(result.output == "ended 0\nafter 1\n", "\(result.errors)")
  }

  @Test func `ends when its time is over`() throws {
    let result = try Self.run(
      #"""
      $devaccess grant $p --user nobody --for 1s >/dev/null; echo $?
      $devaccess check $p --user nobody --read --quiet; echo $?; $devaccess grants
      """#)
    #expect(result.output == "0\n1\nno grants\n", "\(result.errors)")
  }

  /// Without systemd, only the command itself can remove the entry.
  @Test func `ends at a hang-up, and where it cannot be told, and not with its reader`() throws {
    let result = try Self.run(
      #"""
      : >$HOME/out
      $devaccess grant $p --user nobody --read --for 10min >$HOME/out &
      until grep -q "ends with this command" $HOME/out; do sleep 0.02; kill -0 $! || break; done
      kill -HUP $!; wait $!; echo ended $?; $devaccess grants
      $devaccess grant $p --user nobody --read --for 10min >/dev/full 2>/dev/null; echo full $?
      $devaccess grants; stat -c %a $p
      $devaccess grant $p --user nobody --read --for 3s | head -n 1 >$HOME/out &
      until grep -q nobody $HOME/out; do sleep 0.02; done; sleep 0.5
      $devaccess check $p --user nobody --read --quiet; echo during $?
      wait $!; $devaccess check $p --user nobody --read --quiet; echo after $?
      """#)
    #expect(
      result.output.split(separator: "\n") == [
        "ended 0", "no grants", "full 70", "no grants", "640", "during 0", "after 1",
      ], "\(result.output) \(result.errors)")
  }

  /// The command that would have ended the grant was killed.
  @Test func `that should have ended can be taken back`() throws {
    let result = try Self.run(
      #"""
      : >$HOME/out
      $devaccess grant $p --user nobody --read --for 1s >$HOME/out &
      until grep -q "ends with this command" $HOME/out; do sleep 0.02; kill -0 $! || break; done
      kill -KILL $!; wait $! 2>/dev/null
      until $devaccess grants | grep -q overdue; do sleep 0.1; done
      $devaccess revoke $p | grep -o "Revoked: nobody"; $devaccess grants; stat -c %a $p
      """#)
    #expect(result.output == "Revoked: nobody\nno grants\n640\n", "\(result.errors)")
  }

  @Test func `that cannot be taken back is told, with those that were`() throws {
    let result = try Self.run(
      #"""
      mount -t tmpfs none /var/lib
      q=$HOME/Pictures/q; touch $q; chmod 640 $q
      for path in $p $q; do
        $devaccess grant $path --user nobody --read --permanent >/dev/null; echo $?
      done
      mount --bind $q $q; mount -o remount,bind,ro $q
      $devaccess revoke album | grep -o "Revoked: nobody"; echo ${PIPESTATUS[0]}
      $devaccess grants | grep -c nobody
      mount -o remount,bind,rw $q; $devaccess grant $p --user nobody --read --permanent >/dev/null
      mount -o remount,bind,ro $q
      $devaccess revoke album --json |
        grep -o -e "\"error\":\"cannot revoke" -e "\"exit_status\":70" -e "\"path\":\"[^\"]*"
      mount -o remount,bind,rw $q; $devaccess revoke album | grep -c Revoked; stat -c %a $p $q
      """#)
    let lines = result.output.split(separator: "\n")
    #expect(lines.prefix(5) == ["0", "0", "Revoked: nobody", "70", "1"], "\(result.errors)")
    #expect(lines.contains(#""error":"cannot revoke"#) && lines.contains(#""exit_status":70"#))
    #expect(lines.filter { $0.hasSuffix("/Pictures/p") }.count == 1)
    #expect(lines.suffix(3) == ["1", "640", "640"], "\(result.output) \(result.errors)")
  }

  @Test func `is refused with one line and without a trace`() throws {
    let result = try Self.run(
      #"""
      ln -s /etc/shadow $HOME/Pictures/link; before=$(stat -c %a /etc/shadow)
      for path in $HOME/Pictures/link /etc/shadow /dev/null /dev $HOME/nowhere /proc/self/fd/0; do
        $devaccess grant $path --user nobody </dev/null; echo $?
      done
      test "$before" = "$(stat -c %a /etc/shadow)" && echo same; ls -A /run
      """#)
    #expect(result.output == "1\n1\n1\n1\n3\n1\nsame\n", "\(result.errors)")
    #expect(result.errors.filter { $0 == "\n" }.count == 6)
  }

  @Test func `is planned without a right, as commands that do the same`() throws {
    let result = try Self.run(
      #"""
      $devaccess grant $p --user nobody --read --for 1s --dry-run >$HOME/plan; echo $?
      stat -c %a $p; ls -A /run
      grep -v "^#" $HOME/plan | sed "s/; setfacl.*//; s/^sleep.*//" | sh
      $devaccess check $p --user nobody --read --quiet; echo $?
      """#)
    #expect(result.output == "0\n640\n0\n", "\(result.output) \(result.errors)")
  }
}
