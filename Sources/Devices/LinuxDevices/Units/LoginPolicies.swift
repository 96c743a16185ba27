internal import AccessModel

/// The device policies that apply to a user's logins, from the user's slice and its parent slices
/// (user@.service(5)).
///
/// pam_systemd(8) puts each session into a separate scope, which has no policy.
struct LoginPolicies {
  let roots: MachineRoots

  /// Returns the restrictive policies, and sets the subject's device list accordingly.
  func observe(
    user: UInt32, _ subject: inout Subject, _ unobserved: inout [Unobserved]
  ) -> [ServiceFacts.Policy] {
    guard roots.hasSystemd() == true else { return [] }
    let slice = "user-\(user).slice"
    let settings = settings(of: slice, &unobserved)
    var evaluation = UnitPolicies(roots: roots)
    if let list = evaluation.list(for: settings, of: slice, isRunning: false) {
      subject.deviceCgroup = list
    }
    unobserved += evaluation.unobserved
    unobserved += settings.problems.map { Unobserved("unit-settings", reason: $0) }
    let doubts = settings.doubts.map { Unobserved("device-program", at: slice, reason: $0.reason) }
    unobserved += doubts
    if !doubts.isEmpty || !evaluation.isComplete { subject.unobserved.insert(.deviceCgroup) }
    return evaluation.policies
  }

  private func settings(of slice: String, _ unobserved: inout [Unobserved]) -> UnitSettings {
    if roots == MachineRoots(), UnitBus.isManagerRunning {
      do throws(Errno) {
        return try UnitBus().devicePolicies(ofSlice: slice)
      } catch {
        unobserved.append(
          Unobserved(
            "unit-settings",
            reason:
              "systemd could not be asked (\(error.reason)), so the unit files were read instead"))
      }
    }
    var settings = UnitSettings()
    settings.addSlicePolicies(from: slice, in: UnitFiles(roots: roots))
    return settings
  }
}

extension UnitSettings {
  /// Adds the device policies of a slice and its parent slices, from their files.
  mutating func addSlicePolicies(from slice: String, in files: UnitFiles) {
    let slices = UnitName.slices(from: slice)
    if slices.isEmpty { doubts.append(Doubt("Slice= does not name a slice", .devices)) }
    for slice in slices {
      guard case .found(let contents) = files.read(slice, isImplicit: true) else { continue }
      problems += contents.problems
      // A slice can restrict only through its device policy.
      doubts += contents.doubts.map { Doubt($0, .devices) }
      let settings = UnitSettingsReader.settings(of: slice, files: contents.files)
      doubts += settings.doubts.map { Doubt("\(slice.text): \($0.reason)", .devices) }
      guard settings.devicePolicy != .auto || !settings.deviceAllow.isEmpty else { continue }
      slicePolicies.append(
        SlicePolicy(
          unit: slice.text, policy: settings.devicePolicy, allow: settings.deviceAllow,
          setting: settings.policySetting))
    }
  }
}
