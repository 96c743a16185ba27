internal import LinuxDevices
internal import MessageBus

/// What systemd answers about a service, made from whatever bytes there are.
struct FuzzedUnitProperties {
  private let answer: BusValue

  /// Settings that every version of systemd tells; what is not told must never pass for a setting.
  private static let always = ["User", "DevicePolicy", "DeviceAllow", "PrivateDevices"]

  init(_ bytes: [UInt8]) {
    var values = FuzzedValues(bytes)
    answer = values.message().first ?? .other
  }

  /// Reads the answer as the settings of a service.
  ///
  /// - Returns: Whether it is one.
  func check() throws(BrokenPromise) -> Bool {
    guard let missing = UnitReading.missing(in: answer) else { return false }
    for name in Self.always where answer[key: name] == nil && !missing.contains(name) {
      throw BrokenPromise("\(name)= has a value that systemd has not told")
    }
    return answer.elements?.isEmpty == false
  }
}
