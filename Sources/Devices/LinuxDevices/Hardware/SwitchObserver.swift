internal import AccessModel

/// Finds the switches in laptops and their firmware that disconnect a camera from its bus.
struct SwitchObserver {
  var roots: MachineRoots

  /// An attribute of a platform driver that shows whether the camera has power.
  private struct Attribute {
    /// The prefix of the platform device's name.
    var device: String
    var name: String
    var off: String
    var on: String
  }

  private static let attributes = [
    // The drivers are ideapad_laptop, eeepc_laptop and msi_ec, which has two attributes for a
    // camera.
    Attribute(device: "VPC2004:", name: "camera_power", off: "0", on: "1"),
    Attribute(device: "eeepc", name: "camera", off: "0", on: "1"),
    Attribute(device: "msi-ec", name: "webcam", off: "off", on: "on"),
    Attribute(device: "msi-ec", name: "webcam_block", off: "on", on: "off"),
  ]

  func observe(_ facts: inout HardwareFacts, _ reader: inout HardwareReader) {
    let platform = "\(roots.sysfs)/bus/platform/devices"
    for name in reader.names(in: platform) ?? [] {
      for attribute in Self.attributes where name.hasPrefix(attribute.device) {
        let path = "\(platform)/\(name)/\(attribute.name)"
        guard let value = reader.line(path), value == attribute.off else { continue }
        facts.switchedOff.append(HardwareFacts.Switch(path: path, value: value, on: attribute.on))
      }
    }
    let firmware = "\(roots.sysfs)/class/firmware-attributes"
    for interface in reader.names(in: firmware) ?? [] {
      let attributes = "\(firmware)/\(interface)/attributes"
      for name in reader.names(in: attributes) ?? [] {
        if let found = setting(name, at: "\(attributes)/\(name)", &reader) {
          facts.switchedOff.append(found)
        }
      }
    }
  }

  /// Returns a firmware setting that disables the camera; `nil` for any other setting.
  private func setting(
    _ name: String, at directory: String, _ reader: inout HardwareReader
  ) -> HardwareFacts.Switch? {
    let path = "\(directory)/current_value"
    // This setting of samsung_galaxybook takes effect at once, and also mutes the microphone.
    if name == "block_recording" {
      return reader.line(path) == "1" ? HardwareFacts.Switch(path: path, value: "1", on: "0") : nil
    }
    guard name.lowercased().contains("camera"), let value = reader.line(path),
      ["disable", "disabled", "off"].contains(value.lowercased())
    else { return nil }
    let possible = (reader.line("\(directory)/possible_values") ?? "").split {
      $0 == ";" || $0 == ","
    }
    let on = possible.first { ["enable", "enabled", "on"].contains($0.lowercased()) }
    return HardwareFacts.Switch(
      path: path, value: value, on: on.map(String.init), needsRestart: true)
  }
}
