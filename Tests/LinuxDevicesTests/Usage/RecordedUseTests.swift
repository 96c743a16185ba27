import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The users of devices on machines whose `/proc` consists of files.
@Suite struct `Recorded users of devices` {
  /// Adds a process that holds only the null device.
  private func add(
    _ number: Int, to machine: RecordedMachine, name: String = "cat", flags: String = "0100002"
  ) throws {
    let folder = "proc/\(number)"
    let path = "\(machine.directory.path)/\(folder)"
    try machine.directory.file(
      "\(folder)/stat", "\(number) (\(name)) \(`What /proc says of the users of devices`.rest)")
    try machine.directory.file("\(folder)/status", RecordedMachine.status)
    try machine.directory.file("\(folder)/cgroup", "0::/system.slice/motion.service\n")
    try machine.directory.file("\(folder)/maps", "")
    try machine.directory.file("\(folder)/fdinfo/3", "flags:\t\(flags)\n")
    for folder in ["fd", "task/\(number)"] {
      try machine.directory.file("proc/\(number)/\(folder)/.keep")
    }
    try makeLink("\(path)/fd/3", to: Array("/dev/null".utf8))
    try makeLink("\(path)/exe", to: Array("/usr/bin/caf".utf8) + [0xE9])
  }

  private func machine() throws -> RecordedMachine {
    let machine = try RecordedMachine(users: "motion:x:1000:1000::/:\n")
    try machine.directory.file("proc/stat", "cpu 1\nbtime 1700000000\n")
    try machine.directory.file("proc/self/ns/.keep")
    try makeLink(
      "\(machine.directory.path)/proc/self/ns/pid", to: Array("pid:[4026531836]".utf8))
    try add(1, to: machine, name: "init", flags: "012000000")
    return machine
  }

  private func use(_ machine: RecordedMachine, _ path: String = "/dev/null") throws -> UseFacts {
    try machine.machine().use(of: [.path(path)])
  }

