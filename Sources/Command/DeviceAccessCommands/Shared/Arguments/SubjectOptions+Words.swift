internal import AccessModel

extension SubjectOptions {
  /// The options that select this subject; empty for the calling process without variations.
  var words: [String] {
    let named: [String] =
      switch selector {
      case .ownProcess: []
      case .user(let name): ["--user=\(name)"]
      case .process(let number): ["--pid=\(number)"]
      case .unit(let name): ["--unit=\(name)"]
      }
    // An empty list needs its own option, because a list with other items would contain an empty
    // name.
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
