internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// Gives permanent grants, each of which is a udev rule for one device.
extension GrantWork {
  private static let mark = "# devaccess "

  /// A permanent grant on a device, before anything is written.
  struct LastingPlan {
    let report: GrantReport
    /// The path of the device in sysfs.
    let device: String
    /// The text of the rule file; `nil` if nothing needs to be written.
    let text: String?
  }

  /// Plans the rule of a permanent grant.
  ///
  /// - Throws: `wrongObject`, `useless` or `full` if no rule can give the access permanently, and
  ///   the errors of planning any grant.
  func planForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> LastingPlan {
    let first = try self.plan(request, node, path, over: nil)
    let running = try temporary(node, at: path, if: self.rule(for: first)?.conditions)
    let plan = try self.plan(request, node, path, over: running)
    // udev runs the rules in the order of their names, and the entry of the last rule stays.
    let id = AccessGrant.newID(after: rules().map(\.grant.id))
    let grant = record(plan, request, called: id)
    let report = self.report(of: plan, grant, request, path)
    let device = plan.device?.sysfsPath ?? ""
    guard !report.isAllowedAlready else {
      return LastingPlan(report: report, device: device, text: nil)
    }
    let rule = try plan.lasting(self.rule(for: plan))
    guard let line = report.rule else {
      throw GrantError(.wrongObject, at: path, "nothing identifies it among other devices")
    }
    guard UdevRuleFolder.isDaemonRunning else {
      throw GrantError(.useless, at: path, "udev is not running, so a rule would have no effect")
    }
    guard UdevRuleFolder.hasSetfacl else {
      throw GrantError(.useless, at: path, "the rule runs /usr/bin/setfacl, which is not installed")
    }
    var object = GrantedObject(
      path: path, inode: node.inode, handle: node.handle, conditions: rule.conditions,
      kind: plan.kind?.name, current: running.base)
    object.add(grant)
    // As setfacl(1) writes it: the entry of the last rule stays.
    object.prepare(
      running.current.granting(grant.permissions.union(grant.kept), toUser: grant.user),
      from: running)
    object.confirm()
    let record = try Self.record(object)
    // udev does not accept lines of 16 KiB, and some versions ignore the whole file.
    guard record.utf8.count + line.utf8.count < 8_192 else {
      throw GrantError(.full, at: path, "its access list is too long to be kept in a rule")
    }
    return LastingPlan(report: report, device: device, text: "\(record)\n\(line)\n")
  }

  /// Writes the rule, and triggers a udev event for only that device.
  func grantForGood(
    _ request: GrantRequest, _ node: borrowing PinnedNode, _ path: String
  ) throws(GrantError) -> GrantReport {
    let plan = try planForGood(request, node, path)
    var report = plan.report
    let grant = report.grant
    guard let text = plan.text else { return report }
    try places.lastingRules.write(text, for: grant.id)
    do throws(GrantError) {
      UdevRuleFolder.reload()
      UdevRuleFolder.trigger(plan.device, waits: true)
      let explanation = try facts(request, at: path).explain()
      guard explanation.answer == .allowed else {
        throw GrantError(
          .useless, at: path,
          "the rule had no effect, so it was removed: "
            + (explanation.cause?.summary ?? "udev did not run it"))
      }
    } catch {
      if (try? retire(grant.id)) != nil {
        UdevRuleFolder.reload()
        // If this also fails, the record stays for another attempt.
        try? clean(grant.id)
      }
      throw error
    }
    report.survivesReplug = true
    log("gave", grant, path)
    return report
  }

  /// Returns the existing grants on a device.
  ///
  /// When a permanent grant is planned, they must not count as access that the user has anyway.
  private func temporary(
    _ node: borrowing PinnedNode, at path: String, if conditions: String?
  ) throws(GrantError) -> InodeGrants {
    let folder = places.devices
    let book = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in
      try GrantBook(in: locked, at: folder.path).whole()
    }
    return try state(
      of: node, calledBy: path, own: book?.object(node, at: path),
      others: otherRecords(besides: folder), if: conditions)
  }

  // MARK: - Existing rules

  /// The file of a permanent grant: its record in the first line, then the lines that udev reads.
  struct LastingRule: Hashable {
    var object: GrantedObject
    let grant: AccessGrant
    /// The lines after the record.
    let rest: String
    /// A Boolean value that indicates whether the rule is being removed and udev no longer reads
    /// it.
    let isRetired: Bool
  }

  /// Returns the grants that exist as rules.
  func standingRules() -> [StandingGrant] {
    rules().map { rule in
      var standing = StandingGrant(rule.grant, on: rule.object, isOver: false, list: nil)
      standing.survivesReplug = true
      do throws(GrantError) {
        guard let node = try device(of: rule.object) else {
          standing.isGone = true
          return standing
        }
        let path = node.path ?? rule.object.path
        standing.path = path
        let list = try node.list(calledBy: path)
        standing.isLost = !list.gives(rule.grant.permissions, toUser: rule.grant.user)
      } catch {
        // If the device cannot be inspected, the grant is reported as it was recorded.
      }
      return standing
    }
  }

  /// Returns the rules whose first line is a record.
  func rules() -> [LastingRule] {
    places.lastingRules.texts.compactMap { id, text, isRetired in
      let lines = text.split(separator: "\n", maxSplits: 1)
      guard let first = lines.first, first.hasPrefix(Self.mark),
        let object = try? JSONReader.decode(
          GrantedObject.self, from: Array(first.dropFirst(Self.mark.count).utf8)),
        let grant = object.grants.first, object.grants.map(\.id) == [id]
      else { return nil }
      let rest = lines.dropFirst().first.map(String.init) ?? ""
      return LastingRule(object: object, grant: grant, rest: rest, isRetired: isRetired)
    }
  }

  /// Returns the first line of a rule.
  private static func record(_ object: GrantedObject) throws(GrantError) -> String {
    do {
      return mark + (try JSONWriter.encode(object))
    } catch {
      throw GrantError(.failed, at: object.path, "the record of the rule cannot be written")
    }
  }
}
