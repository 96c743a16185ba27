public import LegoKit

/// Restores a design before its store begins, and saves it when it changes.
///
/// ```swift
/// let lego = Lego(Settings.Design(), blueprint: Settings(), adaptors: [Keeping("settings")])
/// ```
///
/// The design is read from the disk while the store is made, so that nobody sees it without what
/// was kept. From then on it is saved as the keeper's ``Saving`` says, and at the end of the store.
/// A build pays nothing for it: the keeper looks at the design when it is time, on a thread of its
/// own.
///
/// It can keep a part that is always there, and be an adaptor of one: in a `Feature` that is plugged
/// in with `part`. In parts that may come and go it does nothing, and that is reported.
///
/// What cannot be read or saved is reported to the problem sink that is in force where the store is
/// made.
public final class Keeping<B: Blueprint>: Adaptor<B> {
  private let begin: (inout B.Design) -> Bool
  private let connect: @Sendable (StoreLink<B>) -> Void
  private let end: (B.Design) -> @Sendable () async -> Void
  /// Whether the keeper works for this adaptor's store.
  private var isKeeping = false

  /// Keeps a part of the design.
  ///
  /// - Parameters:
  ///   - keeper: What keeps it.
  ///   - part: The part. It must be there in every design.
  ///   - arrival: Makes a change of what another program has saved; without one, the store does not
  ///     take over what others save.
  public init<Value>(
    _ keeper: Keeper<Value>, _ part: any WritableKeyPath<B.Design, Value> & Sendable,
    arriving arrival: (@Sendable (KeptArrival<Value>) -> B.Change)? = nil
  ) {
    let core = keeper.core
    begin = { design in core.begin(&design[keyPath: part]) }
    connect = { store in
      var arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
      if let arrival { arrive = { store.send(arrival($0)) } }
      core.connect(
        StoreConnection(
          value: { store.design.map { $0[keyPath: part] } }, arrive: arrive,
          onNextChange: { store.onNextChange($0) }))
    }
    end = { design in core.end(design[keyPath: part]) }
  }

  /// Restores the kept part.
  public override func opening(_ design: inout B.Design) {
    isKeeping = begin(&design)
  }

  /// Begins to save.
  public override func opened() -> (@Sendable (StoreLink<B>) -> Void)? {
    isKeeping ? connect : nil
  }

  /// Saves what the store has left.
  public override func ended(_ design: B.Design) -> (@Sendable () async -> Void)? {
    isKeeping ? end(design) : nil
  }

  /// It answers no change.
  public override var answersChanges: Bool { false }
}

extension Keeping {
  /// Keeps the whole design.
  ///
  /// - Parameters:
  ///   - keeper: What keeps it.
  ///   - arrival: Makes a change of what another program has saved; without one, the store does not
  ///     take over what others save.
  public convenience init(
    _ keeper: Keeper<B.Design>,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(keeper, \B.Design.self, arriving: arrival)
  }

  /// Keeps the whole design in a file of a name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`, as for a ``Keeper``.
  ///   - history: The versions that the design has had.
  ///   - directory: Where the file lies.
  ///   - saving: When the design is saved.
  ///   - arrival: Makes a change of what another program has saved; without one, the store does not
  ///     take over what others save.
  public convenience init(
    _ name: String, history: KeptHistory<B.Design> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(
      Keeper(name, history: history, in: directory, saving: saving), arriving: arrival)
  }

  /// Keeps a part of the design in a file of a name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`, as for a ``Keeper``.
  ///   - part: The part. It must be there in every design.
  ///   - history: The versions that the part has had.
  ///   - directory: Where the file lies.
  ///   - saving: When the part is saved.
  ///   - arrival: Makes a change of what another program has saved; without one, the store does not
  ///     take over what others save.
  public convenience init<Value: Codable & Equatable & Sendable>(
    _ name: String, _ part: any WritableKeyPath<B.Design, Value> & Sendable,
    history: KeptHistory<Value> = KeptHistory(), in directory: StateDirectory = .standard,
    saving: Saving = .automatic,
    arriving arrival: (@Sendable (KeptArrival<Value>) -> B.Change)? = nil
  ) {
    self.init(
      Keeper(name, history: history, in: directory, saving: saving), part, arriving: arrival)
  }
}
