import AccessModel
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import LinuxDevices

@Suite struct `A shared source` {
  /// A source that notifies for each byte, and counts how often it was created.
  private final class Bell: Sendable {
    let made = Atomic<Int>(0)
    /// The writing ends of all sources; the last one belongs to the latest source.
    private let writers = Mutex<[Int32]>([])

    deinit { for writer in writers.withLock({ $0 }) { close(writer) } }

    func source(_ tell: @escaping @Sendable () -> Void) throws(Errno) -> any EventSource {
      made.add(1, ordering: .relaxed)
      guard let ends = try? PipeEnds.open() else { throw .tooManyFiles }
      let reader = try OwnedDescriptor(ends.reading)
      writers.withLock { $0.append(ends.writing) }
      return DescriptorSource(reader, interest: 1) { descriptor, _ in
        var byte: UInt8 = 0
        guard unsafe read(descriptor, &byte, 1) == 1 else { return false }
        tell()
        return true
      }
    }

    func ring() {
      // A source that is no longer watched has no reader.
      writers.withLock { if let end = $0.last { _ = send(end) } }
    }

    private func send(_ end: Int32) -> Int { unsafe write(end, [1], 1) }
  }

  private static func shared(_ bell: Bell) -> SharedSource {
    SharedSource { tell throws(Errno) in try bell.source(tell) }
  }

  @Test func `tells all, and is there as long as one of them`() async throws {
    let bell = Bell()
    let source = Self.shared(bell)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    var reported = stream.makeAsyncIterator()
    let first = try source.watch { continuation.yield(1) }
    var second: SharedSource.Registration? = try source.watch { continuation.yield(2) }
    bell.ring()
    #expect(Set([await reported.next(), await reported.next()]) == [1, 2])
    first.cancel()
    first.cancel()
    bell.ring()
    #expect(await reported.next() == 2)
    #expect(bell.made.load(ordering: .relaxed) == 1 && source.count == 1)
    second = nil
    #expect(second == nil && source.count == 0)
    let third = try source.watch { continuation.yield(3) }
    #expect(bell.made.load(ordering: .relaxed) == 2)
    bell.ring()
    #expect(await reported.next() == 3)
    third.cancel()
  }

  @Test func `is not there after a failure, and may be later`() throws {
    let isBroken = Mutex(true)
    let bell = Bell()
    let source = SharedSource { tell throws(Errno) in
      if isBroken.withLock({ $0 }) { throw .tooManyFiles }
      return try bell.source(tell)
    }
    #expect(throws: Errno.tooManyFiles) { _ = try source.watch {} }
    #expect(source.count == 0)
    isBroken.withLock { $0 = false }
    let registration = try source.watch {}
    #expect(source.count == 1)
    registration.cancel()
  }

  /// A subscriber that arrives while the last one leaves is still notified.
  @Test func `serves those who come while others go`() async throws {
    let bell = Bell()
    let source = Self.shared(bell)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            guard let registration = try? source.watch({ continuation.yield() }) else {
              Issue.record("it cannot be watched")
              return
            }
            bell.ring()
            var reported = stream.makeAsyncIterator()
            _ = await reported.next()
            registration.cancel()
          }
        }
      }
    }
    #expect(source.count == 0)
  }
}
