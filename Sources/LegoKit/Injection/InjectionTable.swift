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
