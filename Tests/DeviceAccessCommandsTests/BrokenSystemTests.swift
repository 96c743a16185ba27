import JSONText
import Testing

// Run one test at a time, because each one blocks a thread until its process ends.
@Suite(
  .serialized, .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"),
  .timeLimit(.minutes(5)))
struct `A broken system` {
  // MARK: Without /proc

  @Test(
    .requiresPrivateMounts,
    arguments: [
      ("check /nope -q", 3, ""), ("--version", 0, ""), ("frobnicate", 64, "unknown command"),
      ("check /dev/null", 2, ""), ("check", 64, ""),
    ])
  func `without proc the arguments are read all the same`(
    arguments: String, status: Int32, errors: String
  ) throws {
    let result = try Product.run("$broken --detach /proc -- $devaccess \(arguments)")
    #expect(result.status == status, "\(result.output)\(result.errors)")
    #expect(result.errors.contains(errors))
  }

  // MARK: Without threads

  @Test(
    arguments: [
      "--refuse clone=EPERM --refuse clone3=EPERM", "--refuse clone=EAGAIN --refuse clone3=ENOSYS",
    ],
    ["check /dev/null", "explain /dev/null", "snapshot /dev/null", "decide </dev/null", "list kvm"])
  func `no thread is needed for one answer`(options: String, arguments: String) throws {
    let result = try Product.run("$broken \(options) -- $devaccess \(arguments)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
  }

  @Test(.requiresRoot, arguments: ["check /dev/null", "explain /dev/null"])
  func `a user who may have no more processes gets an answer`(arguments: String) throws {
    let result = try Product.run(
      "\(Self.reachable) $broken --user 65534 --processes 0 -- $copy \(arguments)")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ("check /no/such --wait=20", "wait"), ("watch /no/such", "watch"),
  ])
  func `waiting without threads fails at once`(arguments: String, purpose: String) throws {
    let result = try Product.run(
      "timeout 60 $broken --refuse clone=EPERM --refuse clone3=EPERM -- $devaccess \(arguments)")
    #expect(result.status == 70)
    #expect(
      result.errors
        == "devaccess: cannot \(purpose): no thread can be started: operation not permitted\n")
  }

  /// Without threads, the command would not even notice its own time limit.
  @Test(.requiresRoot, arguments: [1, 2, 3])
  func `waiting with too few threads fails at once`(count: Int) throws {
    let result = try Product.run(
      """
      \(Self.reachable) timeout 60 $broken --user 12345 --processes \(count) -- \
        $copy check /no/such --wait=2
      """)
    #expect(result.status == 70, "\(result.errors)")
    #expect(result.errors.hasPrefix("devaccess: cannot wait: no thread can be started: "))
  }

  @Test(arguments: ["epoll_create1", "epoll_ctl", "epoll_pwait", "eventfd2", "timerfd_create"])
  func `waiting without events fails at once`(call: String) throws {
    let result = try Product.run(
      "timeout 60 $broken --refuse \(call)=EPERM -- $devaccess watch /no/such")
    #expect(result.status == 70)
    #expect(
      result.errors
        == "devaccess: cannot watch: events cannot be received: operation not permitted\n")
  }

  @Test func `a signal ends a watch that cannot take it`() throws {
    let result = try Product.run(
      """
      timeout --preserve-status --signal=TERM --kill-after=60 2 \
        $broken --refuse signalfd4=EPERM -- $devaccess watch /no/such
      """)
    #expect(result.status == 128 + 15)
    #expect(result.output.contains("absent: /no/such"))
  }

  // MARK: Unobservable facts

  /// Simulates a service whose system call filter is older than this call.
  @Test(.requiresPrivateMounts) func `no call is tried that a filter may end the program for`()
    throws
  {
    let result = try Product.run(
      """
      $broken --hide /sys --refuse lsm_list_modules=SIGSYS -- $devaccess check /dev/null
      """)
    #expect(result.status == 0 && result.output.hasPrefix("allowed: "), "\(result)")
  }

  @Test(
    arguments: [4, 5, 6, 7, 8, 12],
    ["check /dev/null", "check camera", "list serial", "snapshot camera", "check --from snapshot"])
  func `with few descriptors it says so or answers as ever`(
    count: Int, arguments: String
  ) throws {
    let folder = "cd $(mktemp -d); trap 'rm -r $PWD' EXIT; $devaccess snapshot /dev/null >snapshot;"
    let whole = try Product.run("\(folder) $devaccess \(arguments)")
    let result = try Product.run("\(folder) $broken --files \(count) -- $devaccess \(arguments)")
    if result.status == 70 {
      #expect(result.output == "")
      #expect(result.errors == "devaccess: cannot observe this machine: too many open files\n")
    } else {
      #expect(result.status == whole.status && result.output == whole.output)
    }
    // The dynamic linker needs one descriptor for itself, and an observation needs at most five.
    #expect((result.status == 70) == (count < 8 && !arguments.contains("--from")))
  }

  @Test(
    .requiresRoot, arguments: [4, 5, 6, 7, 8, 9, 12],
    ["/etc/passwd", "album", "/dev/null --permanent"])
  func `a grant with few descriptors says so or answers as ever`(count: Int, object: String) throws
  {
    let folder = "cd $(mktemp -d); trap 'rm -r $PWD' EXIT; export HOME=$PWD; mkdir Pictures;"
    let command = "$devaccess grant \(object) --user nobody --dry-run"
    let whole = try Product.run("\(folder) \(command)")
    let result = try Product.run("\(folder) $broken --files \(count) -- \(command)")
    if result.status == 70 {
      #expect(result.output == "" && result.errors.contains("too many open files"))
    } else {
      #expect(result.status == whole.status)
    }
    #expect((result.status == 70) == (count < 9), "\(count): \(result.errors)")
  }

  @Test(
    .requiresPrivateMounts,
    arguments: ["list serial", "list camera --json", "check camera", "explain gpu"])
  func `without sysfs nobody says that there is no device`(arguments: String) throws {
    let result = try Product.run("$broken --hide /sys -- $devaccess \(arguments)")
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect(
      result.errors == "devaccess: cannot list devices below /sys: no such file or directory\n")
  }

  @Test(
    .requiresPrivateMounts,
    arguments: [
      "rules /dev/null", "rules /dev/null --json", "grant /dev/null --user nobody --dry-run",
    ])
  func `without sysfs nobody says which device has a node`(arguments: String) throws {
    let result = try Product.run("$broken --hide /sys -- $devaccess \(arguments)")
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("allowed"), "\(result.output)")
    #expect(result.errors.contains("/sys: it has no dev/char"), "\(result.errors)")
    let access = try Product.run("$broken --hide /sys -- $devaccess check /dev/null")
    #expect(access.status == 0, "\(access.output)\(access.errors)")
  }

  @Test(.requiresPrivateMounts) func `without proc nobody says that a process does not exist`()
    throws
  {
    let result = try Product.run(
      "$broken --detach /proc -- $devaccess check --pid $$ /dev/null; exit $?")
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("cannot inspect process "), "\(result.errors)")
    let none = try Product.run(
      "sleep 0 & wait $!; $broken --detach /proc -- $devaccess check --pid $! /dev/null")
    #expect(none.status == 3, "\(none.output)\(none.errors)")
    #expect(none.errors.hasPrefix("devaccess: no process with ID "), "\(none.errors)")
  }

  @Test(.requiresPrivateMounts) func `without sysfs the album still has its status`() throws {
    let result = try Product.run("$broken --hide /sys -- $devaccess status --json")
    let whole = try Product.run("$devaccess status --json")
    #expect(result.status == 2 && whole.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors == "")
    let (shown, expected) = try (permissions(result.output), permissions(whole.output))
    #expect(shown.map(\.kind) == ["camera", "album"])
    #expect(shown.first?.answer == "undetermined" && shown.first?.status == "unknown")
    #expect(shown.first?.availability == "unknown" && shown.first?.certainty == "undecided")
    #expect(
      shown.first?.error == "cannot list devices below /sys: no such file or directory")
    #expect(shown.last?.answer == expected.last?.answer && shown.last?.error == nil)

    let text = try Product.run("$broken --hide /sys -- $devaccess")
    #expect(text.status == 2 && text.errors == "")
    let lines = text.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("camera  unknown  ") }, "\(text.output)")
    #expect(text.output.contains("cannot list devices below /sys"), "\(text.output)")
    #expect(lines.contains { $0.hasPrefix("album   ") }, "\(text.output)")
  }

  private struct Permission: Decodable {
    var kind: String
    var answer: String
    var status: String
    var availability: String
    var certainty: String
    var error: String?
  }

  private func permissions(_ text: String) throws -> [Permission] {
    struct Status: Decodable { var permissions: [Permission] }
    return try JSONReader.decode(Status.self, from: Array(text.utf8)).permissions
  }

  /// libudev calls faccessat2(2) for each device, and ignores the device if the call fails.
  @Test func `devices that libudev may not look at are not left out`() throws {
    let result = try Product.run(
      """
      ls /sys/class/tty/*/uevent >/dev/null 2>&1 || exit 125
      $broken --refuse faccessat2=EPERM -- $devaccess list serial
      """)
    if result.status == 125 { try Test.cancel("there is no terminal in sysfs here") }
    #expect(result.status == 2, "\(result.output)")
    #expect(result.errors.contains("cannot list devices"), "\(result.errors)")
  }

  @Test(.requiresPrivateMounts) func `without the database of udev that is listed`() throws {
    let result = try Product.run("$broken --hide /run -- $devaccess snapshot kvm")
    if result.output.contains(#""devices": []"#) { try Test.cancel("there is no KVM here") }
    #expect(result.status == 0)
    #expect(result.output.contains(#""udev-database""#), "\(result.output)")
  }

  // MARK: The login library

  @Test(arguments: ["list kvm", "--version", "decide </dev/null", "list"])
  func `no library of logins is loaded before a question needs it`(arguments: String) throws {
    let result = try Product.run(
      "LD_DEBUG=files $devaccess \(arguments) 2>&1 >/dev/null | grep -c 'libsystemd'")
    #expect(result.output == "0\n")
  }

  @Test(.requiresPrivateMounts)
  func `without the library of logins the answer stands, and what is not known is listed`() throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d); trap 'rm -r $folder' EXIT; echo text >$folder/libsystemd.so.0
      unshare --mount sh -c "mount -t tmpfs none /run && mkdir -p /run/systemd/seats &&
        LD_LIBRARY_PATH=$folder $devaccess snapshot /dev/null && $devaccess check /dev/null"
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
    #expect(result.output.contains("libsystemd cannot be loaded"), "\(result.output)")
  }

  @Test(arguments: [
    ("--refuse statx=ENOSYS --refuse faccessat2=ENOSYS", 2),
    ("--refuse statx=EPERM --refuse faccessat2=EPERM", 2),
    ("--refuse statx=ENOMEM", 2), ("--refuse faccessat2=ENOMEM", 0),
    // The owner needs neither a list entry nor a capability.
    ("--refuse lgetxattr=EPERM --refuse faccessat2=ENOSYS", 0),
    ("--refuse capget=EPERM --refuse faccessat2=ENOSYS", 0),
  ])
  func `a refused system call never allows`(options: String, status: Int32) throws {
    let file = try TemporaryFile()
    let result = try Product.run("$broken \(options) -- $devaccess check \(file.path)")
    #expect(result.status == status, "\(result.output)\(result.errors)")
  }

  @Test(
    .requiresRoot,
    arguments: ["i", "a"],
    [
      "", "--refuse statx=ENOSYS", "--refuse statx=EPERM --refuse faccessat2=EPERM",
      "--refuse statx=ENOSYS --refuse faccessat2=ENOSYS",
    ])
  func `a file that may not change is never writable`(flag: String, options: String) throws {
    let result = try Product.run(
      """
      file=$(mktemp /var/tmp/devaccess-XXXXXX); trap 'chattr -\(flag) "$file"; rm "$file"' EXIT
      chattr +\(flag) "$file" || exit 125
      $broken \(options) -- $devaccess check "$file"
      """)
    if result.status == 125 { try Test.cancel("chattr does not work here: \(result.errors)") }
    #expect(result.status == (options.isEmpty ? 1 : result.status))
    #expect([1, 2].contains(result.status), "\(result.output)\(result.errors)")
  }

  // MARK: Faults

  @Test(arguments: [("SEGV", 139), ("ILL", 132), ("ABRT", 134), ("BUS", 135), ("TRAP", 133)])
  func `a fatal signal runs nothing from the working directory`(
    signal: String, status: Int32
  ) throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d) && cd "$folder" && trap 'rm -r "$folder"' EXIT && mkfifo in
      printf '#!/bin/sh\\ntouch "%s/ran"\\n' "$folder" >swift-backtrace && chmod +x swift-backtrace
      PATH=$(dirname "$devaccess"):$PATH
      devaccess decide <in >out 2>&1 & exec 3>in
      echo '{"id":' >&3
      until [[ -s out ]]; do sleep 0.02; done
      ulimit -c 0; kill -\(signal) $!; wait $!; status=$?
      ls; exit $status
      """)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.output == "in\nout\nswift-backtrace\n")
  }

  @Test(arguments: Array(stride(from: 18, through: 60, by: 1)))
  func `in little memory it answers or says that it cannot`(mebibytes: Int) throws {
    let result = try Product.run("$broken --memory \(mebibytes) -- $devaccess explain /dev/null")
    // If the program cannot be loaded, the dynamic linker ends it with status 127, or the kernel
    // with SIGKILL or SIGSEGV. A library that runs out of memory while it is being loaded ends it
    // with SIGILL. After its first statement, the program handles this and returns 70.
    let isLoaded = ![127, 132, 137, 139].contains(result.status)
    if isLoaded { #expect([0, 70].contains(result.status), "\(result.status) \(result.errors)") }
    // A program that did not start has printed no answer.
    if !isLoaded { #expect(result.output.isEmpty) }
    if result.status == 0 { #expect(result.output.contains("allowed")) }
    if result.status == 70 {
      #expect(result.output == "")
      // Before that, the runtime may report that it has no memory for catching crashes.
      let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("swift runtime: ") }
      #expect(
        lines.count == 1 && lines[0].hasPrefix("devaccess: out of memory"), "\(result.errors)")
    }
  }

  // MARK: Rights

  @Test(.requiresRoot, arguments: ["chmod 4755", "chmod 2755", "setcap cap_dac_override=p"])
  func `with rights that its caller lacks it refuses`(change: String) throws {
    let result = try Product.run(
      """
      \(Self.reachable)
      PATH=$PATH:/usr/sbin:/sbin; \(change) $copy || exit 125
      $broken --user 65534 -- $copy check --from /etc/shadow
      """)
    if result.status == 125 { try Test.cancel("\(change) does not work here: \(result.errors)") }
    #expect(result.status == 70, "\(result.errors)")
    #expect(result.errors.hasPrefix("devaccess: it must not have set-user-ID"))
    #expect(result.output == "")
  }

  /// A copy of the command in a place where every user may run it.
  static let reachable = """
    folder=$(mktemp -d) && chmod 755 "$folder" && trap 'rm -r "$folder"' EXIT
    copy=$folder/devaccess; cp "$devaccess" "$copy";
    """
}
