/// The order of fixes: the narrowest that lasts, then a narrower one for the time until it works,
/// then the others.
///
/// A new login that is enough by itself precedes every other fix, because nothing has to be changed.
struct RemedyOrder {
  /// The fixes in order; of equals, the one that was offered earlier comes first.
  ///
  /// - Parameters:
  ///   - remedies: The fixes.
  ///   - isPreferred: Whether a lasting fix precedes narrower ones.
  /// - Returns: The fixes.
  static func ordered(
    _ remedies: [Remedy], preferring isPreferred: (Remedy) -> Bool = { _ in false }
  ) -> [Remedy] {
    let hasProof = remedies.contains { !$0.isConditional && !$0.end.isLasting }
    let keys = remedies.map { remedy in
      // An action that is only described, and assumed to help, does not precede a proven one.
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
    interim.isInterim = true
    ordered.insert(interim, at: 1)
    return ordered
  }
}

extension Remedy {
  /// Whether a new login, or a restart of the service, is all that it takes.
  var isNewLogin: Bool { isProven && changes == [.logIn] && actor != .packager }

  /// Whether it adds the user to a group that exists, and changes nothing else.
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

  /// Whether it names no command or option and assumes that it helps.
  fileprivate var isVague: Bool { isConditional && commands.isEmpty && options.isEmpty }

  /// How much it grants beyond the need: the number of others who gain, of objects, and of losses.
  private var breadth: [Int] {
    let others = Set(gains.map(\.who).filter { $0 != .subject })
    let objects = Set(gains.map(\.path)).count
    return [
      others.contains(.everyone) ? 1_000 : others.count, max(objects, scope == nil ? 0 : 1),
      losses.count,
    ]
  }

  /// The place among fixes of about the same duration: proof, a new login, what outlasts another
  /// number of the device, settings of the unit before others, breadth, the number of steps.
  fileprivate var orderKey: [Int] {
    [
      isConditional ? 1 : 0, isNewLogin ? 0 : 1, end == .renumbering ? 1 : 0,
      steps.allSatisfy { !$0.dropIns.isEmpty } ? 0 : 1,
    ] + breadth
      + [isVague ? 1 : 0, steps.count, end == .never ? 0 : end.isLasting ? 1 : 2]
  }

  /// Whether it is worth printing for the time until a lasting fix works: it is temporary, works at
  /// once, and is narrower, or not wider where the lasting one does not work at once.
  fileprivate func isWorthwhile(before lasting: Remedy) -> Bool {
    guard !end.isLasting, !isVague, takesEffect == nil else { return false }
    if breadth.lexicographicallyPrecedes(lasting.breadth) { return true }
    return breadth == lasting.breadth && lasting.takesEffect != nil
  }
}
