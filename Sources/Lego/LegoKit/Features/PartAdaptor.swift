/// Wraps an adaptor for a part as an adaptor for the whole.
final class PartAdaptor<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>:
  Adaptor<Whole>
{
  private let adaptor: Adaptor<Part>
  private let attachment: PartAttachment<Whole, Part, Key>

  init(_ adaptor: Adaptor<Part>, _ attachment: PartAttachment<Whole, Part, Key>) {
    self.adaptor = adaptor
    self.attachment = attachment
  }

  override var answersChanges: Bool { adaptor.answersChanges }

  override var comparesDesigns: Bool {
    adaptor.comparesDesigns || attachment.canGo && attachment.only != nil
  }

  override func effect(
    _ design: Whole.Design, on change: Whole.Change
  ) -> Effect<Whole.Change> {
    comparedEffect(from: nil, to: design, on: change)
  }

  override func comparedEffect(
    from before: Whole.Design?, to after: Whole.Design, on change: Whole.Change
  ) -> Effect<Whole.Change> {
    // A change without a key is meant for the part that existed before the change. If the change
    // replaced that part, the adaptor does not run.
    guard let (named, change) = attachment.extract(change),
      let key = named ?? attachment.only?(before ?? after),
      let part = attachment.read(after, key)
    else { return .none }
    let partBefore =
      adaptor.comparesDesigns ? before.flatMap { attachment.read($0, key) } : nil
    return attachment.embed(adaptor.answer(from: partBefore, to: part, on: change), of: key)
  }

  override var follows: [Follow<Whole>] { adaptor.follows.map { attachment.embed($0) } }

  override func closing(_ design: Whole.Design) -> Effect<Whole.Change> {
    .merge(attachment.all(design).map { attachment.embed(adaptor.closing($1), of: $0) })
  }

  // MARK: - A part that always exists

  /// The key path of the part, or `nil` if the part can be removed or the key path is read-only.
  private var place: WritableKeyPath<Whole.Design, Part.Design>? {
    attachment.canGo ? nil : attachment.place as? WritableKeyPath<Whole.Design, Part.Design>
  }

  override func opening(_ design: inout Whole.Design) {
    guard let place else { return }
    adaptor.opening(&design[keyPath: place])
  }

  override func opened() -> (@Sendable (StoreLink<Whole>) -> Void)? {
    guard place != nil, let key = NoKey() as? Key else {
      if adaptor.answersChanges { return nil }
      return { _ in
        Contractors().problemSink.write(
          "\(Whole.self): an adaptor that answers no change belongs to a part that may go, or that "
            + "cannot be written, and does nothing")
      }
    }
    guard let open = adaptor.opened() else { return nil }
    return { [attachment] whole in
      open(
        StoreLink(
          read: { whole.design.flatMap { attachment.read($0, key) } },
          apply: { whole.apply(attachment.embed(key, $0)) },
          wait: whole.wait))
    }
  }

  override func ended(_ design: Whole.Design) -> (@Sendable () async -> Void)? {
    place.flatMap { adaptor.ended(design[keyPath: $0]) }
  }
}

extension Adaptor {
  /// Converts this adaptor, for a part that always exists, into an adaptor for the whole.
  ///
  /// ```swift
  /// let lego = Lego(
  ///   .init(), blueprint: AppBlueprint(),
  ///   adaptors: [
  ///     PermissionsAdaptor().part(\.permissions, .case(AppChange.permission))
  ///   ])
  /// ```
  ///
  /// Effect IDs belong to the part, so they never match IDs of the whole or of other parts.
  public func part<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> {
    PartAdaptor(self, .once(place, change))
  }

  /// Converts this adaptor into an adaptor for all elements of a collection.
  ///
  /// The effects of an element end when it is removed.
  public func each<Whole: Blueprint, C: Collection & Sendable>(
    _ place: any KeyPath<Whole.Design, C> & Sendable,
    _ change: CasePath<Whole.Change, (B.Design.ID, B.Change)>
  ) -> Adaptor<Whole>
  where C.Element == B.Design, B.Design: Identifiable, B.Design.ID: Sendable {
    PartAdaptor(self, .each(place, change))
  }

  /// Converts this adaptor into an adaptor for all values of a dictionary.
  ///
  /// The effects of a value end when its key is removed.
  public func each<Whole: Blueprint, Key: Hashable & Sendable>(
    _ place: any KeyPath<Whole.Design, [Key: B.Design]> & Sendable,
    _ change: CasePath<Whole.Change, (Key, B.Change)>
  ) -> Adaptor<Whole> {
    PartAdaptor(self, .each(place, change))
  }

  /// Converts this adaptor into an adaptor for the value of an optional.
  ///
  /// The effects of the value end when the optional becomes `nil`.
  public func optional<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design?> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> {
    PartAdaptor(
      self, .optional(place, change, shown: { $0[keyPath: place] }, key: { _ in NoKey() }))
  }

  /// Converts this adaptor into an adaptor for an optional whose value has an ID.
  ///
  /// The effects of the value end when the optional becomes `nil`, or when a value with a different
  /// ID replaces the current one.
  public func optional<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, B.Design?> & Sendable,
    _ change: CasePath<Whole.Change, B.Change>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    PartAdaptor(self, .optional(place, change, shown: { $0[keyPath: place] }, key: \.id))
  }

  /// Converts this adaptor into an adaptor for all screens in a stack.
  ///
  /// The effects of a screen end in the step that removes it from the stack.
  public func stack<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, Stack<B.Design>> & Sendable,
    _ change: CasePath<Whole.Change, StackChange<B>>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    PartAdaptor(self, .screens(place, change.screen()))
  }

  /// Converts this adaptor into an adaptor for all presented screens.
  ///
  /// The effects of a screen end in the step that dismisses it.
  public func presented<Whole: Blueprint>(
    _ place: any KeyPath<Whole.Design, Presented<B.Design>> & Sendable,
    _ change: CasePath<Whole.Change, PresentedChange<B>>
  ) -> Adaptor<Whole> where B.Design: Identifiable, B.Design.ID: Sendable {
    PartAdaptor(self, .screens(place, change.screen()))
  }
}
