public import AccessModel

/// Runs every printed fix of refused cases, and compares its effects with its description.
public struct FixComparison: Sendable {
  /// A fault of a fix.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// A command failed, or the subject still has no access.
    case withoutEffect = "without effect"
    /// The fix changes an object that is not on the path to the requested object.
    case elsewhere = "on another object"
    /// A user or group gains access, but the fix does not name it.
    case unnamedGain = "grants to somebody unnamed"
    /// A user or group loses access, but the fix does not name it.
    case unnamedLoss = "takes from somebody unnamed"
  }

  public private(set) var scenes = 0
  public private(set) var fixes = 0
  public private(set) var commands = 0
  public private(set) var faults: [Fault: Int] = [:]
  /// The descriptions of the faults, one paragraph each.
  public private(set) var descriptions: [String] = []
  /// The number of refused cases without a proven fix, by the rule that refuses.
  public private(set) var withoutFix: [Rule: Int] = [:]
  /// The first cases without a proven fix, each with the text that is printed instead.
  public private(set) var unfixed: [String] = []
  /// The number of refused cases, by the rule that refuses.
  public private(set) var rules: [Rule: Int] = [:]

  /// Replaces each fix before it is run, to test that faults are found; returns `nil` to skip the
  /// fix.
  public var distortion: (@Sendable (Remedy) -> Remedy?)?

  public init() {}

  public mutating func add(_ other: FixComparison) {
    scenes += other.scenes
    fixes += other.fixes
    commands += other.commands
    faults.merge(other.faults, uniquingKeysWith: +)
    unfixed += other.unfixed
    withoutFix.merge(other.withoutFix, uniquingKeysWith: +)
    rules.merge(other.rules, uniquingKeysWith: +)
    descriptions += other.descriptions
  }

  /// Explains a scene and tries every proven fix.
  ///
  /// - Throws: ``OracleError`` if the scene cannot be built.
  public mutating func add(
    _ scene: FixScene, on oracle: borrowing KernelOracle
  ) throws(OracleError) {
    let explanation = scene.facts.explain()
    let rule = explanation.decision.rule
    scenes += 1
    if let rule { rules[rule, default: 0] += 1 }
    let remedies = explanation.remedies.filter(\.isProven)
    if remedies.isEmpty, let rule {
      withoutFix[rule, default: 0] += 1
      if unfixed.count < 400 {
        let instead = explanation.remedies.map(\.title) + [explanation.note].compactMap(\.self)
        unfixed.append(
          "\(rule.rawValue): \(instead.joined(separator: " / "))\n  "
            + CaseLine.text(of: scene.access))
      }
    }
    let panel = FixPanel(scene)
    for printed in remedies {
      let remedy: Remedy
      if let distortion {
        guard let distorted = distortion(printed) else { continue }
        remedy = distorted
      } else {
        remedy = printed
      }
      fixes += 1
      commands += remedy.commands.count
      let outcome = try scene.outcome(of: remedy, for: panel, on: oracle)
      judge(remedy, outcome, scene, panel)
    }
  }

  private mutating func judge(
    _ remedy: Remedy, _ outcome: Intervention.Outcome, _ scene: FixScene, _ panel: FixPanel
  ) {
    let asked = remedy.changes.reduce(scene.access.request) { request, change in
      if case .ask(let other) = change { other } else { request }
    }
    let answer = outcome.after[0]
    if !outcome.statuses.allSatisfy({ $0 == 0 }) || !Comparison.isGranted(answer, to: asked) {
      note(
        .withoutEffect, remedy, scene,
        "exit \(outcome.statuses), answer \(answer): \(outcome.output)")
    }
    for path in remedy.changes.compactMap(\.path) where !scene.isOnTheWay(path, to: asked) {
      note(.elsewhere, remedy, scene, path)
    }
    let count = panel.questions.count
    for (index, question) in panel.questions.enumerated() {
      let had = Comparison.isGranted(outcome.before[index], to: question.request)
      let has = Comparison.isGranted(outcome.after[index + 1], to: question.request)
      if had, !has,
        !remedy.losses.contains(where: { $0.who == .subject && $0.path == question.path })
      {
        note(.unnamedLoss, remedy, scene, "the subject on \(question.path) \(question.permissions)")
      }
      for (number, identity) in panel.identities.enumerated() {
        let place = (number + 1) * count + index
        let had = Comparison.isGranted(outcome.before[place], to: question.request)
        let has = Comparison.isGranted(outcome.after[place + 1], to: question.request)
        guard had != has else { continue }
        let isSubject = identity.user == scene.access.subject.fsuid
        if has, !isSubject || !remedy.touches(question.path),
          !Self.isNamed(identity, question, remedy.gains, remedy.excess)
        {
          note(.unnamedGain, remedy, scene, Self.words(identity, question))
        }
        // Root and its group lose nothing: the capabilities of root override modes.
        let isRoot = identity.user == 0 || identity.group == 0
        if had, !isSubject, !isRoot,
          !Self.isNamed(identity, question, remedy.losses, remedy.loss)
        {
          note(.unnamedLoss, remedy, scene, Self.words(identity, question))
        }
      }
    }
  }

  /// Returns whether both the list of gains and the printed text of a fix name an identity.
  private static func isNamed(
    _ identity: FixPanel.Identity, _ question: FixPanel.Question, _ gains: [Gain], _ text: String?
  ) -> Bool {
    gains.contains { gain in
      guard gain.path == question.path, gain.permissions.isSuperset(of: question.permissions),
        let text
      else { return false }
      return switch gain.who {
      case .everyone: text.contains("everybody")
      case .user(let id): identity.user == id && text.contains("(\(id))")
      case .group(let id): identity.group == id && text.contains("(\(id))")
      case .subject: false
      }
    }
  }

  private static func words(
    _ identity: FixPanel.Identity, _ question: FixPanel.Question
  ) -> String {
    let who =
      identity.user.map { "user \($0)" } ?? identity.group.map { "group \($0)" } ?? "anybody"
    return "\(who) on \(question.path) \(question.permissions)"
  }

  private mutating func note(
    _ fault: Fault, _ remedy: Remedy, _ scene: FixScene, _ detail: String
  ) {
    faults[fault, default: 0] += 1
    guard descriptions.count < 200 else { return }
    descriptions.append(
      """
      \(fault.rawValue): \(detail)
        \(remedy.title)
        \(remedy.commands.joined(separator: "\n  "))
        grants more: \(remedy.excess ?? "-"), takes away: \(remedy.loss ?? "-")
        \(CaseLine.text(of: scene.access))
      """)
  }
}

