/// The v4l2loopback options that recreate the existing virtual cameras.
enum LoopbackOptions {
  /// The characters that a camera name may contain in addition to letters and digits.
  ///
  /// The name is written in double quotes in modprobe.d(5), inside a single-quoted shell word, and
  /// names are separated by commas.
  private static let marks = Set(" ()-._+:/".utf8)
  /// The maximum length of a name in the module, excluding the terminating null byte.
  private static let longestName = 31

  /// Returns the options that make each device show as a camera only while a program feeds it.
  ///
  /// The devices keep their numbers and, if possible, their names.
  ///
  /// - Parameter devices: All devices, with any driver.
  /// - Returns: The options, and whether they include the names. If any name cannot be written, the
  ///   options include no names.
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
