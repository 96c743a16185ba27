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
  ///
  /// - Parameters:
  ///   - place: The rule.
  ///   - path: The path of its file.
  ///   - name: A path at which udevd reads the file; `nil` if it reads the file already.
  /// - Returns: The finding, with the fix.
  func pending(
    at place: UdevRulePlace?, renaming path: String = "", to name: String? = nil
  ) -> RuleFinding {
    let module = facts.staticModule
    var fix: RuleFix?
    if let name {
      var commands = ["mv \(path.shellQuoted) \(name.shellQuoted)", "udevadm control --reload"]
      if let module, module.isModuleName { commands += Remedy.loading(module) }
      fix = RuleFix(
        "Give the file a name that udevd reads" + (module == nil ? "" : "; then load the module"),
        commands, isProven: false)
    } else if let module {
      fix = RuleFix(
        "Load the module; udev then handles its device", ["modprobe \(module.shellQuoted)"],
        isProven: false)
    }
    return RuleFinding(
      .staticNode, at: place,
      "No device has \(facts.node), so no event comes for it"
        + (module.map { ": its module, \($0), is not loaded." } ?? "."), fix: fix)
  }
}
