/// What an adaptor wants to happen, as a value.
///
/// An effect does nothing until a store runs it.
public struct Effect<Change: Equatable & Sendable>: Sendable {
  // All but the plainest lie in memory of their own, so that an effect that does nothing, or sends
  // a change, is made and looked at without an allocation.
  @usableFromInline enum Operation: Sendable {
    case none
    case send(Change)
    indirect case publisher(AnyPublisher<Change, Never>)
    /// A task with nothing to say of itself.
    case task(@Sendable (Send<Change>) async -> Void)
    indirect case run(
      TaskPriority?, String?, (any TaskExecutor)?, @Sendable (Send<Change>) async -> Void)
    indirect case cancel(EffectID)
    case merge([Effect])
    case concatenate([Effect])
    indirect case identified(EffectID, EffectPolicy, Effect)
    /// Starts an effect as if it stood outside the innermost id, and goes on at once.
    indirect case spawn(Effect)
    /// An effect of a part.
    indirect case part(PartStep, Effect)
    /// Cancels the effects of parts.
    indirect case cancelPart(PartName)
  }

  @usableFromInline let operation: Operation

  @inlinable init(_ operation: Operation) {
    self.operation = operation
  }

  /// Whether it is known to do nothing.
  @inlinable var isNone: Bool {
    if case .none = operation { true } else { false }
  }

  /// Whether it is a task in the system's pool of threads, so that to start it calls nobody.
  @inlinable var isTask: Bool {
    switch operation {
    case .task, .run(_, _, nil, _): true
    default: false
    }
  }

  /// The only change that it sends, when that is known without starting it.
  @inlinable var readyValue: Change? {
    if case .send(let change) = operation { change } else { nil }
  }

  /// Nothing.
  @inlinable public static var none: Effect { Effect(.none) }

  /// Sends a change at once.
  @inlinable public static func send(_ change: Change) -> Effect { Effect(.send(change)) }

  /// Sends what a publisher sends, until it ends.
  @inlinable public static func publisher(_ publisher: some Publisher<Change, Never>) -> Effect {
    // Those that may have their value ready are asked for it; it need not be subscribed to.
    let publisher =
      publisher as? AnyPublisher<Change, Never>
      ?? (publisher as? Future<Change, Never>)?.eraseToAnyPublisher()
      ?? (publisher as? Just<Change>)?.eraseToAnyPublisher() ?? AnyPublisher(publisher)
    if let change = publisher.readyValue { return .send(change) }
    return Effect(.publisher(publisher))
  }

  /// Runs an async closure, which may send any number of changes.
  ///
  /// The closure runs off the caller's thread. Cancelling the effect cancels its task.
  ///
  /// - Parameters:
  ///   - priority: The priority of its task.
  ///   - name: The name of its task, for debuggers and traces.
  ///   - executor: Where its task runs; `nil` for the system's pool of threads.
  ///   - operation: The closure.
  /// - Returns: The effect.
  @inlinable public static func run(
    priority: TaskPriority? = nil, name: String? = nil, executor: (any TaskExecutor)? = nil,
    _ operation: @escaping @Sendable (Send<Change>) async -> Void
  ) -> Effect {
    if priority == nil, name == nil, executor == nil { return Effect(.task(operation)) }
    return Effect(.run(priority, name, executor, operation))
  }

  /// Sends the elements of an async sequence, turned into changes, until it ends or fails.
  public static func sequence<S: AsyncSequence & Sendable>(
    _ sequence: S, _ transform: @escaping @Sendable (S.Element) -> Change
  ) -> Effect where S.Element: Sendable {
    .run { send in
      do {
        for try await element in sequence { send(transform(element)) }
      } catch {
        // A sequence that fails has ended; who cares about the error maps it before.
      }
    }
  }

  /// Cancels every effect with this id: those that run, wait or are to follow.
  ///
  /// When it is done, nothing of them is applied any more. An id may be used again afterwards.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Starts several effects in order, without waiting for one another.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// Starts several effects in order, without waiting for one another.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    combine(effects, Operation.merge)
  }

  /// Runs several effects one after another.
  public static func concatenate(_ effects: Effect...) -> Effect { concatenate(effects) }

  /// Runs several effects one after another.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    combine(effects, Operation.concatenate)
  }

  private static func combine(
    _ effects: some Sequence<Effect>, _ make: ([Effect]) -> Operation
  ) -> Effect {
    let effects = effects.filter { !$0.isNone }
    return effects.count < 2 ? effects.first ?? .none : Effect(make(effects))
  }

  /// Gives the effect an id, by which it can be cancelled, and a policy for others of that id.
  ///
  /// An id is a value with its type: `Int32(1)` is another id than `1`.
  public func id(_ id: some Hashable & Sendable, policy: EffectPolicy = .all) -> Effect {
    identified(EffectID(id), policy)
  }

  @usableFromInline func identified(_ id: EffectID, _ policy: EffectPolicy) -> Effect {
    isNone ? self : Effect(.identified(id, policy, self))
  }
}

extension Publisher where Failure == Never, Output: Equatable {
  /// An effect that sends what this publisher sends.
  public func eraseToEffect() -> Effect<Output> { .publisher(self) }
}
