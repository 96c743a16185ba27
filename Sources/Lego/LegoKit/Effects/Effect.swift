/// A value that describes the work to do in response to a change.
///
/// An effect does nothing until a store runs it. It may then send further changes to the store.
public struct Effect<Change: Equatable & Sendable>: Sendable {
  @usableFromInline enum Operation: Sendable {
    case none
    case send(Change)
    case publisher(AnyPublisher<Change, Never>)
    case run(TaskOptions, @Sendable (Send<Change>) async -> Void)
    case cancel(EffectID)
    /// Cancels the effects of all parts at a place, or only those of the part with the given ID.
    case cancelParts(any AnyKeyPath & Sendable, id: AnySendableHashable?)
    case merge([Effect])
    case concatenate([Effect])
    indirect case identified(EffectID, EffectPolicy, Effect)
    /// Starts an effect outside the innermost span, so that it may outlast the span.
    indirect case detached(Effect)
    /// Runs an effect that belongs to a part.
    indirect case part(PartPath.Step, Effect)
  }

  @usableFromInline let operation: Operation

  @inlinable init(_ operation: Operation) {
    self.operation = operation
  }

  /// A Boolean value that indicates whether the effect does nothing.
  @inlinable var isNone: Bool {
    if case .none = operation { true } else { false }
  }

  /// An effect that does nothing.
  @inlinable public static var none: Effect { Effect(.none) }

  /// Returns an effect that sends a change when it starts.
  @inlinable public static func send(_ change: Change) -> Effect { Effect(.send(change)) }

  /// Returns an effect that sends the values of a publisher until it completes.
  public static func publisher(_ publisher: some Publisher<Change, Never>) -> Effect {
    // If the only value is already available, no subscription is needed.
    let publisher =
      publisher as? AnyPublisher<Change, Never>
      ?? (publisher as? Future<Change, Never>)?.eraseToAnyPublisher()
      ?? (publisher as? Just<Change>)?.eraseToAnyPublisher() ?? AnyPublisher(publisher)
    if let change = publisher.readyValue { return .send(change) }
    return publisher.isKnownEmpty ? .none : Effect(.publisher(publisher))
  }

  /// Returns an effect that runs an async closure, which may send any number of changes.
  ///
  /// The closure runs in its own task. Cancelling the effect cancels the task.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - name: The name of the task, for debuggers and traces.
  ///   - executor: The executor of the task, or `nil` for the global concurrent executor.
  ///   - operation: The closure, which receives a function that sends changes.
  /// - Returns: The effect.
  @inlinable public static func run(
    priority: TaskPriority? = nil, name: String? = nil, executor: (any TaskExecutor)? = nil,
    _ operation: @escaping @Sendable (Send<Change>) async -> Void
  ) -> Effect {
    Effect(.run(TaskOptions(priority: priority, name: name, executor: executor), operation))
  }

  /// Returns an effect that sends the elements of an async sequence as changes.
  ///
  /// The effect ends when the sequence ends or throws an error. The error is ignored.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - transform: Converts an element into a change.
  /// - Returns: The effect.
  public static func sequence<S: AsyncSequence & Sendable>(
    _ sequence: S, _ transform: @escaping @Sendable (S.Element) -> Change
  ) -> Effect where S.Element: Sendable {
    .run { send in
      do {
        for try await element in sequence { send(transform(element)) }
      } catch {
        // An error ends the effect. Callers that need the error convert it into an element.
      }
    }
  }

  // MARK: - Combining

