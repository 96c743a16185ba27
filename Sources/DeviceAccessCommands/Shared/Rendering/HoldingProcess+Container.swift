internal import AccessModel

extension HoldingProcess {
  /// The engine of the container that the process runs in, and what it calls the container; `nil` where
  /// none is seen.
  var containerWords: [String]? {
    container.map { engine in
      // An ID is known by its first twelve digits.
      let name = containerName.map { $0.utf8.count == 64 ? String($0.prefix(12)) : $0 }
      return [engine, name].compactMap(\.self)
    }
  }
}
