internal import Synchronization

/// Where the setters of `Contractors` and `Bricks` write while overrides are being described.
final class InjectionCollector: Sendable {
  private let storage: Mutex<InjectionTable>

  init(_ table: InjectionTable) {
    storage = Mutex(table)
  }

  var table: InjectionTable { storage.withLock { $0 } }

  func write(_ body: (inout InjectionTable) -> Void) {
    storage.withLock { body(&$0) }
  }
}
