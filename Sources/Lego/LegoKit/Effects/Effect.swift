/// Work that an adaptor asks for, as a value.
///
/// An effect does nothing until a store runs it.
public struct Effect<Change: Equatable & Sendable>: Sendable {
  @usableFromInline enum Operation: Sendable {
    case none
    case send(Change)
    case publisher(AnyPublisher<Change, Never>)
    case run(TaskOptions, @Sendable (Send<Change>) async -> Void)
    case cancel(EffectID)
    /// Cancels the effects of the parts at a place, or of one of them.
    case cancelParts(any AnyKeyPath & Sendable, id: AnySendableHashable?)
    case merge([Effect])
    case concatenate([Effect])
    indirect case identified(EffectID, EffectPolicy, Effect)
    /// Starts an effect outside the innermost ID, which it may outlast, and continues at once.
    indirect case detached(Effect)
    /// An effect of a part.
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

  /// Sends a change at once.
  @inlinable public static func send(_ change: Change) -> Effect { Effect(.send(change)) }

  /// Sends the values of a publisher, until it ends.
  public static func publisher(_ publisher: some Publisher<Change, Never>) -> Effect {
    // If the only value is available already, no subscription is needed.
    let publisher =
      publisher as? AnyPublisher<Change, Never>
      ?? (publisher as? Future<Change, Never>)?.eraseToAnyPublisher()
      ?? (publisher as? Just<Change>)?.eraseToAnyPublisher() ?? AnyPublisher(publisher)
    if let change = publisher.readyValue { return .send(change) }
    return publisher.isKnownEmpty ? .none : Effect(.publisher(publisher))
  }

  /// Runs an async closure, which may send any number of changes.
  ///
  /// The closure does not run on the caller's thread. Cancelling the effect cancels its task.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - name: The name of the task, for debuggers and traces.
  ///   - executor: The executor of the task, or `nil` for the system's pool of threads.
  ///   - operation: The closure.
  /// - Returns: The effect.
  @inlinable public static func run(
    priority: TaskPriority? = nil, name: String? = nil, executor: (any TaskExecutor)? = nil,
    _ operation: @escaping @Sendable (Send<Change>) async -> Void
  ) -> Effect {
    Effect(.run(TaskOptions(priority: priority, name: name, executor: executor), operation))
  }

  /// Sends the elements of an async sequence as changes, until it ends or fails.
  public static func sequence<S: AsyncSequence & Sendable>(
    _ sequence: S, _ transform: @escaping @Sendable (S.Element) -> Change
  ) -> Effect where S.Element: Sendable {
    .run { send in
      do {
        for try await element in sequence { send(transform(element)) }
      } catch {
        // A failed sequence has ended. To handle the error, map it to an element.
      }
    }
  }

  // MARK: - Combining

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

  /// Converts the effect's changes into changes of another type.
  ///
  /// Order, IDs, policies, priorities and times stay the same, and so does what
  /// ``Build/finished()`` waits for.
  ///
  /// - Parameter transform: Converts a change. It is called on any thread.
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

  /// Cancels every effect with this ID, whether it is running, waiting or still to follow.
  ///
  /// Afterwards, no change of these effects is applied any more. The ID may be used again.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Cancels every effect of the parts at a place: of one part, or of all parts of a collection.
  ///
  /// - Parameter place: The place in the design of the adaptor that returns this effect.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable
  ) -> Effect {
    Effect(.cancelParts(place, id: nil))
  }

  /// Cancels every effect of one part of a collection.
  ///
  /// - Parameters:
  ///   - place: The collection in the design of the adaptor that returns this effect.
  ///   - id: The ID of the part, or its key in a dictionary.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable, id: some Hashable & Sendable
  ) -> Effect {
    Effect(.cancelParts(place, id: AnySendableHashable(id)))
  }

  /// Gives the effect an ID, by which it can be cancelled, and a policy for others of that ID.
  ///
  /// An ID is a value with its type: `Int32(1)` and `1` are different IDs.
  public func id(_ id: some Hashable & Sendable, policy: EffectPolicy = .all) -> Effect {
    identified(EffectID(id), policy)
  }

  func identified(_ id: EffectID, _ policy: EffectPolicy) -> Effect {
    isNone ? self : Effect(.identified(id, policy, self))
  }

  /// Makes the effect one of a part.
  ///
  /// It ends with the part, and its IDs belong to the part.
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

/// Sends changes from a running effect to its store.
///
/// Changes that are sent after the effect was cancelled, or after it has ended, are ignored.
public struct Send<Change: Equatable & Sendable>: Sendable {
  @usableFromInline let body: @Sendable (Change) -> Void

  /// Creates a sender from a closure, to run an effect by hand.
  @inlinable public init(_ body: @escaping @Sendable (Change) -> Void) {
    self.body = body
  }

  /// Sends a change.
  ///
  /// When the call returns, the change is applied.
  @inlinable public func callAsFunction(_ change: Change) {
    body(change)
  }
}

extension Publisher where Failure == Never, Output: Equatable {
  /// An effect that sends the values of this publisher.
  public func eraseToEffect() -> Effect<Output> { .publisher(self) }
}
