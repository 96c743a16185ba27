/// The overrides of one task and its children.
final class InjectionScope: Sendable {
  let table: InjectionTable

  init(_ table: InjectionTable) {
    self.table = table
  }
}
