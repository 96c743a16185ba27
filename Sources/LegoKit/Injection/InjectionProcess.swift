public import Synchronization

/// The process-wide replacements.
@usableFromInline final class InjectionProcess: Sendable {
  @usableFromInline static let shared = InjectionProcess()

  private let table = Mutex(InjectionTable())
  // Most processes replace nothing, and then a look-up needs no lock.
  @usableFromInline let isUsed = Atomic(false)

  func read<Value>(_ body: (InjectionTable) -> Value?) -> Value? {
    guard isUsed.load(ordering: .acquiring) else { return nil }
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
    isUsed.store(true, ordering: .releasing)
    withExtendedLifetime(old) {}
  }
}
