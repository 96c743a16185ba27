import AccessModel
import Foundation
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceWatching

@Suite(.timeLimit(.minutes(3))) struct `A watch of many files` {
  private static let count = 150

  /// Returns a Boolean value that indicates whether the watch has rested; the first rest needs an
  /// alarm.
  private static func hasRested(_ files: FileWatches) -> Bool {
    files.paths.pace?.withLock { $0.alarm != nil } ?? false
  }

  @Test func `is woken seldom while one after the other changes, and tells each in order`()
    async throws
  {
    let directory = try TemporaryDirectory(in: "/tmp")
    let paths = try (0..<Self.count).map { try directory.file("\($0)") }
    let wakes = Atomic(0)
    let files = try FileWatches { wakes.add(1, ordering: .relaxed) }
    for (number, path) in paths.enumerated() {
      _ = files.cover(
        WatchPlan([try LinuxMachine().facts(for: Question(.path(path)))]), for: number)
    }
    _ = files.take(reading: true)
    wakes.store(0, ordering: .relaxed)
    var reported: QuestionNumbers = []
    func take() {
      if case .some(let numbers) = files.take(reading: false).changes.questions {
        reported.formUnion(numbers)
      }
    }
    let order = (0..<Self.count).shuffled()
    let start = ContinuousClock.now
    for number in order {
      try directory.setMode(0o600, of: paths[number])
      try await Task.sleep(for: .milliseconds(10))
      take()
    }
    let rests = Int(start.duration(to: .now) / .milliseconds(Int(EventThrottle.rest)))
    while Array(reported).count < Self.count {
      try await Task.sleep(for: .milliseconds(1))
      take()
    }
    #expect(Array(reported) == order)
    #expect(Self.hasRested(files))
    // Twice for each batch: early, and after it is read.
    #expect(wakes.load(ordering: .relaxed) <= 2 * (EventThrottle.credit + rests + 3))
    files.cancel()
  }

  @Test func `tells at once what one file goes through again and again`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("file")
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let files = try FileWatches { continuation.yield() }
    _ = files.cover(WatchPlan([try LinuxMachine().facts(for: Question(.path(file)))]), for: 0)
    var iterator = signals.makeAsyncIterator()
    for round in 0..<100 {
      try directory.setMode(round.isMultiple(of: 2) ? 0o600 : 0o640, of: file)
      var isReported = false
      while !isReported {
        try #require(await iterator.next() != nil)
        isReported = files.take(reading: false).changes.questions != .none
      }
    }
    #expect(!Self.hasRested(files))
    files.cancel()
  }
}
