internal import AccessModel

/// Finds the groups that pam_group(8) may add at a login, according to group.conf(5).
///
/// The service, terminal and time of the login are unknown, so every rule that matches the user may
/// apply.
struct GroupModule {
  let roots: MachineRoots

  private static let limit = 1 << 18
  private static let mostServices = 256
  private static let mostGroups = 256

  /// Returns the groups that a login of the user may get.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - isMember: Returns whether the database lists the user as a member of the named group.
  /// - Returns: The names or numbers of the groups, as written in the rules.
  func groups(of user: String, isMember: (String) -> Bool) -> [String] {
    let path = "\(roots.etc)/security/group.conf"
    guard let bytes = try? BoundedFile.read(path, limit: Self.limit).bytes else { return [] }
    let rules = Self.rules(in: String(decoding: bytes, as: UTF8.self))
      .filter { Self.matches($0.users, user, isMember) }
    guard !rules.isEmpty, isInUse else { return [] }
    return rules.flatMap(\.groups).prefix(Self.mostGroups)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  // MARK: - Rules

  private typealias Rule = (users: String, groups: [String])

  /// Parses the rules, which have the form `services;terminals;users;times;groups`.
  private static func rules(in text: String) -> [Rule] {
    let joined = text.split(separator: "\\\n", omittingEmptySubsequences: false)
      .joined(separator: " ")
    return joined.split(separator: "\n").compactMap { line in
      let line = line.prefix { $0 != "#" }
      let fields = line.split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count == 5 else { return nil }
      let groups = fields[4].split { $0 == "," || $0.isWhitespace }.map(String.init)
      return groups.isEmpty ? nil : (fields[2].filter { !$0.isWhitespace }, groups)
    }
  }

  /// Returns whether the user list of a rule may include the user.
  ///
  /// A list contains names, patterns with `*`, and groups, which start with `%`. The operators are
  /// `|`, `&` and `!`.
  private static func matches(_ list: String, _ user: String, _ isMember: (String) -> Bool) -> Bool
  {
    list.split(separator: "|").contains { term in
      term.split(separator: "&").allSatisfy { word in
        let isNegated = word.hasPrefix("!")
        let name = isNegated ? word.dropFirst() : word
        // Netgroups are not looked up, so any of them may match.
        if name.hasPrefix("@") { return true }
        let isMatch =
          name.hasPrefix("%") ? isMember(String(name.dropFirst())) : glob(name, user)
        return isMatch != isNegated
      }
    }
  }

  private static func glob(_ pattern: Substring, _ name: String) -> Bool {
    // As in pam_group, text after the `*` is ignored.
    guard let mark = pattern.firstIndex(of: "*") else { return pattern == name }
    return name.hasPrefix(pattern[..<mark])
  }

  // MARK: - Services

  /// A Boolean value that indicates whether any PAM service is configured to use the module.
  private var isInUse: Bool {
    ["\(roots.etc)/pam.d", "\(roots.lib)/pam.d"].contains { folder in
      ((try? Directory.names(in: folder)) ?? nil ?? []).prefix(Self.mostServices).contains { name in
        guard let bytes = try? BoundedFile.read("\(folder)/\(name)", limit: Self.limit).bytes else {
          return false
        }
        return bytes.split(separator: ByteScanner.newline).contains { line in
          let text = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
          return text.first != "#" && text.contains("pam_group.so")
        }
      }
    }
  }
}
