extension AccessFacts {
  /// The answer for each device and the rule that decided it; `nil` for a device without a node.
  ///
  /// Of each decision only the last step is told. The cost is linear in the number of devices.
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
  /// What is known of the login manager where it was not seen to run, as one clause.
  ///
  /// What it tells lies in files that a container or a sandbox most often does not show. On a machine
  /// without systemd it is elogind or none.
  var unseenLogind: String {
    let name = confinement.hasSystemd == false ? "elogind" : "systemd-logind"
    if session == nil { return "\(name) was not asked" }
    return confinement.container == nil
      ? "\(name) is not running" : "\(name) cannot be seen from here"
  }
}
