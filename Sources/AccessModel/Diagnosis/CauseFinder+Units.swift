/// Causes that lie in the settings of a service.
extension CauseFinder {
  /// The device policies that refuse the object, the service's own first.
  var refusingPolicies: [ServiceFacts.Policy] {
    let object = judgement.object ?? judgement.access.object(at: path)
    guard let node = object ?? judgement.decidingStep?.node, node.type.isDevice,
      let number = node.rdev
    else { return [] }
    let isBlock = node.type == .blockDevice
    return (confinement.service?.policies ?? []).filter { policy in
      guard let list = policy.list else { return false }
      return !list.allows(number, isBlock: isBlock, for: judgement.wanted)
    }
  }

  /// The policies of the service and of its slices that refuse, one cause each kind.
  ///
  /// `nil` when none of them is known to.
  func policyCauses(at path: String) -> [Cause]? {
    let refusing = refusingPolicies
    guard !refusing.isEmpty else { return nil }
    let names = [path, place] + (judgement.device?.links ?? [])
    var causes: [Cause] = []
    for policy in refusing {
      if policy.missed.contains(where: names.contains) {
        causes.append(
          Cause(
            .unitPolicyOutdated,
            summary: """
              \(policy.unit) allows \(path), but systemd made its device policy before the device \
              was there: the policy holds no number for it.
              """, at: path, isProven: false))
      } else {
        causes.append(
          Cause(
            .unitPrivateDevices, summary: refusal(by: policy.unit, of: path), at: path,
            isProven: isOfUnit))
      }
    }
    return causes
  }

  private func refusal(by unit: String, of path: String) -> String {
    guard unit != confinement.unit, let service = confinement.unit else {
      return "The device policy of \(unit) refuses \(path) (EPERM), even to root."
    }
    return """
      The device policy of \(unit), which contains \(service), refuses \(path) (EPERM), even to \
      root.
      """
  }

  /// A dynamic user, who owns nothing and is in no group but its own.
  func dynamicUserCause(_ node: Node) -> Cause? {
    guard let unit = confinement.serviceUnit, Subject.dynamicIDs.contains(subject.fsuid) else {
      return nil
    }
    return Cause(
      .unitDynamicUser,
      summary: """
        \(unit) runs as a dynamic user, which does not own \(node.path) and is not in \
        \(names.group(node.gid)); DeviceAllow= does not change that.
        """, at: node.path)
  }
}
