/// A part of a value that copies of the whole share: to copy it counts one reference.
@usableFromInline
struct Shared<Value: Hashable & Sendable>: Sendable {
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let value: Value

    @usableFromInline init(_ value: Value) { self.value = value }
  }

  @usableFromInline let storage: Storage

  @inlinable init(_ value: Value) { storage = Storage(value) }

  @inlinable var value: Value { storage.value }
}

extension Shared: Hashable {
  /// The same part is known to be equal without a look at it.
  @usableFromInline static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage || one.value == other.value
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
