public import Synchronization

/// How services and bricks are looked up and replaced.
@usableFromInline enum Injection {
  @usableFromInline static let taskScope = TaskLocal<InjectionScope>(wrappedValue: .none)
  /// Whether anything was ever replaced in this process; else a look-up is one comparison.
  @usableFromInline static let isUsed = Atomic(false)
  @TaskLocal static var collector: InjectionCollector?

  /// The overrides in force here.
  static var scope: InjectionScope? {
    let scope = taskScope.get()
    return scope === InjectionScope.none ? nil : scope
  }

  /// The overrides in force here, over those of a store.
  @usableFromInline static func scope(over base: InjectionScope?) -> InjectionScope? {
    guard let scope else { return base }
    guard let base, base !== scope, base !== scope.base else { return scope }
    return base.merging(scope)
  }

  /// Runs an operation with other overrides in force, or with none; it costs little when they are
  /// in force already.
  @inlinable static func within<Result>(_ scope: InjectionScope?, _ operation: () -> Result)
    -> Result
  {
    guard isUsed.load(ordering: .acquiring) else { return operation() }
    return withChecked(scope, operation)
  }

  @inlinable static func withChecked<Result>(_ scope: InjectionScope?, _ operation: () -> Result)
    -> Result
  {
    let wanted = scope ?? InjectionScope.none
    if taskScope.get() === wanted { return operation() }
    return taskScope.withValue(wanted, operation: operation)
  }

  /// Runs an operation with other overrides in force, or with none.
  static func with<Result>(_ scope: InjectionScope?, _ operation: () throws -> Result) rethrows
    -> Result
  {
    try taskScope.withValue(scope ?? .none, operation: operation)
  }

  /// Runs an async operation with other overrides in force, or with none.
  static func with<Result>(
    _ scope: InjectionScope?, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await taskScope.withValue(scope ?? .none, operation: operation)
  }

  @inlinable static func contractor<S: Service>(_ key: S.Type) -> S.Value {
    guard isUsed.load(ordering: .acquiring) else { return key.contractor }
    let scope = taskScope.get()
    if let value = scope.table.contractor(key) { return value }
    if let onMissing = scope.onMissing {
      if let value = key.testContractor { return value }
      report(onMissing, about: key)
    }
    return processWide(key) ?? key.contractor
  }

  @inlinable static func brick<B: Blueprint>(_ key: B.Type) -> B.Value {
    guard isUsed.load(ordering: .acquiring) else { return key.brick }
    if let value = taskScope.get().table.brick(key) { return value }
    return processWide(brick: key) ?? key.brick
  }

  /// Names a service that a test did not provide.
  @usableFromInline static func report(
    _ onMissing: @Sendable (String) -> Void, about key: any Service.Type
  ) {
    onMissing(String(describing: key))
  }

  @usableFromInline static func processWide<S: Service>(_ key: S.Type) -> S.Value? {
    InjectionProcess.shared.read { $0.contractor(key) }
  }

  @usableFromInline static func processWide<B: Blueprint>(brick key: B.Type) -> B.Value? {
    InjectionProcess.shared.read { $0.brick(key) }
  }

  static func setContractor<S: Service>(_ value: S.Value, for key: S.Type) {
    write { $0.setContractor(value, for: key) }
  }

  static func setBrick<B: Blueprint>(_ value: B.Value, for key: B.Type) {
    write { $0.setBrick(value, for: key) }
  }

  /// The scope of a task whose overrides are set through a view of them.
  static func scope<View>(updatedBy update: (inout View) -> Void, from view: View)
    -> InjectionScope
  {
    let collector = InjectionCollector(scope?.table ?? InjectionTable())
    var view = view
    $collector.withValue(collector) { update(&view) }
    return InjectionScope(collector.table, onMissing: scope?.onMissing)
  }

  /// The overrides in force here, with a clock.
  static func scope(with clock: any Clock<Duration>) -> InjectionScope {
    scope(updatedBy: { $0.clock = clock }, from: Contractors())
  }

  private static func write(_ body: (inout InjectionTable) -> Void) {
    if let collector { collector.write(body) } else { InjectionProcess.shared.write(body) }
  }
}
