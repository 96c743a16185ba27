extension AccessFacts {
  /// Returns the answer for each device, with the rule that decided it.
  ///
  /// The result contains `nil` for a device without a node. Each decision has only its last step.
  /// The cost is linear in the number of devices.
  package func conclusions(
    for devices: [DeviceFacts], wanting permissions: Permissions
  ) -> [Explanation.Candidate?] {
    var assessments = assess(devices, wanting: permissions, isShown: false)[...]
    return devices.map { device in
      guard device.node != nil, let assessment = assessments.popFirst() else { return nil }
      return Explanation.Candidate(
        path: assessment.access.request.path, device: device, decision: assessment.reported,
        answer: assessment.answer, occupation: assessment.occupation)
    }
  }
}

extension AccessFacts {
  /// A clause about the login manager, for use if it was not observed to be running.
  ///
  /// A container or a sandbox usually hides the files of a login manager. A system without systemd
  /// has elogind or no login manager.
  var unseenLogind: String {
    let hasLogind = confinement.hasSystemd != false
    let name = hasLogind ? "systemd-logind" : "a login manager, such as elogind,"
    if session == nil { return "\(name) was not asked" }
    guard confinement.container == nil else { return "\(name) cannot be seen from here" }
    return hasLogind ? "\(name) is not running" : "no login manager, such as elogind, is running"
  }
}
