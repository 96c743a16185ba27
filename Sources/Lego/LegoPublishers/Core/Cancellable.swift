internal import Synchronization

/// An activity that can be stopped before its end.
public protocol Cancellable: Sendable {
  /// Stops the activity and frees its resources; a second call does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this activity running as long as the collection contains it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps this activity running as long as the set contains it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

/// A token that cancels its activity on demand, or when it is freed.
///
/// The activity is cancelled exactly once, even by several callers.
public final class AnyCancellable: Cancellable, Hashable {
  private enum Work: Sendable {
    case closure(@Sendable () -> Void)
    case cancellable(any Cancellable)
    case done
  }

  private let work: Mutex<Work>

  /// Creates a token that cancels by running a closure.
  public init(_ cancel: @escaping @Sendable () -> Void) { work = Mutex(.closure(cancel)) }

  /// Creates a token that cancels another activity.
  public init<C: Cancellable>(_ canceller: C) {
    work = Mutex(.cancellable(canceller))
  }

  /// Creates a token of an activity that has ended.
  @usableFromInline init() { work = Mutex(.done) }

  deinit { cancel() }

  /// Cancels the activity; a second call does nothing.
  public func cancel() {
    let taken = work.withLock { work in
      defer { work = .done }
      return work
    }
    switch taken {
    case .closure(let body): body()
    case .cancellable(let other): other.cancel()
    case .done: break
    }
  }

  /// Stores this token in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this token in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Returns whether both are the same token.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
