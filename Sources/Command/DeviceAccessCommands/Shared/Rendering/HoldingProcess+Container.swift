internal import AccessModel

extension HoldingProcess {
  /// The container engine and the name or ID of the process's container; `nil` if none was found.
  var containerWords: [String]? {
    container.map { engine in
      // The engines show the first twelve digits of an ID.
      let name = containerName.map { $0.utf8.count == 64 ? String($0.prefix(12)) : $0 }
      return [engine, name].compactMap(\.self)
    }
  }
}
