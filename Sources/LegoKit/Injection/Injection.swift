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

/// The values put in the place of services and bricks, by type.
///
/// They are few, so that a walk finds one sooner than a hash does.
@usableFromInline struct InjectionTable: Sendable {
  @usableFromInline struct Entry: Sendable {
    /// The type that the value is found by.
    @usableFromInline let key: ObjectIdentifier
    @usableFromInline let box: any InjectionBoxed
  }

  @usableFromInline var contractors: [Entry] = []
  @usableFromInline var bricks: [Entry] = []

  @inlinable func contractor<S: Service>(_ key: S.Type) -> S.Value? {
    Self.find(S.Value.self, ObjectIdentifier(key), in: contractors)
  }

  @inlinable func brick<B: Blueprint>(_ key: B.Type) -> B.Value? {
    Self.find(B.Value.self, ObjectIdentifier(key), in: bricks)
  }

  @inlinable static func find<Value: Sendable>(
    _ type: Value.Type, _ key: ObjectIdentifier, in entries: [Entry]
  ) -> Value? {
    // By index, because a loop over the entries would retain each.
    for index in entries.indices where entries[index].key == key {
      return (entries[index].box as? InjectionBox<Value>)?.value
    }
    return nil
  }

  mutating func setContractor<S: Service>(_ value: S.Value, for key: S.Type) {
    Self.set(Entry(key: ObjectIdentifier(key), box: InjectionBox(value)), in: &contractors)
  }

  mutating func setBrick<B: Blueprint>(_ value: B.Value, for key: B.Type) {
    Self.set(Entry(key: ObjectIdentifier(key), box: InjectionBox(value)), in: &bricks)
  }

  /// These values, and over them others.
  func merging(_ other: InjectionTable) -> InjectionTable {
    var merged = self
    for entry in other.contractors { Self.set(entry, in: &merged.contractors) }
    for entry in other.bricks { Self.set(entry, in: &merged.bricks) }
    return merged
  }

  private static func set(_ entry: Entry, in entries: inout [Entry]) {
    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }
}

/// A value in an object, which is found faster by its class than a value by its type.
@usableFromInline final class InjectionBox<Value: Sendable>: InjectionBoxed {
  @usableFromInline let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// A box of any value.
@usableFromInline protocol InjectionBoxed: AnyObject, Sendable {}

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
