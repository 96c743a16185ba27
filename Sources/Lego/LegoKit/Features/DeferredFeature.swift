internal import Synchronization

/// A feature that is created on first use.
final class DeferredFeature<B: Blueprint>: Sendable {
  private let make: @Sendable () -> Feature<B>
  private let kept = Mutex<Feature<B>.Content?>(nil)

  init(_ make: @escaping @Sendable () -> Feature<B>) {
    self.make = make
  }

  var content: Feature<B>.Content {
    if let content = kept.withLock({ $0 }) { return content }
    // Create the feature outside the lock. If two threads create it, both use the one stored first.
    let content = make().content
    return kept.withLock { kept in
      let first = kept ?? content
      kept = first
      return first
    }
  }
}

/// Forwards to the adaptors of a feature that is created on first use.
final class DeferredAdaptor<B: Blueprint>: Adaptor<B> {
  /// The feature's adaptors, along with their ``Adaptor/follows``.
  private final class Adaptors: Sendable {
    let list: AdaptorList<B>
    let follows: [Follow<B>]

    init(_ adaptors: sending [Adaptor<B>]) {
      follows = adaptors.flatMap(\.follows)
      if !adaptors.allSatisfy(\.answersChanges) {
        Contractors().problemSink.write(
          "\(B.self): an adaptor that answers no change belongs to a deferred feature, and does "
            + "nothing")
      }
      list = AdaptorList(adaptors)
    }
  }

  private final class Storage: Sendable {
    private let feature: DeferredFeature<B>
    private let kept = Mutex<Adaptors?>(nil)

    init(_ feature: DeferredFeature<B>) {
      self.feature = feature
    }

    var adaptors: Adaptors {
      if let adaptors = kept.withLock({ $0 }) { return adaptors }
      // Create the adaptors outside the lock. If two threads create them, the ones stored first are
      // kept.
      let adaptors = Adaptors(feature.content.makeAdaptors())
      return kept.withLock { kept in
        let first = kept ?? adaptors
        kept = first
        return first
      }
    }
  }

  private let storage: Storage

  init(_ feature: DeferredFeature<B>) {
    storage = Storage(feature)
  }

  /// `true`, because the adaptors, which may compare designs, are created only on first use.
  override var comparesDesigns: Bool { true }

  override func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    comparedEffect(from: nil, to: design, on: change)
  }

  override func comparedEffect(
    from before: B.Design?, to after: B.Design, on change: B.Change
  ) -> Effect<B.Change> {
    .merge(storage.adaptors.list.answers(from: before, to: after, on: change))
  }

  override func closing(_ design: B.Design) -> Effect<B.Change> {
    .merge(storage.adaptors.list.closing(design))
  }

  override var follows: [Follow<B>] {
    [
      Follow(id: .unique()) { [storage] in
        let inspections = Mutex<[Follow<B>.Inspect]?>(nil)
        return { design in
          let begun = inspections.withLock { $0 } ?? storage.adaptors.follows.map { $0.begin() }
          inspections.withLock { $0 = begun }
          let effects = begun.compactMap { $0(design) }
          return effects.isEmpty ? nil : .merge(effects)
        }
      }
    ]
  }
}
