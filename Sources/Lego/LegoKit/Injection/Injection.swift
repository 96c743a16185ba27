public import Synchronization

/// Looks up and replaces services and bricks.
@usableFromInline enum Injection {
  private static let taskScope = TaskLocal<InjectionScope?>(wrappedValue: nil)
  /// A Boolean value that indicates whether this process has ever overridden or replaced a value.
  ///
  /// While it is `false`, a lookup returns the default immediately.
  @usableFromInline static let isUsed = Atomic(false)
  /// The process-wide replacements.
  private static let process = Mutex(InjectionTable())
  /// Receives the values that a closure sets through `Contractors` or `Bricks` to create overrides.
  @TaskLocal private static var collector: InjectionCollector?

  /// The current overrides.
  static var scope: InjectionScope? { taskScope.get() }

  /// Returns the overrides of a store merged with the current overrides, which take precedence.
  @usableFromInline static func scope(over base: InjectionScope?) -> InjectionScope? {
    guard let scope else { return base }
    guard let base, base !== scope, base !== scope.base else { return scope }
    return InjectionScope(
      base.table.merging(scope.table), onMissing: scope.onMissing ?? base.onMissing, over: base)
  }

  /// Runs an operation with the given overrides in effect, or with none if `scope` is `nil`.
  @inlinable static func within<Result>(_ scope: InjectionScope?, _ operation: () -> Result)
    -> Result
  {
    isUsed.load(ordering: .acquiring) ? withScope(scope, operation) : operation()
  }

  @usableFromInline static func withScope<Result>(
    _ scope: InjectionScope?, _ operation: () -> Result
  ) -> Result {
    self.scope === scope ? operation() : taskScope.withValue(scope, operation: operation)
  }

  /// Runs an operation with the given overrides in effect, or with none if `scope` is `nil`.
  static func with<Result>(_ scope: InjectionScope?, _ operation: () throws -> Result) rethrows
    -> Result
  {
    try taskScope.withValue(scope, operation: operation)
  }

  /// Runs an async operation with the given overrides in effect, or with none if `scope` is `nil`.
  static func with<Result>(
    _ scope: InjectionScope?, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await taskScope.withValue(scope, operation: operation)
  }

  // MARK: - Looking up

  static func contractor<S: Service>(_ key: S.Type) -> S.Value {
    guard isUsed.load(ordering: .acquiring) else { return key.contractor }
    let scope = scope
    if let value: S.Value = scope?.table.value(for: key) { return value }
    if let onMissing = scope?.onMissing {
      if let value = key.testContractor { return value }
      onMissing(String(describing: key))
    }
    return processWideValue(for: key) ?? key.contractor
  }

  static func brick<B: Blueprint>(_ key: B.Type) -> B.Value {
    guard isUsed.load(ordering: .acquiring) else { return key.brick }
    return scope?.table.value(for: key) ?? processWideValue(for: key) ?? key.brick
  }

  private static func processWideValue<Value: Sendable>(for key: Any.Type) -> Value? {
    // A cast may run arbitrary code, so it is done outside the lock.
    process.withLock { $0 }.value(for: key)
  }

  // MARK: - Replacing

  /// Replaces the value of a service or a brick.
  ///
  /// While overrides are being created, the new value becomes one of them. Otherwise, it applies to
  /// the whole process.
  static func set<Value: Sendable>(_ value: Value, for key: Any.Type) {
    if let collector { return collector.table.withLock { $0.set(value, for: key) } }
    // Keep the old table, so that its values are freed outside the lock.
    let old = process.withLock { table in
      let old = table
      table.set(value, for: key)
      return old
    }
    isUsed.store(true, ordering: .releasing)
    withExtendedLifetime(old) {}
  }

  /// Returns the current overrides together with those that a closure sets.
  static func scope<View>(updatedBy update: (inout View) -> Void, from view: View)
    -> InjectionScope
  {
    let collector = InjectionCollector(scope?.table ?? InjectionTable())
    var view = view
    $collector.withValue(collector) { update(&view) }
    return InjectionScope(collector.table.withLock { $0 }, onMissing: scope?.onMissing)
  }

  /// Returns the current overrides together with a clock.
  static func scope(with clock: any Clock<Duration>) -> InjectionScope {
    scope(updatedBy: { $0.clock = clock }, from: Contractors())
  }
}

/// The overrides of a task and its child tasks.
@usableFromInline final class InjectionScope: Sendable {
  let table: InjectionTable
  /// Receives the name of a service that a test uses but does not provide.
  ///
  /// It is `nil` outside tests.
  let onMissing: (@Sendable (String) -> Void)?
  /// The overrides that these already include, so that they are not merged again.
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
}

/// Maps the types of services and blueprints to the values that replace their defaults.
struct InjectionTable: Sendable {
  /// A value together with its static type, which may be an existential type.
  private struct Box<Value: Sendable>: Sendable {
    let value: Value
  }

  private var boxes: [ObjectIdentifier: any Sendable] = [:]

  init() {}

  func value<Value: Sendable>(for key: Any.Type) -> Value? {
    (boxes[ObjectIdentifier(key)] as? Box<Value>)?.value
  }

  mutating func set<Value: Sendable>(_ value: Value, for key: Any.Type) {
    boxes[ObjectIdentifier(key)] = Box(value: value)
  }

  /// Returns these values merged with others, which take precedence.
  func merging(_ other: InjectionTable) -> InjectionTable {
    var merged = self
    merged.boxes.merge(other.boxes) { $1 }
    return merged
  }
}

/// Collects the values that a closure sets to create overrides.
private final class InjectionCollector: Sendable {
  let table: Mutex<InjectionTable>

  init(_ table: InjectionTable) {
    self.table = Mutex(table)
  }
}
