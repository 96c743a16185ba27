import Testing

@testable import LegoKit

@Suite struct `Who waits for a build` {
  private typealias Queued = [(number: UInt64, root: UInt64)]

  /// A queue that counts how many of its changes are looked at.
  private final class Looks {
    var count = 0

    func newestFirst(_ queue: Queued) -> some Sequence<(number: UInt64, root: UInt64)> {
      queue.reversed().lazy.map { [self] change in
        count += 1
        return change
      }
    }
  }

  @Test func `finds the last change in the queue that the build caused`() {
    var roots = QueuedRoots()
    var queue: Queued = [(5, 1), (6, 2), (7, 1), (8, 3)]
    #expect(roots.last(of: 1, in: queue.reversed(), from: 5) == 7)
    #expect(roots.last(of: 2, in: queue.reversed(), from: 5) == 6)
    #expect(roots.last(of: 4, in: queue.reversed(), from: 5) == 0)
    queue.removeFirst(2)
    queue += [(9, 2), (10, 4)]
    #expect(roots.last(of: 2, in: queue.reversed(), from: 7) == 9)
    #expect(roots.last(of: 3, in: queue.reversed(), from: 7) == 8)
    #expect(roots.last(of: 4, in: queue.reversed(), from: 7) == 10)
  }

  @Test func `looks at each change once, however many wait`() {
    var roots = QueuedRoots()
    let looks = Looks()
    var queue: Queued = []
    for number in 1...1_000 as ClosedRange<UInt64> {
      queue.append((number, number))
      #expect(roots.last(of: number, in: looks.newestFirst(queue), from: 1) == number)
    }
    // Each look ends at the first change that was seen before.
    #expect(looks.count < 2_000)
  }

  @Test func `keeps no more than the queue does, in a store that is never idle`() {
    var roots = QueuedRoots()
    for number in 10...10_000 as ClosedRange<UInt64> {
      let queue: Queued = (number - 9...number).map { ($0, $0) }
      _ = roots.last(of: number, in: queue.reversed(), from: number - 9)
    }
    #expect(roots.count <= 65)
  }
}
