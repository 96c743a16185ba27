internal import Synchronization

/// The adaptors of a feature that is made when it is first needed, as one.
@usableFromInline final class DeferredAdaptor<B: Blueprint>: Adaptor<B> {
  private let adaptors: DeferredAdaptors<B>

  @usableFromInline init(_ feature: DeferredFeature<B>) {
    adaptors = DeferredAdaptors(feature)
  }

  override func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    answer(from: nil, to: design, on: change)
  }

  override func answer(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    let made = adaptors.made
    return .merge(
      (0..<made.shelf.count).map { index in
        let (publisher, effect) = made.shelf.answer(index, before, after, change)
        return .merged(publisher, effect)
      })
  }

  override func closing(_ design: B.Design) -> Effect<B.Change> {
    .merge(adaptors.made.shelf.closing(design))
  }

  /// What the adaptors want is not known before they are made.
  override var comparesDesigns: Bool { true }

  override var follows: [Follow<B>] {
    [
      Follow(id: .unique()) { [adaptors] in
        let looks = Mutex<[Follow<B>.Look]?>(nil)
        return { design in
          let begun = looks.withLock { $0 } ?? adaptors.made.follows.map { $0.begin() }
          looks.withLock { $0 = begun }
          let due = begun.compactMap { $0(design) }
          return due.isEmpty ? nil : .merge(due)
        }
      }
    ]
  }

  override var places: [PartPlace<B.Design>] {
    [PartPlace { [adaptors] way in adaptors.made.places.test(of: way) }]
  }
}

/// Adaptors that are made when they are first needed.
private final class DeferredAdaptors<B: Blueprint>: Sendable {
  /// The adaptors, and what they say of themselves.
  final class Made: Sendable {
    let shelf: AdaptorShelf<B>
    let follows: [Follow<B>]
    let places: [PartPlace<B.Design>]

    init(_ adaptors: sending [Adaptor<B>]) {
      var follows: [Follow<B>] = []
      var places: [PartPlace<B.Design>] = []
      var answering = 0
      for adaptor in adaptors {
        if adaptor.answersChanges { answering += 1 }
        follows += adaptor.follows
        places += adaptor.places
      }
      self.follows = follows
      self.places = places
      if answering < adaptors.count {
        Contractors().problemSink.write(
          "\(B.self): an adaptor that answers no change is one of a feature that is made when it is "
            + "first needed, and does nothing")
      }
      shelf = AdaptorShelf(adaptors, answering: answering)
    }
  }

  private let feature: DeferredFeature<B>
  private let kept = Mutex<Made?>(nil)

  init(_ feature: DeferredFeature<B>) {
    self.feature = feature
  }

  var made: Made {
    if let made = kept.withLock({ $0 }) { return made }
    // They are made outside the lock; of those that are made at once, the first stay.
    let made = Made(feature.content.makeAdaptors())
    return kept.withLock { kept in
      let first = kept ?? made
      kept = first
      return first
    }
  }
}
