import LegoKit

/// A service whose answer is ready, behind a protocol as adaptors usually use it.
protocol Asking: Sendable {
  func answer() -> Future<Count.Change, Never>
}

/// The implementation of the service.
struct Asked: Asking {
  @inline(never) func answer() -> Future<Count.Change, Never> {
    Future { $0(.success(.add(1))) }
  }
}
