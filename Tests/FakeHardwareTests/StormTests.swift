#if UMockdev
  import AccessModel
  import DevicePermissionsTesting
  import DeviceWatching
  import Foundation
  import LinuxTestSupport
  import Testing

  @testable import LinuxDevices

  /// Many events in a short time, sent as the udev daemon sends them.
  @Suite(.requiresUMockdev) struct StormTests {
    @Test(.timeLimit(.minutes(5)))
    func `after 10,000 events every consumer ends with the same devices as the machine`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let changes = try (0..<3).map { _ in try DeviceChanges(of: ["video4linux"]) }
        let counts = (0..<3).map { _ in AtomicCount() }
        let fast = Task { try await Storm.devices(after: changes[0], counts[0]) }
        let slow = Task { try await Storm.devices(after: changes[1], counts[1], delay: true) }
        let cancelled = Task { try await Storm.devices(after: changes[2], counts[2]) }
        let count = try Storm.rage(in: testbed, events: 10_000, over: 200) { index in
          if index == 5_000 { cancelled.cancel() }
        }
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.count == count)
        let expected = Dictionary(uniqueKeysWithValues: devices.map { ($0.sysfsPath, $0) })
        #expect(try await fast.value == expected)
        #expect(try await slow.value == expected)
        #expect(try await cancelled.value[Storm.lastPath] == nil)
        // The slow consumer received fewer changes, not later ones.
        #expect(counts[1].value <= counts[0].value)
      }
    }

    /// The watch rescans only the devices that events report.
    @Test(.timeLimit(.minutes(5)), arguments: [(4_000, 100), (1_000, 10)])
    func `a watch that looks all the while ends with what one look shows`(
      events: Int, devices: Int
    ) async {
      // Failed expectations in an exit test are reported without their text.
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) { [events, devices] in
        let testbed = try UMockdevTestbed()
        // Without a daemon, facts are used for at most a second.
        let run = try TemporaryDirectory()
        try run.file("udev/control")
        var roots = MachineRoots()
        roots.run = run.path
        let machine = LinuxMachine(roots: roots)
        let question = Question(.kind(.camera))
        let sysfs = try FakeSysfs(in: testbed)
        try sysfs.put("video\(devices)", isNew: true, 0)
        let watch = try machine.watch([question.target])
        let scans = Task {
          while true {
            _ = watch.takeReportedChanges()
            let facts = try machine.facts(for: question, watchedBy: watch)
            if facts.devices.contains(where: { $0.sysfsPath == Storm.lastPath }) { return }
            await Task.yield()
          }
        }
        let count = try Storm.rage(in: testbed, events: events, over: devices)
        try await scans.value
        // A scan lists the existing devices, and reuses the facts of each until its event arrives.
        // The scan that lists the last device may therefore have old facts of another.
        let now = try machine.facts(for: question).devices
        #expect(now.count == count + 1)
        // By now every event is in the socket of the watch.
        var seen: [DeviceFacts] = []
        for _ in 0..<5_000 where seen != now {
          _ = watch.takeReportedChanges()
          seen = try machine.facts(for: question, watchedBy: watch).devices
          try await Task.sleep(for: .milliseconds(2))
        }
        #expect(seen == now)
        if seen != now {
          let different = Set(seen).symmetricDifference(now).map(\.sysfsPath).sorted()
          FileHandle.standardError.write(Data("not told of: \(different)".utf8))
        }
      }
      let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      if errors.contains("not told of") { Issue.record("\(errors)") }
    }

    @Test(.timeLimit(.minutes(5)))
    func `many monitors at once end with the same devices, and leave nothing open`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let before = OwnProcess.descriptorCount
        // umockdev supports 50 descriptors per process; other tests cover the kernel's own sockets.
        let tasks = try (0..<40).map { _ in
          let changes = try DeviceChanges(of: ["video4linux"])
          return Task { try await Storm.devices(after: changes, AtomicCount()) }
        }
        // Threads are counted by their name, which they get only once they run.
        #expect(await eventually { OwnProcess.eventThreadCount > 0 })
        var threads = 0
        _ = try Storm.rage(in: testbed, events: 200, over: 20) { _ in
          threads = max(threads, OwnProcess.eventThreadCount)
        }
        #expect(threads == 1)
        let devices = try LinuxMachine().devices(of: .camera)
        let expected = Dictionary(uniqueKeysWithValues: devices.map { ($0.sysfsPath, $0) })
        for task in tasks { #expect(try await task.value == expected) }
        try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
        #expect(OwnProcess.leftNothing(openSince: before))
      }
    }
  }

  enum Storm {
    /// The device that is added at the end.
    static let lastName = "video999"
    static let lastPath = "/sys/devices/\(lastName)"

    /// Adds, changes and removes devices at random.
    ///
    /// - Returns: The number of devices left, including the last one.
    static func rage(
      in testbed: borrowing UMockdevTestbed, events: Int, over count: Int,
      _ step: (Int) -> Void = { _ in }
    ) throws -> Int {
      let sysfs = try FakeSysfs(in: testbed)
      var numbers = SeededNumbers(seed: 7)
      var present: Set<Int> = []
      for index in 0..<events {
        let number = Int.random(in: 0..<count, using: &numbers)
        if present.contains(number), Int.random(in: 0..<4, using: &numbers) == 0 {
          try sysfs.remove("video\(number)")
          present.remove(number)
        } else {
          let isNew = present.insert(number).inserted
          try sysfs.put("video\(number)", isNew: isNew, index)
        }
        step(index)
      }
      try sysfs.put(lastName, isNew: true, events)
      return present.count + 1
    }

    /// Returns the devices of a consumer that applies every change, once the last device exists.
    static func devices(
      after changes: DeviceChanges, _ counter: AtomicCount, delay: Bool = false
    ) async throws -> [String: DeviceFacts] {
      var devices: [String: DeviceFacts] = [:]
      for try await change in changes {
        counter.add()
        let path = change.device.sysfsPath
        switch change {
        case .added(let device): #expect(devices.updateValue(device, forKey: path) == nil)
        case .changed(let device): #expect(devices.updateValue(device, forKey: path) != device)
        case .removed: #expect(devices.removeValue(forKey: path) != nil)
        }
        if path == lastPath { break }
        if delay { try await Task.sleep(for: .milliseconds(1)) }
      }
      return devices
    }
  }
#endif
