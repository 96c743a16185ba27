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
  /// What is known of systemd-logind where it was not seen to run, as the end of a sentence.
  ///
  /// What it tells lies in files that a container or a sandbox most often does not show.
  var unseenLogind: String {
    if session == nil { return "was not asked" }
    return confinement.container == nil ? "is not running" : "cannot be seen from here"
  }
}
