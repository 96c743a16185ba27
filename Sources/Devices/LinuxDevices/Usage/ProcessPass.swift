internal import AccessModel
internal import Dispatch
internal import Glibc
internal import Synchronization

/// One pass over many processes, which several threads share.
final class ProcessPass: Sendable {
  private let numbers: [Int32]
  private let scanner: @Sendable () throws(Errno) -> ProcessScanner
  private let next = Atomic(0)
  private let results = Mutex<[Int32: ProcessSighting]>([:])
  private let failure = Mutex<Errno?>(nil)
  private let finished = DispatchSemaphore(value: 0)

  private init(
    _ numbers: [Int32], _ scanner: @escaping @Sendable () throws(Errno) -> ProcessScanner
  ) {
    self.numbers = numbers
    self.scanner = scanner
  }

  /// Inspects processes, and returns the results that are not empty.
  ///
  /// The calling thread participates, so the pass succeeds even if no other thread can be started.
  /// If several threads exhaust descriptors or memory, the calling thread repeats the pass without
  /// them.
  ///
  /// - Throws: An error that indicates a lack of resources, without which no result is possible.
  static func look(
    at numbers: [Int32], _ scanner: @escaping @Sendable () throws(Errno) -> ProcessScanner
  ) throws(Errno) -> [Int32: ProcessSighting] {
    let helpers = min(Self.processors, Self.mostThreads, 1 + numbers.count / 64) - 1
    do throws(Errno) {
      return try ProcessPass(numbers, scanner).run(helpers: helpers)
    } catch {
      guard helpers > 0 else { throw error }
      return try ProcessPass(numbers, scanner).run(helpers: 0)
    }
  }

  private static let mostThreads = 4

  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private func run(helpers: Int) throws(Errno) -> [Int32: ProcessSighting] {
    var started = 0
    for _ in 0..<helpers {
      do throws(Errno) {
        try DedicatedThread.run {
          self.work()
          self.finished.signal()
        }
        started += 1
      } catch {
        break
      }
    }
    work()
    for _ in 0..<started { finished.wait() }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return results.withLock { $0 }
  }

  private func work() {
    do throws(Errno) {
      var scanner = try scanner()
      var seen: [Int32: ProcessSighting] = [:]
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < numbers.count else { break }
        seen[numbers[index]] = try scanner.look(at: numbers[index])
      }
      results.withLock { $0.merge(seen) { _, new in new } }
    } catch {
      failure.withLock { $0 = error }
      // The other threads need not inspect the remaining processes.
      next.store(numbers.count, ordering: .relaxed)
    }
  }
}
