internal import AccessModel

extension SubjectOptions {
  /// The options that ask about the same subject; none for the calling process as it is.
  var words: [String] {
    let named: [String] =
      switch selector {
      case .ownProcess: []
      case .user(let name): ["--user=\(name)"]
      case .process(let number): ["--pid=\(number)"]
      case .unit(let name): ["--unit=\(name)"]
      }
    // An empty list is a word of its own: in a longer one it would be an empty name.
    let emptied = variation.groups == [] ? ["--groups="] : []
    let groups =
      (variation.groups ?? []) + variation.addedGroups.map { "+" + $0 }
      + variation.removedGroups.map { "-" + $0 }
    func list(_ option: String, _ items: [String]) -> [String] {
      items.isEmpty ? [] : ["--\(option)=\(items.joined(separator: ","))"]
    }
    return named + emptied + list("groups", groups)
      + list("with-cap", variation.addedCapabilities.members.map(\.name))
      + list("without-cap", variation.removedCapabilities.members.map(\.name))
  }
}
