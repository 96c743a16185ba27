public import LegoKit

/// Restores a design before its store begins, and saves it when it changes.
///
/// ```swift
/// let lego = Lego(Settings.Design(), blueprint: Settings(), adaptors: [Keeping("settings")])
/// ```
///
/// The design is read from the disk while the store is created, before any observer sees it. From
/// then on it is saved at the times of ``Saving``, and at the end of the store. This adds no work
/// to `build`: the keeper reads the design later, on its own thread.
///
/// You can keep a part of the design that always exists, also as an adaptor of a `Feature` that is
/// plugged in with `part`. In a part that can disappear, it does nothing and reports that.
///
/// Errors are reported to the problem sink that is current where the store is created.
public final class Keeping<B: Blueprint>: Adaptor<B> {
  private let begin: (inout B.Design) -> Bool
  private let connect: @Sendable (StoreLink<B>) -> Void
  private let end: (B.Design) -> @Sendable () async -> Void
  /// `true` if the keeper has accepted the store of this adaptor.
  private var isKeeping = false

  /// Keeps a part of the design.
  ///
  /// - Parameters:
  ///   - keeper: The keeper.
  ///   - part: The part, which must exist in every design.
  ///   - arrival: Makes a change from a value that another program has saved. Without it, the store
  ///     ignores such values.
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

  /// Saves the last value of the store.
  public override func ended(_ design: B.Design) -> (@Sendable () async -> Void)? {
    isKeeping ? end(design) : nil
  }

  /// Always `false`: this adaptor does not respond to changes.
  public override var answersChanges: Bool { false }
}

extension Keeping {
  /// Keeps the whole design.
  ///
  /// - Parameters:
  ///   - keeper: The keeper.
  ///   - arrival: Makes a change from a design that another program has saved. Without it, the
  ///     store ignores such designs.
  public convenience init(
    _ keeper: Keeper<B.Design>,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(keeper, \B.Design.self, arriving: arrival)
  }

  /// Keeps the whole design in a file with a name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`, as for a ``Keeper``.
  ///   - history: The versions of the design.
  ///   - directory: The directory of the file.
  ///   - saving: When to save the design.
  ///   - arrival: Makes a change from a design that another program has saved. Without it, the
  ///     store ignores such designs.
  public convenience init(
    _ name: String, history: KeptHistory<B.Design> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(
      Keeper(name, history: history, in: directory, saving: saving), arriving: arrival)
  }

  /// Keeps a part of the design in a file with a name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`, as for a ``Keeper``.
  ///   - part: The part, which must exist in every design.
  ///   - history: The versions of the part.
  ///   - directory: The directory of the file.
  ///   - saving: When to save the part.
  ///   - arrival: Makes a change from a value that another program has saved. Without it, the store
  ///     ignores such values.
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
