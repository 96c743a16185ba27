import Foundation
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceWatching

/// An early wakeup must not miss an event, and irrelevant events must not cause wakeups.
@Suite(.timeLimit(.minutes(3))) struct `What wakes somebody early` {
  private func watches(
    _ directory: String, _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws -> PathWatches {
    let watches = try PathWatches(early: true, body)
    let covered = watches.cover([
      .init(path: directory, names: .some([name]), mask: PathWatches.directoryMask)
    ])
    #expect(covered.new == [directory] && covered.failed.isEmpty)
    return watches
  }

  @Test func `is what matters, and once what does not`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let count = Atomic(0)
    let watches = try watches(directory.path, "name") { count.add(1, ordering: .relaxed) }
    try directory.file("name")
    #expect(await eventually { count.load(ordering: .relaxed) > 0 })
    #expect(watches.take(reading: true).changes.questions == .some([0]))
    let before = count.load(ordering: .relaxed)
    for number in 0..<200 {
      try directory.file("other\(number)")
      // Long enough to read most of the events one at a time.
      usleep(500)
    }
    #expect(count.load(ordering: .relaxed) <= before + 2)
    #expect(watches.take(reading: true).changes.questions == .none)
    watches.cancel()
  }

  @Test func `misses nothing, whoever reads first`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watches = try watches(directory.path, "name") { continuation.yield() }
    let path = "\(directory.path)/name"
    let noise = Task.detached {
      while !Task.isCancelled {
        for number in 0..<8 { #expect(unsafe mkdir("\(directory.path)/\(number)", 0o700) == 0) }
        for number in 0..<8 { #expect(unsafe rmdir("\(directory.path)/\(number)") == 0) }
        usleep(100)
      }
    }
    for round in 0..<3000 {
      #expect(unsafe round.isMultiple(of: 2) ? mkdir(path, 0o700) == 0 : rmdir(path) == 0)
      // Occasionally the consumer reads before the thread that waits for events.
      var reported = round.isMultiple(of: 3) ? watches.take(reading: true) : PathWatches.Reported()
      // If a change caused no wakeup, this would wait until the time limit.
      var iterator = signals.makeAsyncIterator()
      while reported.changes.questions == .none {
        try #require(await iterator.next() != nil)
        reported = watches.take(reading: false)
      }
      #expect(reported.changes.questions == .some([0]))
      #expect(reported.changed == .some([path]))
    }
    noise.cancel()
    await noise.value
    watches.cancel()
  }
}

@Suite(.timeLimit(.minutes(3))) struct `What the kernel leaves out` {
  @Test func `matters to everybody, after a rest`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let limit = try String(
        contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = AtomicCount()
      let gate = DispatchSemaphore(value: 0)
      let watches = try PathWatches(paced: true) {
        count.add()
        // The thread that waits for events reads none while it is blocked here.
        if count.value == 1 { gate.wait() }
      }
      _ = watches.cover([
        .init(path: directory.path, names: .some(["name"]), mask: PathWatches.directoryMask)
      ])
      try directory.file("name")
      while count.value == 0 { usleep(1000) }
      let other = "\(directory.path)/other"
      for _ in 0...(Int(limit.dropLast()) ?? 0) {
        #expect(unsafe mkdir(other, 0o700) == 0 && rmdir(other) == 0)
      }
      let reported = watches.take(reading: true)
      #expect(reported.changes.questions == .some([0]) && reported.changed == .all)
      gate.signal()
      while count.value == 1 { usleep(1000) }
      #expect(watches.take(reading: false).changes.questions == .all)
      // The kernel continues to report events.
      let before = count.value
      #expect(unsafe unlink("\(directory.path)/name") == 0)
      while count.value == before { usleep(1000) }
      #expect(watches.take(reading: true).changes.questions == .some([0]))
      watches.cancel()
    }
  }
}
