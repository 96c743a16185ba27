/// The user and group databases of a scene.
public struct Accounts: Sendable {
  /// A user's ID, primary group and supplementary groups.
  public struct User: Sendable {
    public var id: UInt32
    public var group: UInt32
    public var groups: [UInt32]
  }

  public var users: [User]
  public var groups: [UInt32]

  public init(users: [User], groups: [UInt32]) {
    self.users = users
    self.groups = groups
  }

  public static func name(ofUser id: UInt32) -> String { id == 0 ? "root" : "u\(id)" }
  public static func name(ofGroup id: UInt32) -> String { id == 0 ? "root" : "g\(id)" }

  /// The contents of `/etc/passwd`, `/etc/group`, `/etc/shadow` and `/etc/gshadow`.
  var files: [String] {
    let names = users.map { Self.name(ofUser: $0.id) }
    let members = groups.map { group in
      users.filter { $0.groups.contains(group) }.map { Self.name(ofUser: $0.id) }
        .joined(separator: ",")
    }
    let groupNames = groups.map(Self.name(ofGroup:))
    return [
      Self.text(users.map { "\(Self.name(ofUser: $0.id)):x:\($0.id):\($0.group)::/:/bin/bash" }),
      Self.text(zip(groups, members).map { "\(Self.name(ofGroup: $0)):x:\($0):\($1)" }),
      Self.text(names.map { "\($0):!:19000:0:99999:7:::" }),
      Self.text(zip(groupNames, members).map { "\($0):!::\($1)" }),
    ]
  }

  private static func text(_ lines: [String]) -> String {
    lines.map { $0 + "\n" }.joined()
  }
}
