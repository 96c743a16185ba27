/// Describes the access that users gain or lose.
struct GainWords {
  let names: Names
  let subject: Subject

  /// Returns the access that a remedy grants beyond the need, as one clause.
  func excess(of remedy: Remedy) -> String? {
    let clauses = [remedy.scope, clause(of: remedy.gains, remedy.newGroups)].compactMap(\.self)
    return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
  }

  /// Describes gains, such as `every member of group video (44): rw- on /dev/video0 and 2 more`.
  ///
  /// - Parameters:
  ///   - gains: The gains.
  ///   - newGroups: The names of groups that do not exist yet, whose numbers are not known.
  /// - Returns: The clause; `nil` if there are no gains.
  func clause(of gains: [Gain], _ newGroups: [UInt32: String] = [:]) -> String? {
    var order: [Gain.Who] = []
    var byWho: [Gain.Who: [Gain]] = [:]
    for gain in gains {
      if byWho[gain.who] == nil { order.append(gain.who) }
      byWho[gain.who, default: []].append(gain)
    }
    guard !order.isEmpty else { return nil }
    return order.map { who in
      let theirs = byWho[who] ?? []
      let shown = theirs.prefix(3).map { "\($0.permissions) on \($0.path)" }
      let rest = theirs.count > 3 ? " and \(theirs.count - 3) more" : ""
      return "\(words(who, newGroups)): \(shown.joined(separator: ", "))\(rest)"
    }.joined(separator: "; ")
  }

  private func words(_ who: Gain.Who, _ newGroups: [UInt32: String]) -> String {
    switch who {
    case .subject: names.user(subject.fsuid)
    case .user(let id): names.user(id)
    case .group(let id) where newGroups[id] != nil: "every member of \(newGroups[id] ?? "")"
    case .group(let id): "every member of \(names.group(id))"
    case .everyone: "everybody"
    }
  }
}