  /// Returns an effect that starts several effects in order, without waiting for any of them to
  /// end.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// Returns an effect that starts several effects in order, without waiting for any of them to
  /// end.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    combine(effects, Operation.merge)
  }

  /// Returns an effect that runs several effects one after another.
  public static func concatenate(_ effects: Effect...) -> Effect { concatenate(effects) }

  /// Returns an effect that runs several effects one after another.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    combine(effects, Operation.concatenate)
  }

  private static func combine(
    _ effects: some Sequence<Effect>, _ make: ([Effect]) -> Operation
  ) -> Effect {
    let effects = effects.filter { !$0.isNone }
    return effects.count < 2 ? effects.first ?? .none : Effect(make(effects))
  }

  /// Returns an effect that does the same work, but sends changes of a different type.
  ///
  /// Its IDs, policies, task options and timing are those of this effect.
  ///
  /// - Parameter transform: Converts a change. It may be called on any thread.
  /// - Returns: The effect.
  public func map<Other: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Change) -> Other
  ) -> Effect<Other> {
    switch operation {
    case .none: .none
    case .send(let change): .send(transform(change))
    case .publisher(let publisher): .publisher(publisher.map(transform))
    case .run(let options, let operation):
      Effect<Other>(.run(options) { send in await operation(Send { send(transform($0)) }) })
    case .cancel(let id): Effect<Other>(.cancel(id))
    case .cancelParts(let place, let id): Effect<Other>(.cancelParts(place, id: id))
    case .merge(let effects): Effect<Other>(.merge(effects.map { $0.map(transform) }))
    case .concatenate(let effects): Effect<Other>(.concatenate(effects.map { $0.map(transform) }))
    case .identified(let id, let policy, let effect):
      Effect<Other>(.identified(id, policy, effect.map(transform)))
    case .detached(let effect): Effect<Other>(.detached(effect.map(transform)))
    case .part(let step, let effect): Effect<Other>(.part(step, effect.map(transform)))
    }
  }

  // MARK: - IDs

  /// Returns an effect that cancels all effects with the given ID.
  ///
  /// This includes effects that are waiting for their turn, and the rest of a concatenation with
  /// the ID. Changes that these effects send later are ignored. In an adaptor of a part, only
  /// effects of the same part are cancelled. The ID can be reused.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Returns an effect that cancels all effects of a part, or of all parts in a collection.
  ///
  /// - Parameter place: The key path of the part or the collection, relative to the design of the
  ///   adaptor that returns this effect.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable
  ) -> Effect {
    Effect(.cancelParts(place, id: nil))
  }

  /// Returns an effect that cancels all effects of one part in a collection.
  ///
  /// - Parameters:
  ///   - place: The key path of the collection, relative to the design of the adaptor that returns
  ///     this effect.
  ///   - id: The ID of the part, or its key in a dictionary.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable, id: some Hashable & Sendable
  ) -> Effect {
    Effect(.cancelParts(place, id: AnySendableHashable(id)))
  }

  /// Returns this effect with an ID, by which it can be cancelled, and a policy.
  ///
  /// The policy applies if effects with the same ID are running when this effect starts. IDs of
  /// different types are never equal: `Int32(1)` and `1` are different IDs.
  public func id(_ id: some Hashable & Sendable, policy: EffectPolicy = .all) -> Effect {
    identified(EffectID(id), policy)
  }

  func identified(_ id: EffectID, _ policy: EffectPolicy) -> Effect {
    isNone ? self : Effect(.identified(id, policy, self))
  }

  /// Returns a copy of this effect that belongs to a part.
  ///
  /// The copy is cancelled when the part is removed, and its IDs belong to the part.
  func part(_ step: PartPath.Step) -> Effect {
    isNone ? self : Effect(.part(step, self))
  }
}

/// The options of an effect's task.
@usableFromInline struct TaskOptions: Sendable {
  @usableFromInline let priority: TaskPriority?
  @usableFromInline let name: String?
  @usableFromInline let executor: (any TaskExecutor)?

  @inlinable init(priority: TaskPriority?, name: String?, executor: (any TaskExecutor)?) {
    self.priority = priority
    self.name = name
    self.executor = executor
  }
}

/// A function that sends changes from a running effect to its store.
///
/// Changes that are sent after the effect was cancelled or has ended are ignored.
public struct Send<Change: Equatable & Sendable>: Sendable {
  @usableFromInline let body: @Sendable (Change) -> Void

  /// Creates a sender from a closure, for running an effect's operation without a store.
  @inlinable public init(_ body: @escaping @Sendable (Change) -> Void) {
    self.body = body
  }

  /// Sends a change.
  ///
  /// When the call returns, the change has been applied, unless it was ignored.
  @inlinable public func callAsFunction(_ change: Change) {
    body(change)
  }
}

extension Publisher where Failure == Never, Output: Equatable {
  /// Returns an effect that sends the values of this publisher until it completes.
  public func eraseToEffect() -> Effect<Output> { .publisher(self) }
}
