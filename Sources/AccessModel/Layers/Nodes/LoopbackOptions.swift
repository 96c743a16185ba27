/// The options with which v4l2loopback makes the same virtual cameras again.
enum LoopbackOptions {
  /// What a name may be made of beside letters and digits: modprobe.d(5) takes it between quotation marks,
  /// commas part it from the next one, and a shell takes all of it between apostrophes.
  private static let marks = Set(" ()-._+:/".utf8)
  /// The length of a name in the module, without the end.
  private static let longestName = 31

  /// Those with which each shows as a camera only while it is fed, and keeps its number and its name.
  ///
  /// - Parameter devices: All devices, of any driver.
  /// - Returns: The options, and whether they have the names: one that cannot be written leaves all out.
  static func exclusive(_ devices: [DeviceFacts]) -> (options: String, hasNames: Bool) {
    let devices = devices.filter {
      VideoDriver(of: $0) == .loopback && $0.kernelName.hasPrefix("video")
    }
    var options = [list("exclusive_caps", Array(repeating: "1", count: max(devices.count, 1)))]
    if devices.count > 1 { options.append("devices=\(devices.count)") }
    let numbers = devices.compactMap { UInt32($0.kernelName.dropFirst("video".count)) }
    if numbers.count == devices.count, !numbers.isEmpty {
      options.append(list("video_nr", numbers.map(String.init)))
    }
    let names = devices.map { $0.name ?? "" }
    let hasNames = !names.isEmpty && names.allSatisfy(isWritable)
    if hasNames { options.append("card_label=\"\(names.joined(separator: ","))\"") }
    return (options.joined(separator: " "), hasNames)
  }

  private static func list(_ name: String, _ values: [String]) -> String {
    "\(name)=\(values.joined(separator: ","))"
  }

  private static func isWritable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestName && name.first != " " && name.last != " "
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
          || marks.contains(byte)
      }
  }
}
