import Foundation
import Glibc
import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

/// Checks that the name of a device does not matter, and that missing parts of a system are
/// handled.
@Suite(.timeLimit(.minutes(3))) struct `The process that looks once` {
  private func run(_ script: String) throws -> Product.Result {
    try Product.run(
      #"""
      folder=$(mktemp -d); chmod 755 "$folder"; cd "$folder"
      trap 'rm -rf "$folder"' EXIT
      free() { "$devaccess" check --free "$@" 2>&1 | sed "s/:.*//; s/ .*//"; }
      """# + "\n" + script)
  }

  /// Some process always has the null device open, which does not exclude others.
  @Test(.requiresRoot) func `knows a device by its number, whatever it is called`() throws {
    let result = try run(
      #"""
      mknod node c 1 3; ln -s /dev/null link
      for path in node ./node link "$PWD//node" /dev/../dev/null /proc/self/root/dev/null; do
        free "$path"
      done
      """#)
    #expect(result.output == String(repeating: "allowed\n", count: 6))
  }

  @Test func `calls the terminal of a window free`() throws {
    let result = try run(
      #"""
      # script(1) runs a command on a terminal of its own, which both have open.
      script -qec '"$devaccess" check --free "$(tty)" >answer' /dev/null >/dev/null </dev/null
      cut -d : -f 1 answer
      """#)
    #expect(result.output == "allowed\n")
  }

  @Test(.requiresRoot) func `takes no thread for one look`() throws {
    let result = try run(
      #"""
      for option in --free --wait=0; do
        (ulimit -u 1; setpriv --reuid=54321 --regid=54321 --clear-groups \
          "$devaccess" check "$option" /dev/null 2>&1) | cut -d : -f 1
      done
      """#)
    #expect(result.output == "allowed\nallowed\n")
  }

  /// libdispatch monitors its threads in procfs, and ends a program if it cannot read their state.
  @Test(.requiresPrivateMounts) func `goes on without procfs`() throws {
    let result = try run(
      #"""
      unshare --mount --propagation private bash -c '
        mount -t tmpfs none /proc
        for _ in {1..20}; do
          "$0" check --free /dev/full >/dev/null 2>&1; echo "$?"
          "$0" check --wait=0.05 /nowhere >/dev/null 2>&1; echo "$?"
        done' "$devaccess" | sort | uniq -c | tr -s " "
      """#)
    #expect(result.output == " 20 2\n 20 3\n")
  }

  /// The kernel's permission check does not include the requirements of drivers and filesystems.
  @Test(.requiresPrivateMounts)
  func `answers as opening does where more is asked than permissions`() throws {
    let result = try run(
      #"""
      mknod -m 666 kmsg c 1 11; mknod -m 666 mem c 1 1
      attribute=/sys/kernel/uevent_seqnum
      nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
      open() { (exec 3<"$1") 2>/dev/null; }
      change() { (exec 3>>"$1") 2>/dev/null; }
      export -f open change; export devaccess
      # compare OPENING ACCESS PATH: "same" where the answer of the program is that of open(2).
      compare='
        "$0" "$2"; opened=$?
        "$devaccess" check "$1" "$2" >answer.$$ 2>&1; answer=$?
        if [ $((opened != 0)) = "$answer" ]; then echo same; else echo "$1 $2: open $opened"; cat answer.$$; fi'
      chmod 777 .
      bash -c "$compare" open --read kmsg
      bash -c "$compare" change --write "$attribute"
      bash -c "$compare" open --read "$attribute"
      $nobody bash -c "$compare" open --read kmsg
      $nobody bash -c "$compare" change --write kmsg
      $nobody bash -c "$compare" open --read mem
      $nobody --inh-caps=+syslog --ambient-caps=+syslog bash -c "$compare" open --read kmsg
      unshare --user --map-root-user bash -c "$compare" open --read kmsg
      setsid --wait bash -c "$compare" open --read /dev/tty
      # script(1) runs a command on a terminal of its own.
      export compare
      SHELL=/bin/bash script -qec 'bash -c "$compare" open --read /dev/tty >answer' /dev/null >/dev/null </dev/null
      cat answer
      "$devaccess" check --user nobody --read /dev/tty >/dev/null; echo "status $?"
      $nobody "$devaccess" check --read /proc/1/maps >/dev/null; echo "status $?"
      """#)
    #expect(
      result.output == String(repeating: "same\n", count: 10) + "status 2\nstatus 2\n",
      "\(result.output)")
  }

  /// A device cgroup causes the same error, and the caller's cgroup says nothing about another
  /// user's.
  @Test(.requiresRoot, .requiresFileFlags)
  func `names the flag that keeps another user out`() throws {
    let result = try run(
      #"""
      touch file; chmod 600 file; chattr +i file
      "$devaccess" check --user nobody file; chattr -i file
      """#)
    #expect(result.output.contains("is marked immutable"), "\(result.output)")
  }

  /// The user in question may stop and kill the process that checks access for them.
  @Test(.requiresRoot, .serialized, arguments: ["STOP", "KILL"])
  func `is not held up by the user who is asked about, who also gains nothing`(
    signal: String
  ) throws {
    let result = try run(
      #"""
      echo > file; chmod 644 file
      setpriv --reuid=54331 --regid=54331 --clear-groups \
        perl -e "kill('SIGNAL', -1) while 1" 2>/dev/null & attacker=$!
      sleep 0.2
      for _ in 1 2 3; do
        timeout -s KILL 20 "$devaccess" check --read file --user 54331; echo "status $?"
      done
      kill -KILL $attacker
      """#.replacing("SIGNAL", with: signal))
    let statuses = Set(result.output.split(separator: "\n").filter { $0.hasPrefix("status") })
    #expect(statuses.isSubset(of: ["status 0", "status 2"]), "\(result.output)")
  }

  /// The name service does not distinguish an unreadable file from one without groups, and a group
  /// may be the reason for a refusal.
  @Test(.requiresPrivateMounts) func `knows no answer where the groups may not be read`() throws {
    let result = try run(
      #"""
      cp /etc/group group; chmod 600 group; touch file; chown root:video file; chmod 604 file
      unshare --mount --propagation private bash -c '
        mount --bind group /etc/group
        setpriv --reuid=54321 --regid=54321 --clear-groups "$0" check --read --user=nobody file
        echo "status $?"' "$devaccess"
      """#)
    #expect(result.output.hasSuffix("status 2\n"), "\(result.output)")
  }

  /// The terminals still exist, but a mount covers them.
  @Test(.requiresPrivateMounts, arguments: ["class/tty", "class", "devices"])
  func `proves no absence where a part of sysfs is covered`(part: String) throws {
    let result = try run(
      #"""
      unshare --mount --propagation private bash -c '
        mount -t tmpfs none /sys/\#(part); "$0" check serial; echo "status $?"' "$devaccess" 2>&1
      """#)
    #expect(result.output.hasSuffix("status 2\n"), "\(result.output)")
    #expect(result.output.contains("/sys"), "\(result.output)")
  }

  /// If nsswitch.conf(5) lists another service after the file, libc does not distinguish a missing
  /// name from an unreadable file.
  @Test(.requiresPrivateMounts) func `misses no user whose file may not be read`() throws {
    let result = try run(
      #"""
      cp /etc/passwd passwd; chmod 600 passwd; echo "passwd: files systemd" > nsswitch.conf
      unshare --mount --propagation private bash -c '
        mount --bind passwd /etc/passwd; mount --bind nsswitch.conf /etc/nsswitch.conf
        setpriv --reuid=54321 --regid=54321 --clear-groups "$0" check --user=alice /dev/null
        echo "status $?"' "$devaccess" 2>&1
      """#)
    #expect(result.output.contains("permission denied"), "\(result.output)")
    #expect(!result.output.contains("status 3"), "\(result.output)")
  }

  /// A thread of the pool that lacks descriptors would end the program.
  @Test func `says that descriptors are missing`() throws {
    let result = try run(
      #"""
      for count in 6 8 10 12 14; do
        (ulimit -n "$count"; "$devaccess" check --wait=0.2 camera; echo "status $?") 2>&1
      done | sed "s/.*too many open files/too many open files/" | sort | uniq -c | tr -s " "
      """#)
    #expect(result.output == " 5 status 70\n 5 too many open files\n", "\(result.output)")
  }

  /// Another user's program holds the device exclusively, and later releases it without closing it.
  @Test(.requiresRoot) func `tries to open what somebody unseen keeps from it until it opens`()
    throws
  {
    let first = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(first) }
    var (number, isLocked): (Int32, Int32) = (-1, 0)
    #expect(unsafe ioctl(first, 0x8004_5430, &number) == 0)
    #expect(unsafe ioctl(first, 0x4004_5431, &isLocked) == 0)
    let name = "/dev/pts/\(number)"
    #expect(unsafe chmod(name, 0o666) == 0)
    let second = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(second) }
    #expect(ioctl(second, UInt(TIOCEXCL)) == 0)
    Thread.detachNewThread {
      usleep(1_500_000)
      _ = ioctl(second, UInt(TIOCNXCL))
    }
    let result = try run(
      #"""
      timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$devaccess" check \#(name) --wait --probe 2>errors | grep -o "openat.*"
      echo "${PIPESTATUS[0]}"; grep -c waiting errors
      """#)
    // The reason for waiting is printed once.
    #expect(result.output == "openat(2) with O_RDWR|O_NONBLOCK: ok\n0\n1\n", "\(result.errors)")
  }

  @Test func `prints nothing when it is to be quiet`() throws {
    let result = try run(
      #"""
      "$devaccess" check --quiet --json /dev/null; echo "status $?"
      "$devaccess" check --quiet --json --free /dev/null; echo "status $?"
      "$devaccess" check --quiet --json ./nowhere 2>/dev/null; echo "status $?"
      """#)
    #expect(result.output == "status 0\nstatus 0\nstatus 3\n")
  }
}
