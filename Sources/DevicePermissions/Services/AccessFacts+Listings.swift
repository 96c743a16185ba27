internal import AccessModel

extension AccessFacts {
  /// Every device of these facts with the access that the subject has to it.
  ///
  /// The case is indexed once, so the cost is linear in the number of devices.
  func listings() -> [DeviceListing] {
    let prepared = PreparedCase(access)
    return devices.map { device in
      guard let node = device.node else {
        return DeviceListing(device: device, access: nil, allowsBoth: false)
      }
      func outcome(_ wanted: Permissions) -> Verdict.Outcome {
        prepared.verdict(for: .open(path: node, flags: wanted.openFlags)).outcome
      }
      let read = outcome(.read)
      let write = outcome(.write)
      var access: Permissions? = []
      if read == .granted { access?.insert(.read) }
      if write == .granted { access?.insert(.write) }
      if case .undecided = read { access = nil }
      if case .undecided = write { access = nil }
      return DeviceListing(
        device: device, access: access, allowsBoth: outcome([.read, .write]) == .granted)
    }
  }
}
