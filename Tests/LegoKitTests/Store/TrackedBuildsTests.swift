import Synchronization
import Testing

@testable import LegoKit

@Suite struct `Builds that a task waits for` {
  private func task() async -> WaitingTask {
    await withCheckedContinuation { outer in
      Task {
        await withCheckedContinuation { outer.resume(returning: WaitingTask($0)) }
      }
    }
  }

  @Test func `are over when the queue has been delivered up to their last change`() async {
    let task = await task()
    var builds = TrackedBuilds()
    builds.add(task, for: 3, until: 5)
    // Another change that the build caused is queued while the task waits.
    builds.noteQueued(6, root: 3)
    builds.noteQueued(7, root: 4)
    #expect(builds.takeDue(at: 5) == [3])
    #expect(builds.takeFinished(3, deliveredTo: 5).isEmpty)
    #expect(builds.takeDue(at: 6) == [3])
    let finished = builds.takeFinished(3, deliveredTo: 6)
    #expect(finished.count == 1)
    #expect(builds.isEmpty)
    #expect(builds.takeDue(at: 7).isEmpty)
    for task in finished { task.resume() }
  }

  @Test func `stay cancelled until they are over`() {
    var builds = TrackedBuilds()
    builds.cancel(1, until: 4)
    #expect(builds.isCancelled(1))
    #expect(!builds.isCancelled(2))
    #expect(builds.takeFinished(1, deliveredTo: 3).isEmpty)
    #expect(builds.isCancelled(1))
    #expect(builds.takeDue(at: 4) == [1])
    #expect(builds.takeFinished(1, deliveredTo: 4).isEmpty)
    #expect(!builds.isCancelled(1))
    #expect(builds.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `leave nothing behind if they were awaited after the last delivery`() async {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in change == .nothing ? .publisher(subject) : .none }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    let task = Task { await lego.build(.nothing).finished() }
    while lego.state.withLock({ $0.builds.isEmpty }) { await Task.yield() }
    subject.send(completion: .finished)
    await task.value
    #expect(lego.state.withLock { $0.builds.isEmpty })
  }

  @Test func `are not searched for in the queue, however many wait`() async {
    let task = await task()
    var builds = TrackedBuilds()
    for root in 1...1_000 as ClosedRange<UInt64> { builds.add(task, for: root, until: 1_000) }
    for place in 1..<1_000 as Range<UInt64> { #expect(builds.takeDue(at: place).isEmpty) }
    #expect(builds.takeDue(at: 1_000).count == 1_000)
    for root in 1...1_000 as ClosedRange<UInt64> {
      #expect(builds.takeFinished(root, deliveredTo: 1_000).count == 1)
    }
    #expect(builds.isEmpty)
    task.resume()
  }
}
