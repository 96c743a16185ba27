import LegoKit

/// A service that has its answer ready, as an adaptor meets it: behind a protocol.
protocol Asking: Sendable {
  func answer() -> Future<Count.Change, Never>
}

/// The service.
struct Asked: Asking {
  @inline(never) func answer() -> Future<Count.Change, Never> {
    Future { $0(.success(.add(1))) }
  }
}