extension FixScene {
  /// Returns whether a path is the requested object, or a directory, link or mount point on the way
  /// to it.
  ///
  /// A fix may say to use another path to the object; that path counts as well.
  fileprivate func isOnTheWay(_ path: String, to asked: Request) -> Bool {
    isOnTheWay(path, of: access.request) || isOnTheWay(path, of: asked)
  }

  private func isOnTheWay(_ path: String, of request: Request) -> Bool {
    var all = access.withPermissiveDAC()
    all.request = request
    all.subject = Subject(uid: 0, gid: 0)
    all.subject.effective = .all
    all.protectedSymlinks = false
    for index in all.mounts.indices { all.mounts[index].nosymfollow = false }
    return all.decide().steps.contains { $0.path == path || $0.mount == path }
  }
}

extension Remedy {
  /// Returns whether the fix changes a path or one of its parents.
  fileprivate func touches(_ path: String) -> Bool {
    changes.compactMap(\.path).contains { $0 == path || $0 == "/" || path.hasPrefix($0 + "/") }
      || gains.contains { $0.who == .subject && $0.path == path }
  }
}

extension FactsChange {
  /// The path that the change affects.
  fileprivate var path: String? {
    switch self {
    case .setEntries(let path, _), .replaceList(let path, _), .addMode(let path, _),
      .setMode(let path, _), .changeOwner(let path, _, _), .clearFlag(let path, _),
      .setFlag(let path, _), .makeDirectory(let path), .remove(let path), .remount(let path, _),
      .deviceEvent(let path, _, _, _):
      path
    default: nil
    }
  }
}
