public import LegoKit

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
