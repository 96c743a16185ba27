internal import Synchronization

/// The overrides of one task and its children.
@usableFromInline final class InjectionScope: Sendable {
  @usableFromInline let table: InjectionTable
  /// Told the name of a service that a test did not provide; `nil` outside tests.
  @usableFromInline let onMissing: (@Sendable (String) -> Void)?

  /// The scope of a task without overrides.
  ///
  /// An optional scope would be copied by a longer way at each read.
  @usableFromInline static let none = InjectionScope()

  /// The overrides that these were put over, so that it is not done again.
  weak let base: InjectionScope?

  init(
    _ table: InjectionTable, onMissing: (@Sendable (String) -> Void)? = nil,
    over base: InjectionScope? = nil
  ) {
    self.table = table
    self.onMissing = onMissing
    self.base = base
    Injection.isUsed.store(true, ordering: .releasing)
  }

  private init() {
    table = InjectionTable()
    onMissing = nil
    base = nil
  }

  /// These overrides, and over them others.
  func merging(_ other: InjectionScope) -> InjectionScope {
    InjectionScope(
      table.merging(other.table), onMissing: other.onMissing ?? onMissing, over: self)
  }
}
