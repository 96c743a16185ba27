internal import AccessModel
internal import Dispatch
internal import Glibc
internal import Synchronization

/// One look at many processes, shared by as many threads as can be had.
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

  /// Looks into processes, and returns what was seen of those that matter.
  ///
  /// The calling thread works too, so that nothing depends on getting another. Where descriptors
  /// or memory run out with several threads, it tries once more alone.
  ///
  /// - Throws: An error of resources, without which nothing can be told.
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
      // Nobody needs to look at the rest.
      next.store(numbers.count, ordering: .relaxed)
    }
  }
}
