internal import AccessModel

/// A set of commands that only inspect the system, as JSON.
struct LookupOutput: Encodable {
  let title: String
  let commands: [String]
  let isPrivileged: Bool

  private enum CodingKeys: String, CodingKey {
    case title, commands
    case isPrivileged = "privileged"
  }

  init(_ lookup: Lookup) {
    title = lookup.title
    commands = lookup.commands
    isPrivileged = lookup.isPrivileged
  }
}
