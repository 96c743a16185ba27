/// A node without a device, because its module is not loaded or because it was created by hand.
struct RuleStaticNode {
  let facts: RuleFacts

  /// The finding about the rules for the node.
  var finding: RuleFinding {
    let name = facts.node.hasPrefix("/dev/") ? String(facts.node.dropFirst(5)) : facts.node
    for file in facts.rules.files.reversed() {
      for line in file.lines.reversed() where line.staticNodes.contains(where: { $0.exact == name })
      {
        let place = UdevRulePlace(path: file.path, line: line.number)
        return RuleFinding(
          .staticNode, at: place,
          "No device has \(facts.node), and \(place) gives it its permissions when udevd starts.",
          fix: RuleFix(
            "Restart udev, which then sets them",
            UdevDaemonStart(hasSystemd: facts.daemon.hasSystemd).restart, isProven: false))
      }
    }
    return pending(at: nil)
  }

  /// Returns the finding that there are no events for the node, and no rule is applied to it.
  func pending(at place: UdevRulePlace?) -> RuleFinding {
    let module = facts.staticModule
    return RuleFinding(
      .staticNode, at: place,
      "No device has \(facts.node), so no event comes for it"
        + (module.map { ": its module, \($0), is not loaded." } ?? "."),
      fix: module.map {
        RuleFix(
          "Load the module; udev then handles its device", ["modprobe \($0.shellQuoted)"],
          isProven: false)
      })
  }
}
