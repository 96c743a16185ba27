import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `What /proc says of the users of devices` {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The fields of `/proc/PID/stat` after the name.
  static let rest = "S 1 7 7 0 -1 4194560 9 0 0 0 1 1 0 0 20 0 3 0 98765 1 1 18446744073709551615\n"

  @Test(arguments: [
    ("cat", "cat"), ("a) S (b", "a) S (b"), ("", ""),
    ("evil\u{1B}[2J\n", "evil\u{1B}[2J\n"),
  ])
  func `a name may hold what else the line is made of`(name: String, shown: String) throws {
    let stat = try #require(ProcessStat(parsing: bytes("7 (\(name)) " + Self.rest)))
    #expect(stat.name == shown)
    #expect(stat.startTicks == 98765)
    #expect(stat.threads == 3)
    #expect(!stat.holdsNothing && !stat.hasTerminal)
  }

  @Test func `a terminal has a number`() throws {
    func stat(_ number: String) -> ProcessStat? {
      ProcessStat(
        parsing: bytes("7 (cat) " + Self.rest.replacing(" 7 7 0 ", with: " 7 7 \(number) ")))
    }
    // /dev/pts/0, and a terminal with number 136:1048575.
    #expect(stat("34816")?.hasTerminal == true && stat("-1048321")?.hasTerminal == true)
    #expect(stat("0")?.hasTerminal == false)
    #expect(stat("x") == nil)
  }

  @Test func `names of other bytes are told apart`() throws {
    for name: [UInt8] in [[0xFF], [0xFE], Array("é".utf8)] {
      let line = bytes("7 (") + name + bytes(") " + Self.rest)
      #expect(ByteText(try #require(ProcessStat(parsing: line)).name).bytes == name)
    }
  }

  @Test func `parts of the kernel and zombies hold nothing`() throws {
    let kernel = bytes("2 (kthreadd) " + Self.rest.replacing("4194560", with: "2129984"))
    #expect(try #require(ProcessStat(parsing: kernel)).holdsNothing)
    // The first thread may end before the others, which keep the descriptors.
    let leader = bytes("7 (x) " + Self.rest.replacing("S 1", with: "Z 1"))
    #expect(try !#require(ProcessStat(parsing: leader)).holdsNothing)
    let zombie = bytes("7 (x) Z 1 7 7 0 -1 4194560 9 0 0 0 1 1 0 0 20 0 0 0 98765 1\n")
    #expect(try #require(ProcessStat(parsing: zombie)).holdsNothing)
  }

  @Test(
    arguments: [
      ("1700000000", 1_700_000_000), ("4700000000", 4_700_000_000), ("-1", nil),
      ("18446744073709551615", nil), ("", nil), ("x", nil),
    ] as [(String, Int64?)])
  func `the machine may have booted in the next century`(word: String, boot: Int64?) throws {
    let proc = try TemporaryDirectory()
    try proc.file("stat", "cpu 1\nbtime \(word)\n")
    let clock = MachineClock(proc: proc.path)
    #expect(clock.boot == boot)
    // A year later, but not in the future.
    let ticks = UInt64(365 * 86400 * sysconf(Int32(_SC_CLK_TCK)))
    #expect(clock.date(ofTicks: ticks) == boot.map { min($0 + 365 * 86400, max(clock.now, $0)) })
    #expect(clock.date(ofTicks: .max) == nil)
  }

  @Test func `a process that ends with all its threads runs no more`() throws {
    let proc = try TemporaryDirectory()
    var process = HoldingProcess(id: 7, name: "x")
    process.startTicks = 98765
    func isRunning(_ threads: [String]) throws -> Bool {
      for (number, flags) in zip(7..., threads) {
        let line = Self.rest.replacing("4194560", with: flags)
        if number == 7 { try proc.file("7/stat", "7 (x) " + line) }
        try proc.file("7/task/\(number)/stat", "\(number) (x) " + line)
      }
      return HolderObserver.isRunning(process, proc: proc.path)
    }
    // PF_EXITING is 4.
    #expect(try isRunning(["4194560", "4194560"]))
    #expect(try isRunning(["4194560", "4194564"]))
    #expect(try isRunning(["4194564", "4194560"]))
    #expect(try !isRunning(["4194564", "4194564"]))
    process.startTicks = 98764
    #expect(try !isRunning(["4194560"]))
    process.id = 8
    #expect(try !isRunning([]))
  }

  @Test(arguments: ["", "7", "7 (x", "7 )x( S 1", "7 (x) S 1 2 3", "7 (x) " + rest.prefix(40)])
  func `a line that is none says nothing`(text: String) {
    #expect(ProcessStat(parsing: bytes(text)) == nil)
  }

  @Test(
    arguments: [
      ("pos:\t0\nflags:\t0100000\nmnt_id:\t1\n", .read, false),
      ("flags:\t0100001\n", .write, false), ("flags:\t02100002\n", [.read, .write], false),
      ("flags:\t03\n", [], false), ("flags:\t012000000\n", .read, true),
    ] as [(String, Permissions, Bool)])
  func `flags tell what a descriptor was opened for`(
    text: String, access: Permissions, isPathOnly: Bool
  ) throws {
    let flags = try #require(DescriptorFlags(parsing: bytes(text)))
    #expect(flags.access == access)
    #expect(flags.isPathOnly == isPathOnly)
  }

  @Test(arguments: ["", "pos:\t0\n", "flags:\n", "flags:\t9\n", "flags:\t7777777777777777777\n"])
  func `flags that are none say nothing`(text: String) {
    #expect(DescriptorFlags(parsing: bytes(text)) == nil)
  }

  private func mappings(
    _ text: String, sharedOnly: Bool = false
  ) -> ([MappingTable.Mapping], whole: Int) {
    var mappings: [MappingTable.Mapping] = []
    let array = bytes(text)
    let whole = MappingTable.read(array.span, sharedOnly: sharedOnly) { file, isShared in
      file.inode == 99 && !isShared
    } _: {
      mappings.append($0)
    }
    return (mappings, whole)
  }

  @Test func `a mapping names the filesystem and the inode of its file`() {
    let lines = """
      5555-6666 r-xp 00000000 fd:00 99                         /usr/bin/known
      6666-6667 rw-s 00000000 fd:00 99                         /usr/bin/known
      7f00-7f01 rw-s 00001000 00:06 123                        /dev/video0 (deleted)
      7f02-7f03 rw-p 00000000 00:00 0 
      7f04-7f05 r--p 00000000 103:1f 18446744073709551615      /a b
      7fff-8000 rw-p 00000000 00:00 0                          [stack]

      """
    let (found, whole) = mappings(lines + "7f06-7f07 rw-s 0000")
    #expect(whole == lines.utf8.count)
    #expect(
      found.map(\.file) == [
        FileIdentity(filesystem: DeviceNumber(major: 0xFD, minor: 0), inode: 99),
        FileIdentity(filesystem: DeviceNumber(major: 0, minor: 6), inode: 123),
        FileIdentity(filesystem: DeviceNumber(major: 0x103, minor: 0x1F), inode: .max),
      ])
    #expect(found.map(\.isShared) == [true, true, false])
    #expect(found.map(\.range) == ["6666-6667", "7f00-7f01", "7f04-7f05"])
    #expect(found.map(\.path) == ["/usr/bin/known", "/dev/video0 (deleted)", "/a b"])
    let (shared, again) = mappings(lines, sharedOnly: true)
    #expect(shared == found.filter(\.isShared))
    #expect(again == whole)
  }

  /// A file that was skipped is not checked again on the next line, unless the mapping is shared.
  @Test func `mappings of one file are told apart`() {
    let lines = ["r--p", "r-xp", "rw-s", "r--s", "rw-p"].map { "7f00-7f01 \($0) 0 fd:00 99 /lib\n" }
    #expect(mappings(lines.joined()).0.map(\.isShared) == [true, true])
    let others = ["98", "99", "98", "99"].map { "7f00-7f01 r--p 0 fd:00 \($0) /lib\n" }
    #expect(mappings(others.joined()).0.map(\.file.inode) == [98, 98])
  }

  @Test func `a table without an end of line is not read yet`() {
    for text in ["", "7f00-7f01 rw-s 0 fd:00 99 /lib"] {
      let (found, whole) = mappings(text)
      #expect(found.isEmpty && whole == 0)
    }
    // Shorter than any valid line, and without its words.
    for text in ["\n\n", "s\n", " s \n", "  \n", "7f00-7f01 s\n"] {
      #expect(mappings(text, sharedOnly: true).whole == text.utf8.count)
    }
  }

  @Test(arguments: [
    "\n", "x\n", "a b c d e f\n", "7f-7f rw-s 0 00:zz 1 /x\n", "7f-7f rw-s 0 0006 1 /x\n",
    "7f-7f rw-s 0 00:06 18446744073709551616 /x\n", "7f-7f rw-s 0 100000000:0 1 /x\n",
  ])
  func `a mapping that is none is passed over`(line: String) {
    let (found, whole) = mappings(line)
    #expect(found.isEmpty)
    #expect(whole == line.utf8.count)
  }

  // MARK: Sound

  @Test func `a substream is closed, or somebody's`() throws {
    #expect(SoundStream.status(parsing: bytes("closed\n")) == .closed)
    let running = """
      state: RUNNING
      owner_pid   : 1402
      trigger_time: 1700000000.123456789
      tstamp      : 0.000000000

      """
    let stream = SoundStream(owner: 1402, isRunning: true, triggered: 1_700_000_000)
    #expect(SoundStream.status(parsing: bytes(running)) == .open(stream))
    #expect(
      SoundStream.status(parsing: bytes("state: SETUP\nowner_pid   : 3\n"))
        == .open(SoundStream(owner: 3, isRunning: false)))
  }

  @Test(arguments: ["", "owner_pid : 3\n", "state: RUNNING\nowner_pid: x\n", "Closed\n"])
  func `a status without its form is not closed`(text: String) {
    #expect(SoundStream.status(parsing: bytes(text)) == nil)
  }

  @Test func `a stream's clock is that of the day or that of the boot`() {
    var stream = SoundStream(owner: 1, isRunning: true, triggered: 1_700_000_000)
    let now: Int64 = 1_700_000_060
    #expect(stream.streamingSince(now: now, sinceBoot: 5000) == 1_700_000_000)
    stream.triggered = 4970
    #expect(stream.streamingSince(now: now, sinceBoot: 5000) == now - 30)
    stream.triggered = now + 10
    #expect(stream.streamingSince(now: now, sinceBoot: 5000) == nil)
    stream.triggered = 4970
    stream.isRunning = false
    #expect(stream.streamingSince(now: now, sinceBoot: 5000) == nil)
  }

  // MARK: Control groups

  @Test(arguments: [
    ("/system.slice/motion.service", "motion.service", nil, nil, nil),
    (
      "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.gnome.Cheese-99.scope",
      "app-gnome-org.gnome.Cheese-99.scope", nil, nil, "org.gnome.Cheese"
    ),
    (
      "/user.slice/user-1000.slice/user@1000.service/session.slice/pipewire.service",
      "pipewire.service", nil, nil, nil
    ),
    (
      "/user.slice/user-1000.slice/user@1000.service/app.slice/app-foo\\x2dbar@a1.service",
      "app-foo\\x2dbar@a1.service", nil, nil, "foo-bar"
    ),
    ("/user.slice/user-1000.slice/session-3.scope", "session-3.scope", nil, nil, nil),
    (
      "/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-aa.scope",
      "snap.firefox.firefox-aa.scope", nil, nil, "firefox"
    ),
    ("/system.slice/docker-0123abc.scope", "docker-0123abc.scope", "docker", "0123abc", nil),
    ("/machine.slice/libpod-77.scope/container", "libpod-77.scope", "podman", "77", nil),
    ("/lxc.payload.web/init.scope", "init.scope", "lxc", "web", nil), ("/", nil, nil, nil, nil),
  ])
  func `a control group names the unit, the container and the application`(
    path: String, unit: String?, container: String?, name: String?, application: String?
  ) {
    let group = HolderGroup(path: path)
    #expect(group.unit == unit)
    #expect(group.container == container)
    #expect(group.containerName == name)
    #expect(group.application == application)
  }

  /// Users who have their own control group can give any name to the groups in it.
  @Test(
    arguments: [
      ("/user.slice/user-1000.slice/user@1000.service/x/system.slice/ssh.service", 1000),
      ("/system.slice/ssh.service", nil), ("/user.slice/user-1000.slice/user@1000.service", nil),
    ] as [(String, UInt32?)])
  func `a control group names the user whose manager has the unit`(path: String, user: UInt32?) {
    #expect(HolderGroup(path: path).unitUser == user)
  }
}
