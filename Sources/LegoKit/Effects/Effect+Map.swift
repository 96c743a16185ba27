extension Effect {
  /// The same effect, whose changes are turned into others.
  ///
  /// Order, ids, policies, priorities and times stay what they are, and so does what
  /// ``Build/finished()`` waits for.
  ///
  /// - Parameter transform: Makes a change of another type; it is called on any thread.
  /// - Returns: The effect.
  @inlinable public func map<Other: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Change) -> Other
  ) -> Effect<Other> {
    switch operation {
    case .none: .none
    case .send(let change): .send(transform(change))
    case .publisher(let publisher): Self.map(publisher, transform)
    case .task(let operation):
      .run { send in await operation(Send { send(transform($0)) }) }
    case .run(let priority, let name, let executor, let operation):
      .run(priority: priority, name: name, executor: executor) { send in
        await operation(Send { send(transform($0)) })
      }
    case .cancel(let id): Effect<Other>(.cancel(id))
    case .cancelPart(let part): Effect<Other>(.cancelPart(part))
    case .merge(let effects): Effect<Other>(.merge(effects.map { $0.map(transform) }))
    case .concatenate(let effects): Effect<Other>(.concatenate(effects.map { $0.map(transform) }))
    case .identified(let id, let policy, let effect):
      Effect<Other>(.identified(id, policy, effect.map(transform)))
    case .spawn(let effect): Effect<Other>(.spawn(effect.map(transform)))
    case .part(let step, let effect): Effect<Other>(.part(step, effect.map(transform)))
    }
  }

  /// A publisher that has its only change ready, or none, stays as cheap as it is.
  @inlinable static func map<Other: Equatable & Sendable>(
    _ publisher: AnyPublisher<Change, Never>, _ transform: @escaping @Sendable (Change) -> Other
  ) -> Effect<Other> {
    if let change = publisher.readyValue { return .send(transform(change)) }
    if publisher.isKnownEmpty { return Effect<Other>(.publisher(.empty)) }
    return .publisher(publisher.map(transform))
  }
}