  @Test func `a holder is told with all that its folder says`() throws {
    let machine = try machine()
    try add(42, to: machine)
    let facts = try use(machine)
    let holder = try #require(facts.devices.first?.holders.first)
    #expect(facts.devices.first?.holders.count == 1)
    #expect(holder.process.id == 42)
    #expect(holder.process.name == "cat")
    #expect(holder.process.user == 1000)
    #expect(holder.process.userName == "motion")
    #expect(holder.process.unit == "motion.service")
    #expect(holder.process.startTicks == 98765)
    let ticks = Int64(sysconf(Int32(_SC_CLK_TCK)))
    #expect(holder.process.started == 1_700_000_000 + 98765 / ticks)
    // A name that is not UTF-8 keeps its bytes.
    #expect(
      holder.process.executable.map { ByteText($0).bytes } == Array("/usr/bin/caf".utf8) + [0xE9])
    #expect(holder.hold == DeviceHold())
    #expect(facts.unseen.isEmpty)
  }

  @Test func `a descriptor that only names the node holds nothing`() throws {
    let facts = try use(try machine())
    #expect(facts.devices.first?.holders == [])
    #expect(facts.devices.first.map(facts.state) == .free)
  }

  @Test func `a mapping without a descriptor holds the device`() throws {
    let machine = try machine()
    var status = stat()
    try SystemError.check(unsafe stat("/dev/zero", &status), "stat")
    let device =
      String(status.st_dev >> 8 & 0xFFF, radix: 16) + ":"
      + String(status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00, radix: 16)
    try add(42, to: machine)
    try machine.directory.file(
      "proc/42/maps", "7f00-7f01 rw-s 00000000 \(device) \(status.st_ino) /elsewhere\n")
    let facts = try use(machine, "/dev/zero")
    #expect(
      facts.devices.first?.holders.map(\.hold)
        == [DeviceHold(descriptors: 0, access: nil, isMapped: true)])
  }

  @Test func `descriptors of one thread count`() throws {
    let machine = try machine()
    try add(42, to: machine)
    let folder = "\(machine.directory.path)/proc/42/task"
    for number in [43, 44] { try machine.directory.file("proc/42/task/\(number)/fd/.keep") }
    try machine.directory.file("proc/42/task/43/fdinfo/9", "flags:\t01\n")
    try makeLink("\(folder)/43/fd/9", to: Array("/dev/full".utf8))
    let facts = try use(machine, "/dev/full")
    #expect(
      facts.devices.first?.holders.map(\.hold) == [DeviceHold(descriptors: 1, access: .write)])
  }

  @Test func `no /proc is an error and not an answer`() throws {
    let machine = try RecordedMachine()
    #expect(throws: DeviceError.self) { try use(machine) }
    var roots = MachineRoots()
    roots.proc = "\(machine.directory.path)/nowhere"
    let error = #expect(throws: DeviceError.self) {
      try LinuxMachine(roots: roots).use(of: [.path("/dev/null")])
    }
    #expect(error?.code == .unavailable)
  }

  @Test func `a folder that lacks a part makes nobody free`() throws {
    let machine = try machine()
    try machine.directory.file(
      "proc/50/stat", "50 (x) \(`What /proc says of the users of devices`.rest)")
    let facts = try use(machine)
    #expect(facts.unseen == UnseenProcesses(count: 1, reasons: [.failed]))
    #expect(facts.devices.first.map(facts.state) == .unknown)
  }

  @Test func `processes outside of the namespace are not forgotten`() throws {
    let machine = try machine()
    let link = "\(machine.directory.path)/proc/self/ns/pid"
    try SystemError.check(unsafe unlink(link), "unlink")
    #expect(try use(machine).unseen.reasons == [.outside])
    try makeLink(link, to: Array("pid:[4026532000]".utf8))
    #expect(try use(machine).unseen.reasons == [.outside])
  }

  @Test(arguments: ["hidepid=2", "hidepid=invisible", "gid=5,hidepid=ptraceable"])
  func `processes that are not listed are not forgotten`(option: String) throws {
    let machine = try machine()
    try machine.directory.file(
      "proc/thread-self/mountinfo",
      "1 0 0:1 / / rw - tmpfs none rw\n2 1 0:2 / \(machine.directory.path)/proc rw - proc p rw,\(option)\n"
    )
    #expect(try use(machine).unseen.reasons == [.hidden])
    try machine.directory.file(
      "proc/thread-self/status",
      RecordedMachine.status.replacing(
        "CapEff:\t0000000000000000", with: "CapEff:\t0000000000080000"))
    #expect(try use(machine).unseen.isEmpty)
  }

  @Test func `what is no device is told apart from what is not there`() throws {
    let machine = try machine()
    for (path, errno) in [("/etc", nil), ("/dev/no-such", Errno.noSuchFile)] {
      let error = #expect(throws: DeviceError.self) { try use(machine, path) }
      #expect(error?.code == .notADevice)
      #expect(error?.errno == errno)
    }
  }

  @Test func `another name of the node is the same device`() throws {
    let machine = try machine()
    try add(42, to: machine)
    let link = "\(machine.directory.path)/link"
    try makeLink(link, to: Array("/dev/null".utf8))
    let facts = try use(machine, link)
    #expect(facts.devices.first?.node == "/dev/null")
    #expect(facts.devices.first?.holders.map(\.process.id) == [42])
  }

  // MARK: Sound

  private var microphone: DeviceFacts {
    DeviceFacts(
      node: "/dev/snd/pcmC1D2c", sysfsPath: "/sys/x", subsystem: "sound", kernelName: "pcmC1D2c")
  }

  private func sound(
    _ machine: RecordedMachine, _ statuses: [String], before: SoundStreams? = nil,
    holders: [DeviceHolder] = [], unseen: Set<Int32> = []
  ) throws -> DeviceUse? {
    for (index, status) in statuses.enumerated() {
      try machine.directory.file("proc/asound/card1/pcm2c/sub\(index)/status", status)
    }
    let proc = "\(machine.directory.path)/proc"
    let observer = SoundObserver(proc: proc, clock: MachineClock(proc: proc))
    guard let streams = observer.streams(of: microphone) else { return nil }
    var use = DeviceUse(node: "/dev/snd/pcmC1D2c", device: microphone, holders: holders)
    observer.add(streams, before: before ?? streams, to: &use, unseen: unseen)
    return use
  }

  @Test func `a sound card says that nobody records`() throws {
    let use = try #require(try sound(try machine(), ["closed\n", "closed\n"]))
    #expect(use.isToldByDriver && !use.isHeld)
    #expect(use.freeStreams == 2)
    #expect(try sound(try machine(), []) == nil)
    // A stream that cannot be read could be open.
    #expect(try sound(try machine(), ["closed\n", "\n"]) == nil)
  }

  @Test func `a sound card names a recorder that may not be looked into`() throws {
    let machine = try machine()
    try add(42, to: machine, name: "recorder")
    // The thread that opened the stream.
    try machine.directory.file("proc/45/status", "Name:\tx\nTgid:\t42\n")
    let status = "state: RUNNING\nowner_pid   : 45\ntrigger_time: 1.5\n"
    let use = try #require(try sound(machine, [status, "closed\n"], unseen: [42]))
    #expect(use.holders.map(\.process.name) == ["recorder"])
    #expect(use.holders.first?.hold.activity == .streaming)
    #expect(use.holders.first?.hold.descriptors == 0)
    #expect(use.freeStreams == 1)
    #expect(use.holders.first?.usedSince != nil)
  }

  @Test func `a process with the number of one that has ended is no recorder`() throws {
    let machine = try machine()
    try add(42, to: machine, name: "sleep")
    try machine.directory.file("proc/42/status", "Name:\tx\nTgid:\t42\n")
    let clock = MachineClock(proc: "\(machine.directory.path)/proc")
    // The process started 987 seconds after the boot.
    let start = try #require(clock.date(ofTicks: 98765))
    for (since, isNamed) in [(start - 60, false), (start + 60, true)] {
      let status = "state: RUNNING\nowner_pid   : 42\ntrigger_time: \(since).5\n"
      let use = try #require(try sound(machine, [status], unseen: [42]))
      #expect(use.holders.isEmpty != isNamed)
      #expect(use.unnamedHolders == (isNamed ? 0 : 1))
    }
  }

  @Test func `a stream belongs to the holder that was seen`() throws {
    let machine = try machine()
    try machine.directory.file("proc/42/status", "Tgid:\t42\n")
    let holder = DeviceHolder(HoldingProcess(id: 42, name: "x"), DeviceHold())
    let idle = "state: PREPARED\nowner_pid   : 42\n"
    let use = try #require(try sound(machine, [idle], holders: [holder]))
    #expect(use.holders.map(\.hold.activity) == [.idle])
    #expect(use.unnamedHolders == 0)
  }

  @Test func `a stream that was opened since the processes were looked at has no unknown user`()
    throws
  {
    let status = "state: RUNNING\nowner_pid   : 99\n"
    let use = try #require(try sound(try machine(), [status], before: SoundStreams()))
    #expect(use.unnamedHolders == 0)
    // The stream does not count as free either.
    #expect(use.freeStreams == 0)
  }

  @Test func `an owner that is gone or outside leaves a use without a name`() throws {
    for owner in [0, 99] {
      for (state, idle) in [("RUNNING", 0), ("PREPARED", 1)] {
        let status = "state: \(state)\nowner_pid   : \(owner)\n"
        let use = try #require(try sound(try machine(), [status]))
        #expect(use.holders == [] && use.unnamedHolders == 1 && use.idleUnnamedHolders == idle)
      }
    }
  }
}
