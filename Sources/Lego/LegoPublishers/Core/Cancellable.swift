internal import Synchronization

/// An activity that can be cancelled.
public protocol Cancellable: Sendable {
  /// Cancels the activity and frees its resources.
  ///
  /// Calling this method again has no effect.
  func cancel()
}

extension Cancellable {
  /// Stores a token for this activity in the given collection.
  ///
  /// The activity is cancelled when the token is deallocated.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Stores a token for this activity in the given set.
  ///
  /// The activity is cancelled when the token is deallocated.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

/// A token that cancels an activity when you call `cancel()`, or when the token is deallocated.
///
/// The activity is cancelled only once, even if several threads call `cancel()`.
public final class AnyCancellable: Cancellable, Hashable {
  private enum Work: Sendable {
    case closure(@Sendable () -> Void)
    case cancellable(any Cancellable)
    case done
  }

  private let work: Mutex<Work>

  /// Creates a token that runs the given closure when the token is cancelled or deallocated.
  public init(_ cancel: @escaping @Sendable () -> Void) { work = Mutex(.closure(cancel)) }

  /// Creates a token that cancels the given activity.
  public init<C: Cancellable>(_ canceller: C) {
    work = Mutex(.cancellable(canceller))
  }

  /// Creates a token for an activity that has already ended.
  @usableFromInline init() { work = Mutex(.done) }

  deinit { cancel() }

  /// Cancels the activity.
  ///
  /// Calling this method again has no effect.
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

  /// Stores this token in the given collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this token in the given set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Returns whether two tokens are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
