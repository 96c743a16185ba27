/// The order of fixes.
///
/// The narrowest lasting fix comes first. A narrower temporary fix follows, for use until the
/// lasting one works. All other fixes come after them.
///
/// If a new login is sufficient, it precedes all other fixes, because it changes nothing.
struct RemedyOrder {
  /// Returns the fixes in order; equal fixes keep their relative order.
  ///
  /// - Parameters:
  ///   - remedies: The fixes.
  ///   - isPreferred: Returns whether a lasting fix precedes narrower ones.
  /// - Returns: The ordered fixes.
  static func ordered(
    _ remedies: [Remedy], preferring isPreferred: (Remedy) -> Bool = { _ in false }
  ) -> [Remedy] {
    let hasProof = remedies.contains { !$0.isConditional && !$0.end.isLasting }
    let keys = remedies.map { remedy in
      // A fix without commands that is only assumed to work does not precede a proven one.
      let isFirst = remedy.end.isLasting && !(hasProof && remedy.isVague)
      return [isFirst ? 0 : 1, isFirst && isPreferred(remedy) ? 0 : 1] + remedy.orderKey
    }
    var ordered = remedies.indices.sorted { first, second in
      keys[first] == keys[second]
        ? first < second : keys[first].lexicographicallyPrecedes(keys[second])
    }.map { index in
      var remedy = remedies[index]
      remedy.isInterim = false
      return remedy
    }
    guard let first = ordered.first, first.end.isLasting,
      let index = ordered.firstIndex(where: { $0.isWorthwhile(before: first) })
    else { return ordered }
    var interim = ordered.remove(at: index)
    interim.isInterim = !first.worksAtOnce
    ordered.insert(interim, at: 1)
    return ordered
  }
}

extension Remedy {
  /// A Boolean value that indicates whether the fix consists only of a new login or a service
  /// restart.
  var isNewLogin: Bool { isProven && changes == [.logIn] && actor != .packager }

  /// A Boolean value that indicates whether the fix works as soon as its commands have run.
  var worksAtOnce: Bool { takesEffect == nil && options.isEmpty && actor != .packager }

  /// A Boolean value that indicates whether the fix only adds the user to an existing group.
  var isMembership: Bool {
    var joins = false
    for change in changes {
      switch change {
      case .joinGroup: joins = true
      case .logIn: continue
      default: return false
      }
    }
    return joins && isProven
  }

  /// A Boolean value that indicates whether the fix has no commands or options and is only assumed
  /// to work.
  fileprivate var isVague: Bool { isConditional && commands.isEmpty && options.isEmpty }

  /// The additional access that the fix grants, as numbers to compare in order.
  ///
  /// The numbers count the other users, the objects and the losses.
  private var breadth: [Int] {
    let others = Set(gains.map(\.who).filter { $0 != .subject })
    let objects = Set(gains.map(\.path)).count
    return [
      others.contains(.everyone) ? 1_000 : others.count, max(objects, scope == nil ? 0 : 1),
      losses.count,
    ]
  }

  /// The sort key among fixes that are all lasting, or all temporary.
  ///
  /// In order, the criteria are proof, a new login, validity for other device numbers, unit
  /// settings, breadth, concrete commands, the number of steps, and the duration.
  fileprivate var orderKey: [Int] {
    [
      isConditional ? 1 : 0, isNewLogin ? 0 : 1, end == .renumbering ? 1 : 0,
      steps.allSatisfy { !$0.dropIns.isEmpty } ? 0 : 1,
    ] + breadth
      + [isVague ? 1 : 0, steps.count, end == .never ? 0 : end.isLasting ? 1 : 2]
  }

  /// Returns whether the fix is useful until a lasting fix works.
  ///
  /// A useful fix is temporary and works at once. It is narrower than the lasting fix, or equally
  /// broad if the lasting fix does not work at once.
  fileprivate func isWorthwhile(before lasting: Remedy) -> Bool {
    guard !end.isLasting, !isVague, takesEffect == nil else { return false }
    if breadth.lexicographicallyPrecedes(lasting.breadth) { return true }
    return breadth == lasting.breadth && lasting.takesEffect != nil
  }
}
