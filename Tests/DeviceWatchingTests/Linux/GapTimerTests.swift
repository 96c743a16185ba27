import AccessModel
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceWatching

@Suite(.timeLimit(.minutes(5))) struct `A timer for what is not told` {
  @Test func `wakes after each interval until it is set to never`() async {
    let count = Atomic(0)
    let timer = GapTimer { count.add(1, ordering: .relaxed) }
    timer.set(.milliseconds(5))
    #expect(await eventually { count.load(ordering: .relaxed) >= 3 })
    timer.set(nil)
    // A wakeup that was already on its way.
    try? await Task.sleep(for: .milliseconds(50))
    let last = count.load(ordering: .relaxed)
    try? await Task.sleep(for: .milliseconds(50))
    #expect(count.load(ordering: .relaxed) == last)
  }

  /// For example because of a limit on threads or descriptors.
  @Test func `that cannot be had wakes whoever sets it again, and is one as soon as it can`() async
  {
    let (count, attempts, isShort) = (Count(), Count(), Count())
    isShort.add()
    let timer = GapTimer(
      startingWith: { (source) throws(Errno) in
        attempts.add()
        if isShort.value > 0 { throw .tryAgain }
        return try EventLoop.shared.watch(source)
      },
      { count.add() })
    for round in 1...3 {
      timer.set(.milliseconds(5))
      // A scan for another reason.
      timer.set(.milliseconds(5))
      #expect(await eventually { count.value == round })
    }
    #expect(attempts.value == 3)
    isShort.clear()
    timer.set(.milliseconds(5))
    #expect(await eventually { count.value >= 6 })
    timer.set(.milliseconds(5))
    #expect(attempts.value == 4)
    timer.end()
    timer.set(.milliseconds(5))
    try? await Task.sleep(for: .milliseconds(50))
    let last = count.value
    try? await Task.sleep(for: .milliseconds(50))
    #expect(count.value == last)
  }

  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
    func clear() { count.store(0, ordering: .sequentiallyConsistent) }
  }
}
