/// The overrides of one task and its children.
@usableFromInline final class InjectionScope: Sendable {
  let table: InjectionTable

  init(_ table: InjectionTable) {
    self.table = table
  }

  /// These overrides, and over them others.
  func merging(_ other: InjectionScope) -> InjectionScope {
    InjectionScope(table.merging(other.table))
  }
}
