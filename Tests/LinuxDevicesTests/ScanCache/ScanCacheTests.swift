import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import DeviceWatching
@testable import LinuxDevices

@Suite struct `The cache of scans` {
  private func watch(_ machine: LinuxMachine, _ paths: [String]) throws -> LinuxWatch {
    try #require(try machine.watch(paths.map { .path($0) }) as? LinuxWatch)
  }

  @Test func `makes no other facts`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.link("link", to: "file")
    let file = try directory.file("file")
    let paths = [file, "\(directory.path)/link", "/dev/null", "/dev/video0", "\(file)/below"]
    let machine = LinuxMachine()
    let watch = try watch(machine, paths)
    for mode in [0o644, 0o600, 0o000] {
      try directory.setMode(mode, of: file)
      for path in paths {
        for subject in [SubjectSelector.ownProcess, .user("65534"), .process(getpid())] {
          let question = Question(.path(path), subject: subject)
          let facts = try machine.facts(for: question)
          let found = try machine.facts(for: question, watchedBy: watch)
          #expect(facts == found, "\(path) for \(subject)")
        }
      }
    }
  }

  @Test func `is read once, until something matters to all`() throws {
    let machine = LinuxMachine()
    let watch = try watch(machine, ["/dev/null"])
    let question = Question(.path("/dev/null"))
    _ = try machine.facts(for: question, watchedBy: watch)
    watch.wake()
    #expect(watch.takeReportedChanges() == .all)
    let before = watch.cache.readCount
    #expect(before == 0)
    _ = try machine.facts(for: question, watchedBy: watch)
    #expect(watch.cache.readCount > 0)
  }

  @Test func `is used once when it is old, and then scanned again`() async throws {
    let machine = LinuxMachine()
    let watch = try watch(machine, ["/dev/null"])
    let question = Question(.path("/dev/null"))
    func scan() throws -> (readCount: Int, isNew: Bool) {
      let before = watch.cache.readCount
      let facts = try machine.facts(for: question, watchedBy: watch)
      let count = watch.cache.readCount - before
      return (count, watch.cover([0: facts], pollingEvery: .seconds(3600)).isNew)
    }
    while try scan().isNew {}
    for _ in 0..<2 {
      try await Task.sleep(for: .milliseconds(1100))
      // A consumer is waiting for this scan.
      #expect(try scan() == (0, true))
      let again = try scan()
      #expect(again.readCount > 0 && !again.isNew)
      #expect(try scan() == (0, false))
    }
    // A scan after an interval detects changes that are not reported.
    try await Task.sleep(for: .milliseconds(1100))
    watch.cache.forgetUnreported()
    let polled = try scan()
    #expect(polled.readCount > 0 && !polled.isNew)
  }

  /// The node of a device appears before udev reports the device.
  @Test func `of devices is not all when a name leads to something else`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("file")
    let sysfs = try TemporaryDirectory()
    let enumerator = DeviceEnumerator(roots: MachineRoots(below: sysfs))
    let machine = LinuxMachine()
    let watch = try watch(machine, ["/dev/video0", file])
    var count = 0

    /// Returns whether another device is found after a change.
    func isFound(_ change: () throws -> Void) async throws -> Bool {
      let facts = try machine.facts(for: Question(.path(file)), watchedBy: watch)
      _ = watch.cover([0: facts], pollingEvery: .seconds(3600))
      _ = watch.takeReportedChanges()
      let before = try watch.cache.devices(of: "video4linux", with: enumerator)
      count += 1
      try sysfs.file("sys/devices/video\(count)/uevent", "MAJOR=81\nMINOR=\(count)\n")
      try sysfs.directory("sys/class/video4linux")
      try sysfs.link(
        "sys/class/video4linux/video\(count)", to: "\(sysfs.path)/sys/devices/video\(count)")
      try change()
      while watch.takeReportedChanges() == .none { try await Task.sleep(for: .milliseconds(1)) }
      let devices = try watch.cache.devices(of: "video4linux", with: enumerator)
      #expect(devices.starts(with: before))
      return devices.contains { $0.kernelName == "video\(count)" }
    }

    try sysfs.directory("sys/class")
    #expect(try await isFound { _ = unsafe unlink(file) })
    #expect(try await isFound { try directory.file("file") })
    #expect(try await !isFound { try directory.setMode(0o600, of: file) })
  }

  @Test(.requiresRoot) func `is not that of other credentials`() async {
    await #expect(processExitsWith: .success) {
      let machine = LinuxMachine()
      let watch = try #require(try machine.watch([.path("/dev/null")]) as? LinuxWatch)
      let question = Question(.path("/dev/null"))
      _ = try machine.facts(for: question, watchedBy: watch)
      #expect(setegid(4711) == 0)
      let groups = try machine.facts(for: question, watchedBy: watch).access.subject.groups
      #expect(try machine.facts(for: question, watchedBy: watch).access.subject.egid == 4711)
      #expect(unsafe setgroups(2, [4712, 4713]) == 0)
      let others = try machine.facts(for: question, watchedBy: watch).access.subject.groups
      #expect(others == [4712, 4713] && groups != others)
      #expect(seteuid(65534) == 0)
      let subject = try machine.facts(for: question, watchedBy: watch).access.subject
      #expect(subject.euid == 65534 && subject.effective.isEmpty)
    }
  }
}
