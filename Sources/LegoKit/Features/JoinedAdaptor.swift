/// An adaptor of a part, as one of the whole.
@usableFromInline
final class JoinedAdaptor<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>:
  Adaptor<Whole>
{
  @usableFromInline typealias Respond =
    (Whole.Design?, Whole.Design, Whole.Change) -> Effect<Whole.Change>

  private let adaptor: Adaptor<Part>
  private let joint: Joint<Whole, Part, Key>
  /// Answers a change; a closure, since a method of a generic class is compiled for any type alone.
  private let respond: Respond

  @usableFromInline init(
    _ adaptor: Adaptor<Part>, _ joint: Joint<Whole, Part, Key>, respond: @escaping Respond
  ) {
    self.adaptor = adaptor
    self.joint = joint
    self.respond = respond
  }

  override func effect(
    _ design: Whole.Design, on change: Whole.Change
  ) -> Effect<Whole.Change> {
    respond(nil, design, change)
  }

  override func answer(
    from before: Whole.Design?, to after: Whole.Design, on change: Whole.Change
  ) -> Effect<Whole.Change> {
    respond(before, after, change)
  }

  override func closing(_ design: Whole.Design) -> Effect<Whole.Change> {
    .merge(joint.all(design).map { joint.embed(adaptor.closing($1), of: $0) })
  }

  /// Where the part stands, when it is always there and can be written.
  private var place: WritableKeyPath<Whole.Design, Part.Design>? {
    joint.canGo ? nil : joint.place as? WritableKeyPath<Whole.Design, Part.Design>
  }

  override func opening(_ design: inout Whole.Design) {
    guard let place else { return }
    adaptor.opening(&design[keyPath: place])
  }

  override func opened() -> (@Sendable (StoreLink<Whole>) -> Void)? {
    guard place != nil, let key = Single() as? Key else {
      if adaptor.answersChanges { return nil }
      return { _ in
        Contractors().problemSink.write(
          "\(Whole.self): an adaptor that answers no change is one of a part that may go, or that "
            + "cannot be written, and does nothing")
      }
    }
    guard let open = adaptor.opened() else { return nil }
    return { [joint] whole in
      open(
        StoreLink(
          read: { whole.design.flatMap { joint.read($0, key) } },
          deliver: { whole.deliver(joint.embed(key, $0)) },
          wait: whole.wait))
    }
  }

  override func ended(_ design: Whole.Design) -> (@Sendable () async -> Void)? {
    place.flatMap { adaptor.ended(design[keyPath: $0]) }
  }

  override var answersChanges: Bool { adaptor.answersChanges }

  override var comparesDesigns: Bool {
    adaptor.comparesDesigns || joint.canGo && joint.only != nil
  }

  override var follows: [Follow<Whole>] { adaptor.follows.map { $0.joined(by: joint) } }

  override var places: [PartPlace<Whole.Design>] {
    let inner = adaptor.places
    guard joint.canGo || !inner.isEmpty else { return [] }
    let place = PartPlace<Whole.Design> { [joint] way in
      guard let key = joint.key(of: way.first) else { return nil }
      let own = joint.roster(of: key)
      if way.count == 1 {
        return joint.canGo ? .when(joint.lookup(key).isThere, own.map { [$0] } ?? []) : .always
      }
      guard case .when(let isThere, let rosters) = inner.test(of: way.dropFirst()) else {
        return nil
      }
      let read = joint.lookup(key).read
      var joined = own.map { [$0] } ?? []
      for roster in rosters {
        joined.append(roster.joined(after: joined.isEmpty ? [joint.step(to: key)] : [], read))
      }
      return .when({ read($0).map(isThere) ?? false }, joined)
    }
    return [place]
  }
}

extension Joint {
  /// Makes an adaptor of the part one of the whole.
  @inlinable func join(_ adaptor: Adaptor<Part>) -> JoinedAdaptor<Whole, Part, Key> {
    let comparesDesigns = adaptor.comparesDesigns
    return JoinedAdaptor(adaptor, self) { before, after, change in
      // A change that replaced the part was one of the part before.
      guard let (named, change) = extract(change), let key = named ?? only?(before ?? after),
        let part = read(after, key)
      else { return .none }
      let partBefore = comparesDesigns ? before.flatMap { read($0, key) } : nil
      return embed(adaptor.answers(from: partBefore, to: part, on: change), of: key)
    }
  }

  /// Makes an effect of the part one of the whole.
  @inlinable func embed(_ effect: Effect<Part.Change>, of key: Key) -> Effect<Whole.Change> {
    effect.isNone ? .none : effect.map { [embed] in embed(key, $0) }.part(step(to: key))
  }
}

extension Adaptor {
  /// Both answers to a change as one effect.
  @inlinable func answers(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    .merged(connect(after, on: change), answer(from: before, to: after, on: change))
  }
}

extension Effect {
  /// The two answers of an adaptor as one effect.
  @inlinable static func merged(
    _ publisher: AnyPublisher<Change, Never>, _ effect: Effect
  ) -> Effect {
    if publisher.isKnownEmpty { return effect }
    return .merge(publisher.readyValue.map(Effect.send) ?? .publisher(publisher), effect)
  }
}
