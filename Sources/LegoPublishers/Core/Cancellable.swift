internal import Synchronization

/// Something that can be stopped before it has ended on its own.
public protocol Cancellable: Sendable {
  /// Stops the activity and frees what it holds; a second call does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this activity running for as long as the collection holds it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps this activity running for as long as the set holds it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

/// A token that cancels its activity when told to, or else when it is freed.
///
/// The activity is cancelled exactly once, by the first of several callers.
public final class AnyCancellable: Cancellable, Hashable {
  enum Work: Sendable {
    case closure(@Sendable () -> Void)
    case cancellable(any Cancellable)
    case done
  }

  let work: Mutex<Work>

  /// Creates a token that runs the closure to cancel.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    work = Mutex(.closure(cancel))
  }

  /// Creates a token that cancels another activity.
  public init<C: Cancellable>(_ canceller: C) {
    work = Mutex(.cancellable(canceller))
  }

  /// Creates a token of something that has ended already.
  @usableFromInline init() {
    work = Mutex(.done)
  }

  deinit {
    cancel()
  }

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

  /// Keeps this token in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this token in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Tells whether both are the same token.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  /// Hashes the token's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
