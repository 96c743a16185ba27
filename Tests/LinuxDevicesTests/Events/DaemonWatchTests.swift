import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The start of the daemon` {
  /// Returns the first loss that a monitor reports; the monitor starts no daemon.
  private func firstLoss(
    _ roots: MachineRoots, after body: () throws -> Void
  ) async throws -> DeviceNotice? {
    let monitor = try DeviceMonitor(roots: roots)
    try body()
    var notices = monitor.makeAsyncIterator()
    while let notice = try await notices.next() {
      if case .lost = notice { return notice }
    }
    return nil
  }

  @Test(arguments: ["control", "watch", "watch.old"])
  func `a file that it makes or takes over is a loss`(_ name: String) async throws {
    let run = try TemporaryDirectory()
    try run.directory("udev")
    let file = "\(run.path)/udev/\(name)"
    var roots = MachineRoots()
    roots.run = run.path
    let loss = try await firstLoss(roots) {
      // The file that the daemon keeps for its events does not count.
      try Data().write(to: URL(fileURLWithPath: "\(roots.run)/udev/queue"))
      try Data().write(to: URL(fileURLWithPath: file))
    }
    #expect(loss == .lost(.daemon))
  }

  @Test func `a monitor works where the daemon has never run`() async throws {
    let run = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.run = run.path
    let monitor = try DeviceMonitor(roots: roots)
    let task = Task {
      var notices = monitor.makeAsyncIterator()
      return try await notices.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
  }

  @Test func `a cancelled consumer and one that goes away leave nothing open`() async throws {
    await #expect(processExitsWith: .success) {
      // The first round also creates objects that the process keeps.
      for round in 0..<30 {
        let monitor = try DeviceMonitor()
        let changes = try DeviceChanges(of: ["video4linux"])
        let tasks = [
          Task { for try await _ in monitor {} },
          Task { for try await _ in changes {} },
        ]
        if round % 2 == 0 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        _ = try DeviceMonitor()
      }
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      let before = OwnProcess.descriptorCount
      do {
        let monitors = try (0..<100).map { _ in try DeviceMonitor() }
        #expect(OwnProcess.descriptorCount >= before + 100)
        #expect(OwnProcess.eventThreadCount == 1)
        _ = monitors.count
      }
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      #expect(!EventLoop.shared.isRunning)
      #expect(EventLoop.shared.count == 0)
      #expect(OwnProcess.leftNothing(openSince: before))
      #expect(OwnProcess.eventThreadCount == 0)
    }
  }
}
