/// Sends a change when its store starts, and one when the store is closed.
///
/// As the adaptor of a part it sends the first when the part comes. A part that went gets no changes
/// any more, so what ends with a part is the business of the store around it.
public final class LifecycleAdaptor<B: Blueprint>: Adaptor<B> {
  private let started: B.Change?
  private let stopped: B.Change?
  private let id = EffectID.unique()

  /// Creates an adaptor.
  ///
  /// - Parameters:
  ///   - started: The change at the start; `nil` for none.
  ///   - stopped: The change that ``Lego/close()`` builds, before the effects end; `nil` for none. A
  ///     store that goes away without being closed sends none.
  public init(started: B.Change? = nil, stopped: B.Change? = nil) {
    self.started = started
    self.stopped = stopped
  }

  override public var follows: [Follow<B>] {
    guard let started else { return [] }
    return [Follow(once: id) { .send(started) }]
  }

  override public func closing(_ design: B.Design) -> Effect<B.Change> {
    stopped.map(Effect.send) ?? .none
  }
}
