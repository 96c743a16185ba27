/// A part of a value that all copies of the value share.
///
/// Copying it only retains a reference.
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
  /// Parts with the same storage are equal, so their values need no comparison.
  @usableFromInline static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage || one.value == other.value
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
