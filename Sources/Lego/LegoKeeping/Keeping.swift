public import LegoKit

/// An adaptor that restores a design when its store is created, and saves the design when it
/// changes.
///
/// ```swift
/// let lego = Lego(Settings.Design(), blueprint: Settings(), adaptors: [Keeping("settings")])
/// ```
///
/// The design is read from disk while the store is being created, before any observer sees it. From
/// then on, it is saved according to a ``Saving`` rule, and when the store ends. A build does not
/// wait for this: the keeper reads the design later, on its own queue.
///
/// You can also keep only a part of the design, or use the adaptor in a `Feature` that is plugged
/// in with `part`. The part must be writable and must always exist. Otherwise, the adaptor reports
/// the problem and does nothing else.
///
/// Errors are reported to the problem sink that is current when the store is created.
public final class Keeping<B: Blueprint>: Adaptor<B> {
  private let begin: (inout B.Design) -> Bool
  private let connect: @Sendable (StoreLink<B>) -> Void
  private let end: (B.Design) -> @Sendable () async -> Void
  /// `true` if the keeper has accepted this adaptor's store.
  private var isKeeping = false

  /// Creates an adaptor that keeps a part of the design.
  ///
  /// - Parameters:
  ///   - keeper: The keeper that saves the part.
  ///   - part: The key path of the part, which must exist in every design.
  ///   - arrival: Returns a change for a value that another program has saved. If `arrival` is
  ///     `nil`, the store ignores such values.
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

  /// Restores the saved value.
  public override func opening(_ design: inout B.Design) {
    isKeeping = begin(&design)
  }

  /// Returns a closure that starts saving, or `nil` if the keeper has not accepted the store.
  public override func opened() -> (@Sendable (StoreLink<B>) -> Void)? {
    isKeeping ? connect : nil
  }

  /// Returns a closure that saves the last value, or `nil` if the keeper has not accepted the
  /// store.
  public override func ended(_ design: B.Design) -> (@Sendable () async -> Void)? {
    isKeeping ? end(design) : nil
  }

  /// Always `false`, because the adaptor learns of changes through its link to the store.
  public override var answersChanges: Bool { false }
}

extension Keeping {
  /// Creates an adaptor that keeps the whole design.
  ///
  /// - Parameters:
  ///   - keeper: The keeper that saves the design.
  ///   - arrival: Returns a change for a design that another program has saved. If `arrival` is
  ///     `nil`, the store ignores such designs.
  public convenience init(
    _ keeper: Keeper<B.Design>,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(keeper, \B.Design.self, arriving: arrival)
  }

  /// Creates an adaptor that keeps the whole design in a file with the given name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`. The same rules apply as for a ``Keeper``.
  ///   - history: The versions of the design.
  ///   - directory: The directory that contains the file.
  ///   - saving: The rule that determines when the design is saved.
  ///   - arrival: Returns a change for a design that another program has saved. If `arrival` is
  ///     `nil`, the store ignores such designs.
  public convenience init(
    _ name: String, history: KeptHistory<B.Design> = KeptHistory(),
    in directory: StateDirectory = .standard, saving: Saving = .automatic,
    arriving arrival: (@Sendable (KeptArrival<B.Design>) -> B.Change)? = nil
  ) where B.Design: Codable {
    self.init(
      Keeper(name, history: history, in: directory, saving: saving), arriving: arrival)
  }

  /// Creates an adaptor that keeps a part of the design in a file with the given name.
  ///
  /// - Parameters:
  ///   - name: The name of the file without `.json`. The same rules apply as for a ``Keeper``.
  ///   - part: The key path of the part, which must exist in every design.
  ///   - history: The versions of the part.
  ///   - directory: The directory that contains the file.
  ///   - saving: The rule that determines when the part is saved.
  ///   - arrival: Returns a change for a value that another program has saved. If `arrival` is
  ///     `nil`, the store ignores such values.
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
