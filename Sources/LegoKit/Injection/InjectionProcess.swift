internal import Synchronization

/// The process-wide replacements.
final class InjectionProcess: Sendable {
  static let shared = InjectionProcess()

  private let table = Mutex(InjectionTable())

  func read<Value>(_ body: (InjectionTable) -> Value?) -> Value? {
    guard Injection.isUsed.load(ordering: .acquiring) else { return nil }
    // A copy is read outside the lock, because a value's cast may run a stranger's code.
    return body(table.withLock { $0 })
  }

  func write(_ body: (inout InjectionTable) -> Void) {
    // The replaced value is freed outside the lock.
    let old = table.withLock { table in
      let old = table
      body(&table)
      return old
    }
    Injection.isUsed.store(true, ordering: .releasing)
    withExtendedLifetime(old) {}
  }
}
